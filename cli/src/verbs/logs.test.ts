import assert from "node:assert/strict";
import { before, it } from "node:test";
import { createMachineUser, type MachineUser } from "#test/factories";
import { withService } from "../../test/with-service.ts";

withService("gatehouse logs", (world) => {
  const { shell } = world;
  let bot: MachineUser;
  const call = (tool: string) => {
    const params = { name: tool, arguments: {} };
    return world.service.mcp(bot.credential, { jsonrpc: "2.0", id: 1, method: "tools/call", params });
  };
  before(async () => {
    bot = await createMachineUser(world.service, "Bot");
    for (let i = 0; i < 3; i++) await call(`none__t${i}`);
    await world.service.mcp(bot.credential, { jsonrpc: "2.0", id: 1, method: "tools/list", params: {} });
  });
  const tools = async (...args: string[]) => {
    const { code, stdout, stderr } = await shell.run(["logs", "-o", "json", ...args]);
    assert.equal(code, 0, stderr);
    return JSON.parse(stdout).map((entry: { tool: string | null }) => entry.tool);
  };

  it("shows the newest call last, with filters and a limit", async () => {
    assert.deepEqual(await tools(), ["none__t0", "none__t1", "none__t2", null]);
    assert.deepEqual(await tools("--limit", "2"), ["none__t2", null]);
    assert.deepEqual(await tools("--outcome", "denied", "--user", "BOT@machine.example.com"), [
      "none__t0",
      "none__t1",
      "none__t2",
    ]);
    assert.deepEqual(await tools("--method", "tools/list", "--from", "1h"), [null]);
    assert.deepEqual(await tools("--kind", "lists"), [null]);
    assert.deepEqual(await tools("--kind", "calls", "--limit", "1"), ["none__t2"]);
    assert.deepEqual(await tools("--to", "1h"), []);
    const { stdout } = await shell.run(["logs", "--tool", "none__t1"]);
    assert.match(stdout, /^TIME .*ERROR\n\d{4}-\S+Z +bot@\S+ +tools\/call +- +none__t1 +denied +[\d.]+ +Unknown tool/);
  });

  it("rejects an invalid filter and suggests a valid one", async () => {
    const { code, stderr } = await shell.run(["logs", "--outcome", "denid"]);
    assert.equal(code, 64);
    assert.match(stderr, /^gatehouse: --outcome must be one of ok, .*\. Did you mean denied\?\n/);
    for (const args of [
      ["--from", "yesterday"],
      ["--limit", "0"],
      ["--limit", "x"],
      ["--follow", "--to", "1h"],
    ]) {
      assert.equal((await shell.run(["logs", ...args])).code, 64, args.join(" "));
    }
  });

  it("counts calls by server, user, or time", async () => {
    const { data } = (await world.service.api("GET", "/api/logs/stats")).body;
    const whole = JSON.parse((await shell.run(["logs", "stats", "-o", "json"])).stdout);
    assert.deepEqual(whole.totals, data.totals);
    const { stdout, stderr } = await shell.run(["logs", "stats", "--by", "user", "--method", "tools/call"]);
    assert.match(stderr, /^3 calls, 3 failed, from /);
    assert.match(stdout, /^USER +CALLS +ERRORS +P50 MS +P95 MS +P99 MS\nbot@\S+ +3 +3 /);
    assert.match((await shell.run(["logs", "stats", "--by", "time"])).stdout, /^TIME /);
    assert.equal((await shell.run(["logs", "stats", "--from", "yesterday"])).code, 64);
  });

  it("exports exactly what the API sends", async () => {
    for (const format of ["ndjson", "csv"]) {
      const args = ["logs", "export", "--method", "tools/call", "--format", format];
      const { code, stdout, stderr } = await shell.run(args);
      const { text } = await world.service.api("GET", `/api/logs/export?method=tools/call&format=${format}`);
      assert.deepEqual([code, stdout, stderr], [0, text, ""]);
    }
    assert.equal((await shell.run(["logs", "export", "--user", "no@body.com"])).stdout, "");
    assert.equal((await shell.run(["logs", "exports"])).code, 64);
    assert.match((await shell.run(["logs", "--help"])).stdout, /--follow[\s\S]*Verbs:\n {2}stats [\s\S]*\n {2}export /);
  });

  it("--follow shows each new call once, and prints nothing when interrupted", async () => {
    const { child, output, ended, shows } = shell.start(["logs", "--follow", "-o", "json", "--limit", "1"]);
    await shows('"method":"tools/list"');
    for (let i = 0; i < 3; i++) await call(`none__new${i}`);
    await shows("none__new2");
    await call("none__last");
    await shows("none__last");
    child.kill("SIGINT");
    const { signal, stderr } = await ended;
    assert.deepEqual([signal, stderr], ["SIGINT", ""]);
    const shown = output.stdout.trimEnd().split("\n");
    assert.deepEqual(
      shown.map((line) => JSON.parse(line).tool),
      [null, "none__new0", "none__new1", "none__new2", "none__last"],
    );
  });
});
