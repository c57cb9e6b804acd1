import assert from "node:assert/strict";
import { it } from "node:test";
import fc from "fast-check";
import { forEachApi } from "#test/api";
import { createMachineUser } from "#test/factories";

/** Values that no setting of that name accepts. */
const INVALID: Readonly<Record<string, readonly unknown[]>> = {
  call_log_retention_days: [-1, 0.5, "90", {}, 1e12],
  audit_retention_days: [-1, "x", [], 1e12],
  tool_sync_interval_minutes: [0, -5, "15", 1e12],
  machine_secret_reveal: ["yes", 1],
  server_concurrent_calls: [0, -1, "64", 1e12],
  user_calls_per_minute: [-1, "0", 1.5],
  payload_capture: ["everything", 1],
};
/** Valid changes that must not be applied together with an invalid one. */
const VALID = {
  call_log_retention_days: 30,
  server_concurrent_calls: 3,
  local_sign_in: true,
  help_contact: "it@x.example",
};
const ROUNDS = 100;

forEachApi("changed settings (OPS-10)", (api) => {
  it("apply completely or not at all, while calls continue", async () => {
    const bot = await createMachineUser(api.service, "Bot");
    const ping = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "ping" });
    const settings = async () => (await api.call("GET", "/api/settings")).body;
    const before = await settings();
    const bad = fc.constantFrom(...Object.entries(INVALID)).chain(([name, values]) => {
      return fc.constantFrom(...values).map((value) => ({ [name]: value }));
    });
    const bodies = fc.sample(
      fc.tuple(fc.subarray(Object.entries(VALID)), bad).map(([good, wrong]) => {
        return { ...Object.fromEntries(good), ...wrong };
      }),
      ROUNDS,
    );
    const audited = await api.auditOf(async () => {
      for (const body of bodies) {
        const [answer, call] = await Promise.all([
          api.call("PATCH", "/api/settings", body),
          api.service.mcp(bot.credential, ping),
        ]);
        assert.equal(answer.status, 400, JSON.stringify(body));
        assert.equal(call.status, 200, call.text);
      }
    });
    assert.deepEqual(audited, []);
    assert.deepEqual(await settings(), before);
    const changed = await api.call("PATCH", "/api/settings", VALID);
    assert.equal(changed.status, 200, changed.text);
    assert.deepEqual((await settings()).data, { ...before.data, ...VALID });
  });
});
