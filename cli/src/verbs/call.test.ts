import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { createGroup, createMachineUser, createSyncedServer, type MachineUser } from "#test/factories";
import { type EchoUpstream, startEchoUpstream } from "#test/upstreams/echo";
import { type RawUpstream, startRawUpstream } from "#test/upstreams/raw";
import { withService } from "../../test/with-service.ts";

withService("at the gateway", (world) => {
  const { shell } = world;
  let raw: RawUpstream;
  let real: EchoUpstream;
  let bot: MachineUser;
  before(async () => {
    raw = await startRawUpstream();
    real = await startEchoUpstream();
    bot = await createMachineUser(world.service, "Bot");
    await createSyncedServer(world.service, "Raw", raw.url);
    await createSyncedServer(world.service, "Real", real.url);
    await createGroup(world.service, "Bots", { slugs: ["raw", "real"], emails: [bot.email] });
  });
  after(async () => {
    await raw?.close();
    await real?.close();
  });
  const run = (args: string[], input = "") =>
    shell.run(args, { input, environment: { GATEHOUSE_TOKEN: "", GATEHOUSE_ACCESS_KEY: bot.credential } });
  const called = async (args: string[], input = "") => {
    const { code, stdout, stderr } = await run(["call", "raw__echo", "-o", "json", ...args], input);
    assert.equal(code, 0, stderr);
    return stdout;
  };

  describe("gatehouse tools", () => {
    it("lists the tools of the caller's groups, and shows one", async () => {
      const { code, stdout } = await run(["tools", "list"]);
      assert.equal(code, 0);
      assert.match(stdout, /^TOOL +DESCRIPTION\nraw__echo .*\nraw__headers .*\nreal__/);
      assert.equal(JSON.parse((await run(["tools", "list", "--limit", "1", "-o", "json"])).stdout).length, 1);
      assert.match((await run(["tools", "get", "raw__echo"])).stdout, /^name +raw__echo\n/);
      const none = await run(["tools", "get", "raw__nope"]);
      assert.deepEqual(
        [none.code, none.stderr],
        [4, 'gatehouse: Tool not found: raw__nope. Run "gatehouse tools list" to see all tools.\n'],
      );
    });
  });

  describe("gatehouse call", () => {
    it("accepts arguments as text, as JSON, as an object, from a file, and from standard input", async () => {
      const { structuredContent } = JSON.parse(await called(["--arg", "text=a=b", "--arg", "n:=[1,true]"]));
      assert.deepEqual(structuredContent, { text: "a=b", n: [1, true] });
      writeFileSync(join(shell.folder, "args.json"), '{"from": "file"}');
      assert.deepEqual(JSON.parse(await called(["--json", '{"from": "here"}'])).structuredContent, { from: "here" });
      assert.deepEqual(JSON.parse(await called(["--json", "@args.json"])).structuredContent, { from: "file" });
      assert.deepEqual(JSON.parse(await called(["--json", "-"], '{"from":"in"}')).structuredContent, { from: "in" });
      assert.deepEqual(JSON.parse(await called([])).structuredContent, {});
    });

    it("keeps numbers that a double cannot hold, in arguments and results", async () => {
      assert.ok((await called(["--arg", "id:=9223372036854775807"])).includes('"id": 9223372036854775807'));
      assert.ok((await called(["--json", '{"x":1.10}'])).includes('"x": 1.10'));
    });

    it("prints text to stdout and progress to stderr", async () => {
      const { code, stdout, stderr } = await run(["call", "real__progress"]);
      assert.equal(code, 0, stderr);
      assert.match(stderr, /^1\/\d+.*\n2\/\d+.*\n/);
      assert.ok(stdout.length > 1 && !stdout.includes('"content"'), stdout);
    });

    it("exits with 1 and prints the error if the tool reports one", async () => {
      const failed = await run(["call", "real__fail"]);
      assert.deepEqual([failed.code, failed.stdout], [1, ""]);
      assert.ok(failed.stderr.length > 1);
      const json = await run(["call", "real__fail", "-o", "json"]);
      assert.deepEqual([json.code, JSON.parse(json.stdout).isError], [1, true]);
      const unknown = await run(["call", "raw__nope"]);
      assert.deepEqual([unknown.code, unknown.stderr], [1, "gatehouse: Unknown tool: raw__nope\n"]);
    });

    it("prints nothing when interrupted, and cancels the call at the upstream", async () => {
      raw.behave = () => "hang";
      raw.seen.length = 0;
      const environment = { GATEHOUSE_ACCESS_KEY: bot.credential };
      const { child, ended } = shell.start(["call", "raw__echo"], environment);
      while (raw.seen.length === 0) await new Promise((resolve) => setTimeout(resolve, 10));
      child.kill("SIGINT");
      const { signal, stdout, stderr } = await ended;
      assert.deepEqual([signal, stdout, stderr], ["SIGINT", "", ""]);
      while (!raw.seen[0]?.aborted) await new Promise((resolve) => setTimeout(resolve, 10));
      raw.behave = () => "json";
    });

    it("stops waiting after --timeout", async () => {
      raw.behave = () => "hang";
      const { code, stderr } = await run(["call", "raw__echo", "--timeout", "1"]);
      raw.behave = () => "json";
      assert.equal(code, 5);
      assert.ok(stderr.startsWith(`gatehouse: Cannot reach ${world.service.url}/mcp: timed out. Check `), stderr);
    });

    it("rejects invalid arguments before it sends a request", async () => {
      const before = raw.count("tools/call");
      for (const args of [
        ["--arg", "text"],
        ["--arg", "=x"],
        ["--arg", "n:=nope"],
        ["--arg", "a=1", "--arg", "a=2"],
        ["--arg", "a=1", "--json", "{}"],
        ["--json", "[1]"],
        ["--json", "@nowhere.json"],
        ["--json", "-"],
        ["second"],
      ]) {
        const { code, stdout } = await run(["call", "raw__echo", ...args]);
        assert.deepEqual([code, stdout], [64, ""], args.join(" "));
      }
      assert.equal(raw.count("tools/call"), before);
    });
  });

  it("exits with 3 for a missing or wrong key and with 64 for a malformed key, and never prints a key", async () => {
    for (const [key, wanted] of [
      ["", 3],
      ["gh_mk_wrong:wrong", 3],
      ["half-a-key", 64],
      ["two words:x", 64],
    ] as const) {
      const ended = await shell.run(["tools", "list"], { environment: { GATEHOUSE_ACCESS_KEY: key } });
      assert.deepEqual([ended.code, ended.stdout], [wanted, ""], key);
      if (key !== "") assert.ok(!ended.stderr.includes(key), ended.stderr);
    }
  });
});
