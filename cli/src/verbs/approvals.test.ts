import assert from "node:assert/strict";
import { it } from "node:test";
import { createGroup, createMachineUser, createSyncedServer } from "#test/factories";
import { rpc } from "#test/gateway-kit";
import { startRawUpstream } from "#test/upstreams/raw";
import { withService } from "../../test/with-service.ts";

const CHECK = { type: "keyword", name: "Money", config: { words: ["transfer"] } };

withService("gatehouse approvals", (world) => {
  it("lists, shows, approves and denies held calls", async () => {
    const { service, shell } = world;
    const upstream = await startRawUpstream();
    try {
      await createSyncedServer(service, "Bank", upstream.url);
      const bot = await createMachineUser(service, "bot");
      await createGroup(service, "Bots", { slugs: ["bank"], emails: [bot.email] });
      const guard = { name: "Money", type: "runtime", action: "require_approval", enabled: true, checks: [CHECK] };
      await service.api("POST", "/api/guards", guard);
      await service.api("PATCH", "/api/settings", { approval_wait_seconds: 0 });
      const call = (n: number) =>
        service.mcp(bot.credential, rpc("tools/call", { name: "bank__echo", arguments: { transfer: n } }));
      const run = async (...args: string[]) => {
        const { code, stdout, stderr } = await shell.run(["approvals", ...args]);
        assert.equal(code, 0, stderr);
        return stdout;
      };
      for (const n of [1, 2]) assert.ok((await call(n)).body.result.isError);
      const [first, second] = JSON.parse(await run("list", "--status", "pending", "-o", "json"));
      assert.match(await run("list"), /bot@machine\S+ +bank__echo +money +pending /);
      assert.equal(JSON.parse(await run("show", first.id, "-o", "json")).arguments_json, '{"transfer":1}');
      await run("approve", first.id);
      await run("deny", second.id, "--note", "Ask finance");
      assert.equal((await call(1)).body.result.isError, undefined);
      assert.match((await call(2)).body.result.content[0].text, /Ask finance/);
      const again = await shell.run(["approvals", "deny", first.id]);
      assert.equal(again.code, 1);
      assert.match(again.stderr, /^gatehouse: The call is already approved by /);
    } finally {
      await upstream.close();
    }
  });
});
