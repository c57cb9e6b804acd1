import assert from "node:assert/strict";
import { beforeEach, it } from "node:test";
import { forEachApi } from "#test/api";

const POLICY = "/api/ai-discovery-policy";
const RULES = `${POLICY}/rules`;
const HOUR_MS = 3_600_000;

forEachApi(
  "changes of the AI discovery policy",
  (api) => {
    const call = async (method: string, path: string, body?: object) => {
      const answer = await api.call(method, path, body);
      assert.ok(answer.status < 300, answer.text);
      return answer.body.data;
    };
    const rule = (name: string, rest: object = {}) =>
      call("POST", RULES, { name, kind: "mcp_server", action: "block", match: { name: [name] }, ...rest });
    const lastChange = async () => (await call("GET", `${POLICY}/history?limit=1`))[0];
    const version = async () => (await call("GET", POLICY)).version;

    beforeEach(async () => {
      for (const { id } of await call("GET", RULES)) await api.call("DELETE", `${RULES}?id=${id}`);
    });

    it("records only the changed fields", async () => {
      await call("PATCH", POLICY, { notify_users: false });
      const policy = await lastChange();
      assert.deepEqual([policy.before, policy.after], [{ notify_users: true }, { notify_users: false }]);
      const { id } = await rule("one");
      await call("PATCH", `${RULES}?id=${id}`, { description: "Why", action: "warn", name: "one" });
      const { before, after, rule_name, operation } = await lastChange();
      assert.deepEqual([rule_name, operation], ["one", "updateDiscoveryRule"]);
      assert.deepEqual(
        [before, after],
        [
          { description: "", action: "block" },
          { description: "Why", action: "warn" },
        ],
      );
    });

    it("records the position that a rule got", async () => {
      const first = await rule("first");
      await rule("second", { position: 1 });
      assert.equal((await lastChange()).after.position, 1);
      await rule("third", { position: 99 });
      assert.equal((await lastChange()).after.position, 3);
      await call("PATCH", `${RULES}?id=${first.id}`, { position: 99 });
      const { before, after } = await lastChange();
      assert.deepEqual([before, after], [{ position: 2 }, { position: 3 }]);
    });

    it("keeps the version if a request changes nothing", async () => {
      const one = await rule("one", { message: "Ask security" });
      const two = await rule("two");
      const current = await version();
      const { enforcement, default_actions } = await call("GET", POLICY);
      const audits = await api.auditOf(async () => {
        await call("PATCH", POLICY, {});
        await call("PATCH", POLICY, { enforcement, default_actions });
        const unchanged = await call("PATCH", `${RULES}?id=${one.id}`, {
          name: "one",
          match: { name: "one" },
          position: 1,
        });
        assert.deepEqual(unchanged, one);
        await call("PUT", `${RULES}/order`, { ids: [one.id, two.id] });
      });
      assert.deepEqual([await version(), audits], [current, []]);
      await call("PUT", `${RULES}/order`, { ids: [two.id, one.id] });
      assert.equal(await version(), current + 1);
    });

    it("responds to a new order with the warnings of the rules", async () => {
      const { id } = await rule("gone", { match: { groups: ["Gone"] } });
      const [ordered] = await call("PUT", `${RULES}/order`, { ids: [id] });
      assert.deepEqual(ordered.warnings, ["Group not found: Gone"]);
    });

    it("ignores an expired rule in decisions, for devices, and in exports", async () => {
      const expires_at = new Date(api.clock.now() + HOUR_MS).toISOString();
      const { id } = await rule("brief", { expires_at });
      const decide = () => call("POST", `${POLICY}/evaluate`, { item: { kind: "mcp_server", name: "brief" } });
      const effective = () => call("GET", `${POLICY}/effective?device_id=any`);
      const exported = () => call("GET", `${POLICY}/export?target=claude-code`);
      assert.deepEqual([(await decide()).rule_id, (await effective()).rules.length], [id, 1]);
      assert.deepEqual((await exported()).deniedMcpServers, [{ serverName: "brief" }]);
      api.clock.advance(HOUR_MS);
      const decided = await decide();
      assert.deepEqual([decided.rule_id, decided.trace[0].failed_condition], [null, "expired"]);
      assert.deepEqual((await effective()).rules, []);
      const { deniedMcpServers, skipped } = await exported();
      assert.deepEqual([deniedMcpServers, skipped], [[], [{ rule_id: id, reason: "The rule has expired" }]]);
    });

    it("names the field of an item that cannot be evaluated", async () => {
      const item = { kind: "mcp_server", name: "x" };
      for (const [message, body] of [
        ["item: must be an object", { item: null }],
        ["item.kind: kind is required", { item: {} }],
        ["item.risk: must be between 0 and 100", { item: { ...item, risk: 101 } }],
        ["item.args: must contain at most 256 values", { item: { ...item, args: Array(257).fill("x") } }],
        ["item.issues: must contain at most 64 values", { item: { ...item, issues: Array(65).fill("x") } }],
        ["items: must contain at most 500 items", { items: Array(501).fill(item) }],
        ["items.1.transport: must be one of stdio, http, sse", { items: [item, { ...item, transport: "ws" }] }],
      ] as const) {
        await api.invalid(message, "POST", `${POLICY}/evaluate`, body);
      }
    });
  },
  { clock: "by-hand" },
);
