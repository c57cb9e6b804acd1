import assert from "node:assert/strict";
import { it } from "node:test";
import { createServer } from "#test/factories";
import { withService } from "../../test/with-service.ts";

withService("gatehouse guards", (world) => {
  const run = async (...args: string[]) => {
    const { code, stdout, stderr } = await world.shell.run(["guards", ...args]);
    assert.equal(code, 0, stderr);
    return { stdout, stderr };
  };

  it("enables built-in guards and tests text with them", async () => {
    assert.match((await run("list")).stdout, /secrets +Secrets and API keys +runtime +no +block +7 +1 +0 +yes/);
    assert.equal((await run("list", "--enabled")).stderr, "No guards. Create one: gatehouse guards create <name>\n");
    const phone = "Call +1 202 555 0143";
    assert.match(
      (await run("test", phone, "--guard", "phone-numbers")).stdout,
      /phone-numbers +redact +\d+\/7 +\d +Phone/,
    );
    assert.equal((await run("test", phone)).stderr, "No enabled guard applies.\n");
    assert.equal((await run("enable", "phone-numbers")).stderr, "Enabled guard `phone-numbers` (redact).\n");
    assert.match((await run("test", phone)).stderr, /^After redaction: Call \[REDACTED-PHONE\]$/m);
    assert.equal((await run("test", "hello")).stderr, "Passed.\n");
    assert.match((await run("test", JSON.stringify({ to: phone }))).stdout, /phone-numbers/);
    assert.equal((await run("disable", "phone-numbers")).stderr, "Disabled guard `phone-numbers`.\n");
    const kept = await world.shell.run(["guards", "delete", "phone-numbers", "--yes"]);
    assert.deepEqual([kept.code, kept.stderr], [1, "gatehouse: Built-in guards cannot be deleted\n"]);
  });

  it("creates, changes and deletes a guard", async () => {
    await createServer(world.service, "Desk");
    const checks = ["--regex", "ACME-[0-9]{6}", "--regex", "X[0-9]+", "--word", "falcon"];
    const made = await run("create", "Tickets", "--action", "redact", ...checks, "--server", "desk");
    assert.match(made.stderr, /Created guard `tickets`\. Enable it: gatehouse guards enable tickets\./);
    await run("update", "tickets", "--tool", "desk__*", "--threshold", "5", "--on-error", "allow");
    const guard = JSON.parse((await run("get", "tickets", "-o", "json")).stdout);
    assert.deepEqual(
      [guard.threshold, guard.on_error, guard.scope.servers, guard.scope.tools, guard.checks.length],
      [5, "allow", ["desk"], ["desk__*"], 3],
    );
    await run("update", "tickets", "--no-scope");
    assert.deepEqual(JSON.parse((await run("get", "tickets", "-o", "json")).stdout).scope.servers, []);
    await run("delete", "tickets", "--yes");
    assert.equal((await world.shell.run(["guards", "get", "tickets"])).code, 4);
  });

  it("shows what a guard would have done with logged calls", async () => {
    const { stdout } = await run("dry-run", "payment-cards", "--from", "1h", "-o", "json");
    const { calls_examined, block, by_tool } = JSON.parse(stdout);
    assert.deepEqual([calls_examined, block, by_tool], [0, 0, []]);
    assert.equal((await world.shell.run(["guards", "dry-run", "payment-cards", "--from", "yesterday"])).code, 64);
  });

  it("rejects wrong usage", async () => {
    for (const args of [
      ["create", "x", "--regex", "x"],
      ["create", "x", "--action", "block"],
      ["update", "x"],
      ["update", "x", "--no-scope", "--server", "y"],
      ["create", "x", "--action", "block", "--json", '{"checks":[{"config":{"headers":{"a":"b"}}}]}'],
    ]) {
      assert.equal((await world.shell.run(["guards", ...args])).code, 64, args.join(" "));
    }
  });
});
