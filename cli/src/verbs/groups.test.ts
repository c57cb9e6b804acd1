import assert from "node:assert/strict";
import { it } from "node:test";
import { createGroup, createPerson, createServer, createSyncedServer } from "#test/factories";
import { startRawUpstream } from "#test/upstreams/raw";
import { withService } from "../../test/with-service.ts";

withService("gatehouse groups", (world) => {
  const { shell } = world;
  const groups = async () => (await world.service.api("GET", "/api/groups?limit=200")).body.data;
  const quiet = async (args: string[]) => {
    const { code, stdout, stderr } = await shell.run(["groups", ...args]);
    assert.equal(code, 0, stderr);
    return stdout;
  };

  it("creates and updates a group; --no- turns a setting off", async () => {
    await quiet(["create", "Engineering", "--auto-assign-users", "--show-drafts"]);
    await quiet(["update", "engineering", "--name", "Builders", "--no-auto-assign-users", "--auto-assign-servers"]);
    const [{ name, settings }] = await groups();
    assert.equal(name, "Builders");
    assert.deepEqual(settings, { auto_assign_users: false, auto_assign_mcps: true, show_draft_mcps: true });
  });

  it("sets and removes the limits of a group", async () => {
    await quiet(["create", "Limited", "--calls-per-minute", "60"]);
    await quiet(["update", "limited", "--concurrent-calls", "2"]);
    const limits = async () => JSON.parse(await quiet(["get", "Limited", "-o", "json"])).limits;
    assert.deepEqual(await limits(), { calls_per_minute: 60, concurrent_calls: 2 });
    await quiet(["update", "limited", "--calls-per-minute", "none"]);
    assert.deepEqual(await limits(), { calls_per_minute: null, concurrent_calls: 2 });
    const wrong = await shell.run(["groups", "update", "Limited", "--calls-per-minute", "many"]);
    assert.deepEqual([wrong.code, wrong.stderr.includes('--calls-per-minute must be a number or "none".')], [64, true]);
    await quiet(["delete", "Limited", "--yes"]);
  });

  it("adds and removes servers and users, also in a group with special characters in its name", async () => {
    await createGroup(world.service, "R&D / 本");
    await createServer(world.service, "Echo");
    await createServer(world.service, "Wiki");
    await createPerson(world.service, "Ada", "ada@example.com");
    assert.equal(await quiet(["add-servers", "R&D / 本", "echo", "wiki"]), "");
    assert.equal(await quiet(["add-users", "R&D / 本", "ada@example.com"]), "");
    const counts = async () => {
      const group = (await groups()).find((each: { name: string }) => each.name === "R&D / 本");
      return [group.integrations_count, group.users_count];
    };
    assert.deepEqual(await counts(), [2, 1]);
    await quiet(["remove-server", "R&D / 本", "echo"]);
    await quiet(["remove-user", "R&D / 本", "ada@example.com"]);
    assert.deepEqual(await counts(), [1, 0]);
    const unknown = await shell.run(["groups", "add-servers", "Builders", "nope"]);
    assert.deepEqual([unknown.code, unknown.stderr], [1, "gatehouse: Servers not found: nope\n"]);
  });

  it("selects the tools that a group grants, and lists the selection", async () => {
    const upstream = await startRawUpstream();
    try {
      await createSyncedServer(world.service, "Tools", upstream.url);
      await createGroup(world.service, "Readers", { slugs: ["tools"] });
      await quiet(["select-tools", "readers", "tools", "--tool", "echo"]);
      const table = await quiet(["servers", "Readers"]);
      assert.equal(table, "SERVER  TOOLS   NEW TOOLS  HELD\ntools   1 of 2  hold       -\n");
      await quiet(["select-tools", "Readers", "tools", "--new", "include"]);
      const [included] = JSON.parse(await quiet(["servers", "Readers", "-o", "json"]));
      assert.deepEqual([included.tools, included.new_tools], [["echo"], "include"]);
      await quiet(["select-tools", "Readers", "tools", "--all"]);
      const [all] = JSON.parse(await quiet(["servers", "Readers", "-o", "json"]));
      assert.deepEqual([all.tools, all.new_tools], [null, "include"]);
      const unknown = await shell.run(["groups", "select-tools", "Readers", "tools", "--tool", "nope"]);
      assert.deepEqual([unknown.code, unknown.stderr], [1, "gatehouse: Tools not found: nope\n"]);
      assert.equal((await shell.run(["groups", "select-tools", "Readers", "tools"])).code, 64);
      assert.equal((await shell.run(["groups", "select-tools", "Readers", "tools", "--all", "--tool", "x"])).code, 64);
      await world.service.api("DELETE", "/api/groups?name=Readers");
    } finally {
      await upstream.close();
    }
  });

  it("shows one group, and ignores the case of its name", async () => {
    const found = JSON.parse(await quiet(["get", "r&d / 本", "-o", "json"]));
    assert.deepEqual([found.name, found.integrations_count], ["R&D / 本", 1]);
    const unknown = await shell.run(["groups", "get", "nope"]);
    assert.deepEqual([unknown.code, unknown.stderr], [4, "gatehouse: Group not found\n"]);
  });

  it("aligns wide characters, and lists all pages or up to --limit", async () => {
    const { stdout } = await shell.run(["groups", "list"]);
    const [head = "", , wide = ""] = stdout.split("\n");
    assert.equal(head, "NAME      SERVERS  MEMBERS  AUTO USERS  AUTO SERVERS  DRAFTS");
    assert.equal(wide, "R&D / 本  1        0        no          no            no");
    for (let i = 0; i < 203; i++) await createGroup(world.service, `Group ${i}`);
    const listed = async (...args: string[]) => JSON.parse(await quiet(["list", "-o", "json", ...args]));
    const all = await listed();
    assert.equal(new Set(all.map((group: { id: string }) => group.id)).size, 205);
    assert.deepEqual(await listed("--limit", "201"), all.slice(0, 201));
    assert.deepEqual(await listed("--limit", "1"), all.slice(0, 1));
  });

  it("deletes a group, and ignores the case of its name", async () => {
    await quiet(["delete", "BUILDERS", "--yes"]);
    assert.equal((await shell.run(["groups", "delete", "Builders", "--yes"])).code, 4);
  });
});
