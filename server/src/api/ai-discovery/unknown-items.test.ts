import assert from "node:assert/strict";
import { it } from "node:test";
import { forEachApi } from "#test/api";
import { localServer, reported, skill } from "#test/discovery-report";

const HOUR_MS = 3_600_000;

forEachApi(
  "reports that are incomplete or late",
  (api) => {
    const send = async (body: object) => {
      const answer = await api.call("POST", "/api/ai-discovery/reports", body);
      assert.equal(answer.status, 200, answer.text);
      return answer.body.data;
    };
    const namesOn = async (device: string) =>
      (await api.call("GET", `/api/ai-discovery/mcp-servers?device_id=${device}`)).body.data
        .map(({ name }: { name: string }) => name)
        .sort();
    const deviceOf = async (id: string) => (await api.call("GET", `/api/ai-discovery/devices/${id}`)).body.data;
    const at = (offset: number) => new Date(api.clock.now() + offset).toISOString();
    const report = (device: string, names: readonly string[], rest: Record<string, unknown> = {}) =>
      reported(device, { scanned_at: at(0), mcp_servers: names.map((name) => localServer(name, [name])), ...rest });

    it("keeps what was found where an entry is rejected, and shows it on the device", async () => {
      const other = localServer("other", ["other"], { config_path: "~/.other.json" });
      const text = skill("text", { path: "/Users/ada/.claude/skills/text" });
      await send(report("rejected", [], { mcp_servers: [localServer("one", ["one"]), other], skills: [text] }));
      api.clock.advance(1_000);
      const data = await send(
        report("rejected", [], {
          mcp_servers: [{ ...localServer("one", ["one"]), args: "broken" }],
          skills: [{ ...text, digest: "broken" }],
        }),
      );
      assert.deepEqual([data.removed, data.rejected.length], [1, 2]);
      assert.deepEqual(await namesOn("rejected"), ["one"]);
      assert.deepEqual((await deviceOf("rejected")).counts.skills, 1);
      assert.deepEqual((await deviceOf("rejected")).scan_errors, [
        { path: "~/.claude.json", code: "rejected" },
        { path: "~/.claude/skills/text", code: "rejected" },
      ]);
      api.clock.advance(1_000);
      assert.equal((await send(report("rejected", []))).removed, 2);
    });

    it("removes nothing if it does not know where a rejected entry is, or if there are too many", async () => {
      await send(report("partial", ["one"]));
      api.clock.advance(1_000);
      assert.equal((await send(report("partial", [], { mcp_servers: [7] }))).removed, 0);
      api.clock.advance(1_000);
      const many = Array.from({ length: 5_001 }, (_each, n) => skill(`s${n}`, { path: `~/skills/${n}` }));
      const surplus = await send(report("partial", [], { skills: many }));
      assert.deepEqual([surplus.removed, surplus.rejected.length], [0, 1]);
      assert.deepEqual((await deviceOf("partial")).scan_errors, [{ path: "~", code: "too_many_entries" }]);
      assert.deepEqual(await namesOn("partial"), ["one"]);
    });

    it("applies live reports of a device whose clock was set back, and no late ones", async () => {
      await send(report("clock", ["one"], { age_seconds: 0 }));
      api.clock.advance(HOUR_MS);
      const back = { scanned_at: at(-24 * HOUR_MS), age_seconds: 0 };
      const live = await send(report("clock", ["one", "two"], back));
      assert.deepEqual([live.applied, await namesOn("clock")], [true, ["one", "two"]]);
      api.clock.advance(1_000);
      const late = await send(report("clock", ["three"], { scanned_at: at(HOUR_MS), age_seconds: 60 }));
      assert.deepEqual([late.applied, await namesOn("clock")], [false, ["one", "two"]]);
      api.clock.advance(120_000);
      const newer = await send(report("clock", ["three"], { scanned_at: at(-48 * HOUR_MS), age_seconds: 60 }));
      assert.deepEqual([newer.applied, await namesOn("clock")], [true, ["three"]]);
      assert.equal((await send(report("clock", ["three"], { ...back, scanned_at: at(0) }))).applied, true);
      assert.equal((await deviceOf("clock")).last_seen, at(0), "unchanged reports count as well");
    });

    it("sees the device with a late report of an older agent, but not its items", async () => {
      await send(report("late", ["one"]));
      const seen = at(0);
      api.clock.advance(HOUR_MS);
      const late = report("late", ["two"], { scanned_at: at(-24 * HOUR_MS) });
      assert.equal((await send(late)).applied, false);
      const { last_seen, instances } = await deviceOf("late");
      assert.equal(last_seen, at(0));
      assert.deepEqual(
        instances.map((each: { name: string; last_seen: string }) => [each.name, each.last_seen]),
        [["one", seen]],
      );
      api.clock.advance(1_000);
      await send(report("late", ["one"]));
      assert.equal((await deviceOf("late")).instances[0].last_seen, at(0));
    });

    it("accepts a thousand users of a device, and a valid age only", async () => {
      const users = Array.from({ length: 1_000 }, (_each, n) => `user-${n}`);
      const device = { id: "shared", hostname: "shared", os: "linux" };
      assert.equal((await send(report("shared", ["one"], { device: { ...device, users } }))).applied, true);
      for (const [message, rest] of [
        ["device.users: must contain at most 1000 entries", { device: { ...device, users: [...users, "x"] } }],
        ["age_seconds: must be an integer of at least 0", { age_seconds: -1 }],
        ["age_seconds: must be an integer", { age_seconds: "1" }],
      ] as const) {
        await api.invalid(message, "POST", "/api/ai-discovery/reports", report("x", [], rest));
      }
    });
  },
  { clock: "by-hand" },
);
