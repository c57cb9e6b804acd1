import assert from "node:assert/strict";
import { before, it } from "node:test";
import { createGroup, createSyncedServer } from "#test/factories";
import { startRawUpstream } from "#test/upstreams/raw";
import { withService } from "../../test/with-service.ts";

withService("gatehouse access", (world) => {
  const { shell } = world;
  before(async () => {
    await shell.run(["users", "create", "Ada", "--email", "ada@example.com"]);
  });

  it("lists the tools that a user can call", async () => {
    const none = await shell.run(["access", "ada@example.com"]);
    assert.deepEqual([none.code, none.stdout], [0, ""]);
    assert.match(none.stderr, /^ada@example\.com can call no tools\. To find out why, pass a tool: gatehouse access /);
    assert.equal((await shell.run(["access", "nobody@example.com"])).code, 4);
  });

  it("estimates how many tokens the tools take", async () => {
    const upstream = await startRawUpstream();
    const slug = await createSyncedServer(world.service, "Echo", upstream.url);
    await createGroup(world.service, "All", { slugs: [slug], emails: ["ada@example.com"] });
    const { code, stdout, stderr } = await shell.run(["access", "ada@example.com"]);
    assert.deepEqual([code, stdout.split("\n").length], [0, 4]);
    assert.match(stderr, /^2 tools take about \d+ tokens of a model's context\. Largest: echo \d+\.\n$/);
    assert.equal((await shell.run(["access", "ada@example.com", "-o", "json"])).stderr, "");
    await upstream.close();
  });

  it("explains step by step why a user cannot call a tool, and how to fix it", async () => {
    const { code, stdout, stderr } = await shell.run(["access", "ada@example.com", "nowhere__tool"]);
    assert.equal(code, 0);
    assert.match(stdout, /^CHECK +PASSED +RESULT\nuser +yes +ada@example.com is a user\n/);
    assert.match(stdout, /\nserver +no +No server has this slug\n/);
    assert.match(stderr, /^No server has this slug\. Check /);
    const json = await shell.run(["access", "ada@example.com", "nowhere__tool", "-o", "json"]);
    assert.equal(JSON.parse(json.stdout).reason, "unknown_server");
  });

  it("rejects a third argument", async () => {
    assert.equal((await shell.run(["access", "ada@example.com", "a__b", "c"])).code, 64);
  });
});
