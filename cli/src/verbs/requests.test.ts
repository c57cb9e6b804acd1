import assert from "node:assert/strict";
import { it } from "node:test";
import { signedInAs } from "#test/browser";
import { createGroup, createSyncedServer } from "#test/factories";
import { startRawUpstream } from "#test/upstreams/raw";
import { withService } from "../../test/with-service.ts";

withService("gatehouse requests", (world) => {
  it("lists, approves and denies requests", async () => {
    const { service, shell } = world;
    const upstream = await startRawUpstream();
    try {
      for (const name of ["Desk", "Wiki"]) await createSyncedServer(service, name, upstream.url);
      await createGroup(service, "Support");
      const ada = await signedInAs(service, "member", "ada@example.com");
      for (const server of ["desk", "wiki"]) await ada.api("POST", "/api/me/requests", { server, reason: "On-call" });
      const run = async (...args: string[]) => {
        const { code, stdout, stderr } = await shell.run(["requests", ...args]);
        assert.equal(code, 0, stderr);
        return stdout;
      };
      const pending = JSON.parse(await run("list", "--status", "pending", "-o", "json"));
      assert.deepEqual(
        pending.map((one: { server: string }) => one.server),
        ["desk", "wiki"],
      );
      assert.match(await run("list"), /ada@example\.com +desk +all +pending +On-call/);
      await run("approve", pending[0].id, "Support", "--grant", "--note", "Welcome");
      await run("deny", pending[1].id, "--note", "Later");
      const decided = JSON.parse(await run("list", "-o", "json"));
      assert.deepEqual(decided.map((one: { status: string; note: string }) => [one.status, one.note]).sort(), [
        ["approved", "Welcome"],
        ["denied", "Later"],
      ]);
      const again = await shell.run(["requests", "deny", pending[1].id]);
      assert.deepEqual([again.code, again.stderr], [1, "gatehouse: The request is already denied\n"]);
    } finally {
      await upstream.close();
    }
  });
});
