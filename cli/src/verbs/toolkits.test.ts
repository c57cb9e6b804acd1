import assert from "node:assert/strict";
import { it } from "node:test";
import { createGroup, createMachineUser, createSyncedServer } from "#test/factories";
import { startRawUpstream } from "#test/upstreams/raw";
import { withService } from "../../test/with-service.ts";

withService("gatehouse toolkits", (world) => {
  it("creates, changes, shares, binds and deletes a toolkit", async () => {
    const { service, shell } = world;
    const upstream = await startRawUpstream({ tools: [{ name: "search", inputSchema: { type: "object" } }] });
    try {
      await createSyncedServer(service, "Desk", upstream.url);
      await createGroup(service, "Support", { slugs: ["desk"] });
      const bot = await createMachineUser(service, "bot");
      const run = async (...args: string[]) => {
        const { code, stdout, stderr } = await shell.run(args);
        assert.equal(code, 0, stderr);
        return { stdout, stderr };
      };
      const made = await run("toolkits", "create", "Triage", "--tool", "desk/search", "--tool", "desk/gone");
      assert.match(made.stderr, /^Warning: tools\.1: MCP server desk has no tool "gone"\.$/m);
      await run("toolkits", "update", "triage", "--status", "active", "--least-privilege", "--group", "Support");
      const fix = ["--fix", "owner=acme", "--fix", "page=1", "--hide", "x"];
      await run("toolkits", "set-tool", "triage", "desk", "search", "--alias", "find", ...fix);
      await run("toolkits", "remove-tool", "triage", "desk", "gone");
      const toolkit = JSON.parse((await run("toolkits", "get", "triage", "-o", "json")).stdout);
      assert.deepEqual(toolkit.tools, [
        {
          ...{ server: "desk", tool: "search", alias: "find", title: null, description: null },
          arguments: { fixed: { owner: "acme", page: 1 }, defaults: {}, hidden: ["x"] },
        },
      ]);
      assert.match((await run("toolkits", "list")).stdout, /triage +Triage +active +1 +0 +yes +Support/);
      const previewed = await run("toolkits", "preview", "triage", bot.email);
      assert.match(previewed.stdout, /desk +search +toolkit_not_granted/);
      const counted = `All tools of the toolkit take about \\d+ tokens\\. ${bot.email} gets 0 of them\\.`;
      assert.match(previewed.stderr, new RegExp(counted));
      await run("groups", "remove-toolkit", "Support", "triage");
      await run("groups", "add-toolkits", "Support", "triage");
      await run("users", "update", bot.email, "--toolkit", "triage");
      const bound = await shell.run(["toolkits", "delete", "triage", "--yes"]);
      assert.deepEqual([bound.code, bound.stderr], [1, `gatehouse: toolkit is used by machine user ${bot.email}\n`]);
      await run("users", "update", bot.email, "--toolkit", "none");
      await run("toolkits", "delete", "triage", "--yes");
      assert.match((await run("toolkits", "list")).stderr, /No toolkits/);
    } finally {
      await upstream.close();
    }
  });

  it("rejects wrong tools and values", async () => {
    for (const args of [
      ["create", "x", "--tool", "desk"],
      ["set-tool", "x", "y", "z", "--fix", "=1"],
      ["update", "x"],
      ["update", "x", "--group", "y", "--no-groups"],
    ]) {
      assert.equal((await world.shell.run(["toolkits", ...args])).code, 64, args.join(" "));
    }
  });
});
