import assert from "node:assert/strict";
import { it } from "node:test";
import { withService } from "../../test/with-service.ts";

withService("gatehouse discovery-policy", ({ shell }) => {
  const run = async (...args: string[]) => {
    const { code, stdout, stderr } = await shell.run(["discovery-policy", ...args]);
    assert.equal(code, 0, stderr);
    return stdout;
  };
  const json = async (...args: string[]) => JSON.parse(await run(...args, "-o", "json"));
  const rule = (action: string, host: string) =>
    JSON.stringify({ kind: "mcp_server", action, match: { host: [host] } });

  it("shows and updates the policy", async () => {
    assert.equal((await json("show")).enforcement, "monitor");
    await run("update", "--enforcement", "enforce", "--servers", "block", "--no-notify-users");
    const policy = await json("show");
    assert.deepEqual(
      [policy.enforcement, policy.default_actions.mcp_servers, policy.notify_users],
      ["enforce", "block", false],
    );
    assert.equal((await shell.run(["discovery-policy", "update"])).code, 64);
  });

  it("creates, orders, evaluates and deletes rules", async () => {
    const first = await json("create-rule", "Evil", "--json", rule("block", "*.evil.example"));
    const second = await json("create-rule", "Any", "--json", rule("allow", "*"));
    const item = JSON.stringify({ kind: "mcp_server", name: "x", url: "https://mcp.evil.example/mcp" });
    assert.match(await run("evaluate", "--json", item), /block/);
    await run("order", second.id, first.id);
    assert.match(await run("evaluate", "--json", item), /allow/);
    assert.deepEqual(
      (await json("rules")).map(({ name }: { name: string }) => name),
      ["Any", "Evil"],
    );
    const incomplete = await shell.run(["discovery-policy", "order", first.id]);
    assert.match(incomplete.stderr, /must contain every rule exactly once/);
    assert.notEqual((await shell.run(["discovery-policy", "delete-rule", first.id])).code, 0);
    await run("delete-rule", first.id, "--yes");
    assert.equal((await json("rules")).length, 1);
  });

  it("changes a rule, and lists the changes of the policy", async () => {
    const { id } = await json("create-rule", "Wiki", "--json", rule("block", "wiki.example.com"));
    assert.equal((await shell.run(["discovery-policy", "update-rule", id])).code, 64);
    const match = '{"match":{"host":["docs.example.com"]}}';
    const after = await json("update-rule", id, "--action", "warn", "--no-enabled", "--name", "Docs", "--json", match);
    assert.deepEqual(
      [after.name, after.action, after.enabled, after.match],
      ["Docs", "warn", false, { host: ["docs.example.com"] }],
    );
    const [last, before] = await json("history", "--limit", "2");
    assert.deepEqual([last.rule_name, last.after.action, before.rule_name], ["Docs", "warn", "Wiki"]);
    assert.match(await run("history"), /VERSION +TIME +ACTOR +OPERATION +RULE/);
    await run("delete-rule", id, "--yes");
  });

  it("shows what a proposal would change, and the settings of a client", async () => {
    const { totals, changes } = await json("dry-run", "--json", '{"default_actions":{"mcp_servers":"warn"}}');
    assert.deepEqual([totals, changes], [{ allow: 0, warn: 0, block: 0 }, []]);
    const settings = await json("export", "claude-code");
    assert.ok(JSON.stringify(settings).includes("deniedMcpServers"));
  });
});
