import assert from "node:assert/strict";
import { it } from "node:test";
import { forEachApi } from "#test/api";
import { manyItems, remoteServer, reported } from "#test/discovery-report";

const REPORTS = "/api/ai-discovery/reports";
const HOSTILE = '<img src=x onerror="alert(1)">';

/** Envelopes that are refused. */
const REFUSED: readonly (readonly [string, object])[] = [
  ["schema_version: must be 1", { schema_version: 2 }],
  ["device: device is required", { device: undefined }],
  ["device: must be an object", { device: [] }],
  ["device.id: device.id is required", { device: { os: "linux" } }],
  [
    "device.id: must contain only letters, digits, dots, colons, hyphens and underscores",
    { device: { id: "../../etc", os: "linux" } },
  ],
  ["device.os: must be one of darwin, linux, win32", { device: { id: "a", os: "beos" } }],
  ["scanned_at: must be an ISO 8601 timestamp", { scanned_at: "yesterday" }],
  ["mcp_servers: must be an array", { mcp_servers: { length: 3 } }],
  ["mcp_servers: must contain at most 10000 entries", { mcp_servers: Array.from({ length: 10_001 }, () => 0) }],
  ["user.email: must be a valid email", { user: { email: HOSTILE } }],
  ["enforcement.0.result: must be one of quarantined, restored, failed", { enforcement: [{ result: "deleted" }] }],
];

/** Entries that are rejected while others of the same report are accepted. */
const REJECTED: readonly (readonly [string, unknown])[] = [
  ["mcp_servers.0: must be an object", null],
  ["mcp_servers.0: must be an object", JSON.parse(`${"[".repeat(3_000)}${"]".repeat(3_000)}`)],
  ["mcp_servers.0.name: must be a string", remoteServer("x", "https://x.example.com", { name: {} })],
  ["mcp_servers.0.name: must be at most 256 characters", remoteServer("x".repeat(257), "https://x.example.com")],
  ["mcp_servers.0.transport: must be one of stdio, http, sse", remoteServer("x", "y", { transport: "carrier" })],
  ["mcp_servers.0.args: must contain at most 256 entries", remoteServer("x", "y", { args: Array(257).fill("a") })],
  ["mcp_servers.0.url: url is required", remoteServer("x", "")],
];

forEachApi("hostile reports", (api) => {
  const send = async (device: string, rest: object) => {
    const { status, text, body } = await api.call("POST", REPORTS, { ...reported(device), ...rest });
    assert.equal(status, 200, text);
    return body.data;
  };
  const serversOf = async (device: string) =>
    (await api.call("GET", `/api/ai-discovery/mcp-servers?device_id=${device}`)).body.data;

  it("refuses wrong envelopes with the faulty field", async () => {
    for (const [message, rest] of REFUSED) {
      await api.invalid(message, "POST", REPORTS, { ...reported("refused"), ...rest });
    }
    assert.equal((await api.call("GET", "/api/ai-discovery/devices/refused")).status, 404);
  });

  for (const size of ["short", "long"]) {
    it(`rejects wrong entries of a ${size} report and accepts the others`, async () => {
      const { skills, agents } = size === "long" ? manyItems(1) : { skills: [], agents: [] };
      for (const [message, entry] of REJECTED) {
        const good = remoteServer("good", "https://good.example.com/mcp");
        const { rejected, accepted } = await send(`rejected-${size}`, { mcp_servers: [entry, good], skills, agents });
        const [{ path, reason }] = rejected;
        assert.deepEqual([`${path}: ${reason}`, accepted.mcp_servers], [message, 1]);
      }
    });
  }

  it("returns markup and paths of entries as text", async () => {
    const name = `${HOSTILE}=cmd()`;
    await send("markup", { mcp_servers: [remoteServer(name, "https://m.example.com", { config_path: "../../x" })] });
    const [found] = await serversOf("markup");
    assert.equal(found.name, name);
  });

  it("changes nothing of another device, also with its items", async () => {
    const mcp_servers = [remoteServer("theirs", "https://theirs.example.com/mcp")];
    await send("victim", { mcp_servers });
    const [{ fingerprint }] = await serversOf("victim");
    const violation = async () => (await api.call("GET", "/api/ai-discovery/violations?device_id=victim")).body.data[0];
    const before = await violation();
    assert.equal(before.enforcement, null);
    await send("attacker", { enforcement: [{ fingerprint, result: "quarantined" }] });
    assert.deepEqual(await violation(), before);
    assert.equal((await serversOf("victim")).length, 1);
  });

  it("shows what a device enforced, failed at, and restored", async () => {
    const mcp_servers = [remoteServer("enforced", "https://enforced.example.com/mcp")];
    await send("enforcing", { mcp_servers });
    const [{ fingerprint }] = await serversOf("enforcing");
    const shown: string[] = [];
    for (const [result, reason] of [["failed", "file changed"], ["quarantined"], ["restored"]]) {
      await send("enforcing", { mcp_servers, enforcement: [{ fingerprint, client: "cursor", result, reason }] });
      const path = "/api/ai-discovery/violations?device_id=enforcing";
      shown.push((await api.call("GET", path)).body.data[0].enforcement);
    }
    assert.deepEqual(shown, ["failed: file changed", "quarantined", "restored"]);
  });

  it("applies a replayed report once, and reports after one from the future", async () => {
    const first = { report_id: "replayed", mcp_servers: [remoteServer("once", "https://once.example.com/mcp")] };
    assert.equal((await send("replay", first)).applied, true);
    assert.equal((await send("replay", { ...first, mcp_servers: [] })).applied, false);
    assert.equal((await serversOf("replay")).length, 1);
    await send("skewed", { scanned_at: "2999-01-01T00:00:00Z" });
    const { data } = (await api.call("GET", "/api/ai-discovery/devices/skewed")).body;
    assert.ok(Date.parse(data.last_seen) < Date.parse("2900-01-01"));
  });
});
