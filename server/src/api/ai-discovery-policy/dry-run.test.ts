import assert from "node:assert/strict";
import { before, it } from "node:test";
import { onSqliteApi } from "#test/api";
import { remoteServer, reported } from "#test/discovery-report";

const POLICY = "/api/ai-discovery-policy";

onSqliteApi("a dry run of the AI discovery policy", (api) => {
  const report = async (device: string, os: string, ...names: string[]) => {
    const mcp_servers = names.map((name) => remoteServer(name, `https://${name}.example.com/mcp`));
    const body = reported(device, { device: { id: device, hostname: device, os, users: ["a"] }, mcp_servers });
    assert.equal((await api.call("POST", "/api/ai-discovery/reports", body)).status, 200);
  };
  const dryRun = async (body: object) => {
    const { status, text, body: answer } = await api.call("POST", `${POLICY}/dry-run`, body);
    assert.equal(status, 200, text);
    const { changes, totals } = answer.data;
    return {
      changes: changes.map((each: Record<string, unknown>) => [each.name, each.from, each.to, each.devices_count]),
      totals,
    };
  };
  const rule = (action: string, match: object) => ({ name: "Rule", kind: "mcp_server", action, match });
  before(async () => {
    await report("one", "linux", "beta", "alpha", "common", "gone");
    await report("one", "linux", "beta", "alpha", "common");
    await report("two", "win32", "common");
    await report("three", "linux", "common");
  });

  it("lists blocked items first, then items on many devices, then by name, without removed ones", async () => {
    const rules = [rule("block", { name: ["beta"] })];
    assert.deepEqual(await dryRun({ rules, default_actions: { mcp_servers: "allow" } }), {
      changes: [
        ["beta", "warn", "block", 1],
        ["common", "warn", "allow", 3],
        ["alpha", "warn", "allow", 1],
      ],
      totals: { allow: 2, warn: 0, block: 1 },
    });
    const { changes } = await dryRun({ default_actions: { mcp_servers: "block" } });
    assert.deepEqual(
      changes.map(([name]: [string]) => name),
      ["common", "alpha", "beta"],
    );
  });

  it("shows the strictest action of an item, and counts only the devices on which it changes", async () => {
    const { changes, totals } = await dryRun({ rules: [rule("block", { name: ["common"], os: ["win32"] })] });
    assert.deepEqual(changes, [["common", "warn", "block", 1]]);
    assert.deepEqual(totals, { allow: 0, warn: 2, block: 1 });
    const allowed = await dryRun({ rules: [rule("allow", { name: ["common"], devices: ["one", "three"] })] });
    assert.deepEqual(allowed.changes, [["common", "warn", "warn", 2]]);
  });

  it("decides for each device, whether the current rules or the proposed ones distinguish them", async () => {
    const body = { ...rule("block", { name: ["common"], devices: ["two"] }) };
    assert.equal((await api.call("POST", `${POLICY}/rules`, body)).status, 201);
    assert.deepEqual((await dryRun({ rules: [] })).changes, [["common", "block", "warn", 1]]);
  });
});
