import assert from "node:assert/strict";
import { it } from "node:test";
import { withService } from "../../test/with-service.ts";

withService("gatehouse settings, audit and connectors", ({ shell }) => {
  it("shows, changes, and resets settings", async () => {
    const changed = await shell.run(["settings", "update", "--call-log-retention-days", "30", "-o", "json"]);
    assert.equal(JSON.parse(changed.stdout).call_log_retention_days, 30);
    await shell.run(["settings", "update", "--call-log-retention-days", "default"]);
    const now = JSON.parse((await shell.run(["settings", "get", "-o", "json"])).stdout);
    assert.equal(now.call_log_retention_days, 90);
  });

  it("changes limits and payload capture", async () => {
    const args = ["--server-queue-seconds", "7", "--user-calls-per-minute", "60", "--payload-capture", "redacted"];
    const changed = JSON.parse((await shell.run(["settings", "update", ...args, "-o", "json"])).stdout);
    const { server_queue_seconds, user_calls_per_minute, payload_capture } = changed;
    assert.deepEqual([server_queue_seconds, user_calls_per_minute, payload_capture], [7, 60, "redacted"]);
    await shell.run(["settings", "update", "--payload-capture", "default"]);
    const now = JSON.parse((await shell.run(["settings", "get", "-o", "json"])).stdout);
    assert.deepEqual([now.payload_capture, now.server_queue_seconds], ["metadata", 7]);
    assert.equal((await shell.run(["settings", "update", "--payload-capture", "all"])).code, 64);
  });

  it("rejects an invalid number, and an update without options", async () => {
    assert.equal((await shell.run(["settings", "update", "--audit-retention-days", "1.5"])).code, 64);
    assert.equal((await shell.run(["settings", "update"])).code, 64);
  });

  it("shows the audit log, newest entry last", async () => {
    await shell.run(["groups", "create", "Older"]);
    await shell.run(["groups", "create", "Newer"]);
    const entries = JSON.parse((await shell.run(["audit", "--kind", "group", "--from", "1h", "-o", "json"])).stdout);
    const changes = entries.map((entry: { operation: string; target: { name: string } }) => [
      entry.operation,
      entry.target.name,
    ]);
    assert.deepEqual(changes, [
      ["createGroup", "Older"],
      ["createGroup", "Newer"],
    ]);
    const table = await shell.run(["audit", "--target", "Newer"]);
    assert.match(table.stdout, /^TIME .* TARGET\n.* createGroup +group +Newer\n$/);
  });

  it("creates a server from a connector, and lists it in the connector's usage", async () => {
    const found = JSON.parse((await shell.run(["connectors", "list", "--search", "linear", "-o", "json"])).stdout);
    assert.ok(found.some((connector: { id: string }) => connector.id === "linear"));
    const made = await shell.run(["servers", "create", "Issues", "--connector", "linear", "--status", "draft"]);
    assert.deepEqual([made.code, made.stdout], [0, "slug  issues\n"]);
    const used = await shell.run(["connectors", "usage", "linear"]);
    assert.match(used.stdout, /\nissues +Issues +draft +yes\n$/);
    assert.equal((await shell.run(["servers", "create", "X", "--connector", "no-such"])).code, 1);
  });
});
