import assert from "node:assert/strict";
import { it } from "node:test";
import { deleteUnusedBlobs } from "#records/file-blobs";
import { forEachApi } from "#test/api";
import { TOOLS, usePlugins } from "#test/plugin-api";

const refused = (message: string) => ({ code: "INVALID_FORMAT", message });

forEachApi("plugins", (api) => {
  const { create, get, publish, download } = usePlugins(api);

  it("are created as drafts with defaults, changed, listed and deleted", async () => {
    const data = await create({ ...TOOLS, groups: ["Writers"] });
    const { id, created_at, updated_at, ...fields } = data;
    assert.match(id, /^plg_/);
    assert.deepEqual(fields, {
      ...{ slug: "team-tools", ...TOOLS, author: null, category: null, keywords: [], homepage: null, license: null },
      ...{ commands: [], agents: [], hooks: null, targets: ["claude", "cursor", "codex"], status: "draft" },
      mcp: { include_gateway: true, server_name: "gateway", toolkit: null, servers: [] },
      ...{ groups: ["Writers"], latest_version: null, releases_count: 0, has_unpublished_changes: true },
    });
    assert.equal((await create()).slug, "team-tools-2");
    assert.equal((await create({ name: "Marketplace" })).slug, "marketplace-2");
    const changes = { keywords: ["a", "a", "b"], mcp: { server_name: "acme" }, groups: [] };
    const changed = await api.call("PATCH", "/api/plugins?slug=team-tools", changes);
    assert.deepEqual(changed.body.data.keywords, ["a", "b"]);
    assert.deepEqual(changed.body.data.mcp, { ...fields.mcp, server_name: "acme" });
    const { body } = await api.call("GET", "/api/plugins?search=MARKET&includeTotal=true&fields=slug");
    assert.deepEqual([body.data, body.totalCount], [[{ slug: "marketplace-2" }], 1]);
    await api.expect(200, { message: "Plugin deleted successfully" }, "DELETE", "/api/plugins?slug=team-tools-2");
    await api.expect(404, { error: "Plugin not found" }, "GET", "/api/plugins/team-tools-2");
  });

  it("refuse wrong fields and unknown references, and store nothing", async () => {
    const agent = { name: "reviewer", description: "Reviews", content: "Review" };
    const cases: [object, object][] = [
      [{ name: "" }, refused("name: name is required")],
      [{ keywords: Array.from({ length: 11 }, String) }, refused("keywords: must contain at most 10 keywords")],
      [{ targets: ["vim"] }, refused("targets.0: must be one of claude, cursor, codex")],
      [
        { agents: [{ ...agent, name: "../x" }] },
        refused("agents.0.name: must contain only lowercase letters, numbers and hyphens"),
      ],
      [{ agents: [agent, agent] }, refused('agents.1.name: duplicate agent "reviewer"')],
      [{ hooks: { Stop: [] } }, refused("hooks: hooks are disabled for this organization")],
      [{ status: "active" }, refused("status: publish the plugin to make it active")],
      [{ mcp: { server_name: "a b" } }, refused("mcp.server_name: must contain only letters, digits, _ and -")],
      [{ skills: ["notes", "lost"] }, { error: "Skills not found: lost" }],
      [{ commands: ["lost"] }, { error: "Commands not found: lost" }],
      [{ mcp: { toolkit: "lost" } }, { error: "Toolkits not found: lost" }],
      [{ mcp: { servers: ["lost", "gone"] } }, { error: "MCP servers not found: lost, gone" }],
      [{ groups: ["Lost"] }, { error: "Groups not found: Lost" }],
    ];
    for (const [body, answer] of cases) await api.expect(400, answer, "POST", "/api/plugins", { ...TOOLS, ...body });
    assert.deepEqual((await api.call("GET", "/api/plugins")).body.data, []);
  });

  it("accept hooks while the organization allows them, with events that clients know", async () => {
    await api.call("PATCH", "/api/settings", { allow_plugin_hooks: true });
    const hooks = { Stop: [{ hooks: [{ type: "command", command: "echo done" }] }] };
    await create({ ...TOOLS, hooks });
    const unknown = await api.call("PATCH", "/api/plugins?slug=team-tools", { hooks: { Whenever: [] } });
    assert.deepEqual([unknown.status, unknown.body.code], [400, "INVALID_FORMAT"]);
    await api.call("PATCH", "/api/settings", { allow_plugin_hooks: false });
    const kept = await api.call("PATCH", "/api/plugins?slug=team-tools", { description: "Kept" });
    assert.deepEqual([kept.status, kept.body.data.hooks], [200, hooks]);
    const disabled = refused("hooks: hooks are disabled for this organization");
    await api.expect(400, disabled, "POST", "/api/plugins/team-tools/publish", {});
    await api.call("PATCH", "/api/settings", { allow_plugin_hooks: true });
    await publish();
  });

  it("are published into releases with increasing versions, and only if something changed", async () => {
    await create();
    const first = await publish();
    assert.deepEqual(Object.keys(first), ["version", "digest", "files_count", "published_at"]);
    assert.deepEqual(
      [first.version, (await get()).status, (await get()).has_unpublished_changes],
      ["1.0.0", "active", false],
    );
    const nothing = { code: "CONFLICT", message: "nothing to publish" };
    await api.expect(409, nothing, "POST", "/api/plugins/team-tools/publish", { bump: "major" });
    await api.call("PATCH", "/api/skills?slug=notes", { content: "# Changed" });
    assert.equal((await get()).has_unpublished_changes, true);
    await api.expect(400, refused("version: must be greater than 1.0.0"), "POST", "/api/plugins/team-tools/publish", {
      version: "1.0.0",
    });
    await api.expect(
      400,
      refused("version: must be a semantic version such as 1.4.0"),
      "POST",
      "/api/plugins/team-tools/publish",
      { version: "2" },
    );
    const versions: string[] = [];
    for (const body of [{}, { bump: "minor" }, { bump: "major" }, { version: "2.5.0-rc.1" }, {}]) {
      versions.push((await publish({ ...body, notes: "Changed" })).version);
      await api.call("PATCH", "/api/plugins?slug=team-tools", { description: `After ${versions.at(-1)}` });
    }
    assert.deepEqual(versions, ["1.0.1", "1.1.0", "2.0.0", "2.5.0-rc.1", "2.5.0"]);
    const { body } = await api.call("GET", "/api/plugins/team-tools/releases?limit=2");
    const shown = body.data.map((release: Record<string, unknown>) => [release.version, release.latest, release.notes]);
    assert.deepEqual(shown, [
      ["2.5.0", true, "Changed"],
      ["2.5.0-rc.1", false, "Changed"],
    ]);
    assert.deepEqual([(await get()).releases_count, body.pagination.hasMore], [6, true]);
  });

  it("become drafts when they are unpublished, and active again with the same release", async () => {
    await create();
    const release = await publish();
    const { body } = await api.call("POST", "/api/plugins/team-tools/unpublish");
    assert.deepEqual([body.data.status, body.data.releases_count], ["draft", 1]);
    assert.deepEqual(await publish(), release);
    assert.deepEqual([(await get()).status, (await get()).releases_count], ["active", 1]);
  });

  it("cannot be published without their skills; earlier releases keep the files", async () => {
    await create();
    await publish();
    await api.call("DELETE", "/api/skills?slug=notes");
    assert.equal((await get()).has_unpublished_changes, true);
    await api.expect(400, { error: "Skills not found: notes" }, "POST", "/api/plugins/team-tools/publish", {});
    await deleteUnusedBlobs(api.db, Number.MAX_SAFE_INTEGER, 100);
    const files = await download("");
    assert.deepEqual(files.get("team-tools/skills/notes/scripts/run.sh"), { content: "#!/bin/sh\n", executable: true });
  });

  it("are added to groups and removed from them", async () => {
    await create();
    await api.expect(200, { data: { success: true } }, "POST", "/api/groups/writers/plugins", {
      slugs: ["team-tools"],
    });
    assert.deepEqual((await get()).groups, ["Writers"]);
    await api.expect(400, { error: "Plugins not found: x" }, "POST", "/api/groups/writers/plugins", { slugs: ["x"] });
    await api.expect(400, refused("slugs: slugs array cannot be empty"), "POST", "/api/groups/writers/plugins", {
      slugs: [],
    });
    await api.expect(200, { data: { success: true } }, "DELETE", "/api/groups/writers/plugins?slug=team-tools");
    assert.deepEqual((await get()).groups, []);
  });

  it("are not published if a build-time guard blocks something in them", async () => {
    await api.call("PATCH", "/api/skills?slug=notes", {
      content: `Use ghp_${"A1b2C3d4E5f6G7h8I9j0".repeat(2).slice(0, 36)}`,
    });
    const { body } = await api.call("GET", "/api/guards?type=buildtime&limit=200");
    const secrets = body.data.find((guard: Record<string, unknown>) => String(guard.slug).includes("secret"));
    assert.ok(secrets, "there is a built-in guard for secrets");
    await api.call("PATCH", `/api/guards?slug=${secrets.slug}`, { enabled: true });
    await create();
    const blocked = await api.call("POST", "/api/plugins/team-tools/publish", {});
    assert.deepEqual([blocked.status, blocked.body.code], [400, "GUARD_BLOCKED"], blocked.text);
    assert.deepEqual((await api.call("GET", "/api/plugins/team-tools/releases")).body.data, []);
    assert.equal((await get()).status, "draft");
    await api.call("PATCH", "/api/skills?slug=notes", { content: "No secret" });
    const content = `Use ghp_${"A1b2C3d4E5f6G7h8I9j0".repeat(2).slice(0, 36)}`;
    await api.call("POST", "/api/commands", { name: "Leak", content });
    await api.call("PATCH", "/api/plugins?slug=team-tools", { commands: ["leak"] });
    const alsoBlocked = await api.call("POST", "/api/plugins/team-tools/publish", {});
    assert.deepEqual([alsoBlocked.status, alsoBlocked.body.code], [400, "GUARD_BLOCKED"], alsoBlocked.text);
    await api.call("PATCH", "/api/plugins?slug=team-tools", { commands: [] });
    await publish();
    await api.call("PATCH", `/api/guards?slug=${secrets.slug}`, { enabled: false });
  });
});
