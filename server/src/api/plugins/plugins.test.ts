import assert from "node:assert/strict";
import { before, beforeEach, it } from "node:test";
import { readZip } from "#lib/zip/read-zip";
import { deleteUnusedBlobs } from "#records/file-blobs";
import { forEachApi } from "#test/api";
import { createGroup } from "#test/factories";

forEachApi("plugins", (api) => {
  before(async () => {
    await createGroup(api.service, "Writers");
  });
  beforeEach(async () => {
    for (const family of ["plugins", "commands", "skills", "toolkits"]) {
      const { body } = await api.call("GET", `/api/${family}`);
      for (const { slug } of body.data) await api.call("DELETE", `/api/${family}?slug=${slug}`);
    }
    await api.call("PATCH", "/api/settings", { allow_plugin_hooks: null });
    const script = { path: "scripts/run.sh", content: "#!/bin/sh\n", executable: true };
    await api.call("POST", "/api/skills", {
      name: "notes",
      description: "Notes.",
      content: "# Notes",
      files: [script],
    });
  });

  const tools = { name: "Team tools", description: "For the team", skills: ["notes"] };
  const create = async (body: object = tools) => {
    const answer = await api.call("POST", "/api/plugins", body);
    assert.equal(answer.status, 201, answer.text);
    return answer.body.data;
  };
  const get = async () => (await api.call("GET", "/api/plugins/team-tools")).body.data;
  const publish = async (body: object = {}) => {
    const answer = await api.call("POST", "/api/plugins/team-tools/publish", body);
    assert.equal(answer.status, 201, answer.text);
    return answer.body.data;
  };
  const refused = (message: string) => ({ code: "INVALID_FORMAT", message });

  it("are created as drafts with defaults, changed, listed and deleted", async () => {
    const data = await create({ ...tools, groups: ["Writers"] });
    const { id, created_at, updated_at, ...fields } = data;
    assert.match(id, /^plg_/);
    assert.deepEqual(fields, {
      ...{ slug: "team-tools", ...tools, author: null, category: null, keywords: [], homepage: null, license: null },
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
    for (const [body, answer] of cases) await api.expect(400, answer, "POST", "/api/plugins", { ...tools, ...body });
    assert.deepEqual((await api.call("GET", "/api/plugins")).body.data, []);
  });

  it("accept hooks while the organization allows them, with events that clients know", async () => {
    await api.call("PATCH", "/api/settings", { allow_plugin_hooks: true });
    const hooks = { Stop: [{ hooks: [{ type: "command", command: "echo done" }] }] };
    await create({ ...tools, hooks });
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

  const download = async (query: string) => {
    const answer = await api.call("GET", `/api/plugins/team-tools/download${query}`);
    assert.equal(answer.status, 200, answer.text);
    const limits = { maxEntries: 1_000, maxFileBytes: 1e6, maxBytes: 1e7, maxRatio: 1_000 };
    const files = await readZip(answer.bytes, limits);
    return new Map(
      files.map(({ path, content, executable }) => [
        path,
        { content: Buffer.from(content).toString("utf8"), executable },
      ]),
    );
  };
  it("are downloaded as ZIP files, by version and for one client", async () => {
    await create();
    await publish();
    await api.call("PATCH", "/api/skills?slug=notes", { content: "# Changed" });
    await publish();
    const skill = "team-tools/skills/notes/SKILL.md";
    assert.match((await download("")).get(skill)?.content ?? "", /# Changed/);
    assert.match((await download("?version=1.0.0")).get(skill)?.content ?? "", /# Notes/);
    const forCodex = [...(await download("?target=codex")).keys()];
    assert.deepEqual(
      forCodex.filter((path) => path.startsWith("team-tools/.")),
      ["team-tools/.codex-plugin/mcp.json", "team-tools/.codex-plugin/plugin.json"],
    );
    await api.expect(404, { error: "Release not found" }, "GET", "/api/plugins/team-tools/download?version=9.9.9");
  });

  it("contain commands in the form of each client, and follow them to new slugs", async () => {
    const content = "Notes for {{ticket}}, please.";
    await api.call("POST", "/api/commands", { name: "Release notes", description: "Writes notes", content });
    await create({ ...tools, commands: ["release-notes"] });
    await publish();
    const files = await download("");
    assert.match(files.get("team-tools/commands/release-notes.md")?.content ?? "", /Notes for \$1, please\./);
    const forCursor = files.get("team-tools/.cursor-plugin/commands/release-notes.md")?.content;
    assert.equal(forCursor, `---\nname: release-notes\ndescription: Writes notes\n---\n\n${content}`);
    assert.match(files.get("team-tools/README.md")?.content ?? "", /- \/release-notes: Writes notes/);
    const forCodex = [...(await download("?target=codex")).keys()];
    assert.equal(
      forCodex.some((path) => path.includes("commands/")),
      false,
    );
    await api.call("PATCH", "/api/commands?slug=release-notes", { slug: "notes-of-release" });
    assert.deepEqual([(await get()).commands, (await get()).has_unpublished_changes], [["notes-of-release"], true]);
    await publish();
    await api.call("DELETE", "/api/commands?slug=notes-of-release");
    assert.equal((await get()).has_unpublished_changes, true);
    const gone = { error: "Commands not found: notes-of-release" };
    await api.expect(400, gone, "POST", "/api/plugins/team-tools/publish", {});
    // What the plugin named before it was deleted does not prevent other changes.
    const changed = await api.call("PATCH", "/api/plugins?slug=team-tools", { description: "Other" });
    assert.equal(changed.status, 200, changed.text);
  });

  it("have a marketplace, with the lines that add it to each client", async () => {
    const { status, body } = await api.call("GET", "/api/plugins/marketplace");
    const { marketplace_url: json, git_url: git, sign_in_command: signIn, add_commands: add } = body.data;
    assert.equal(status, 200);
    assert.match(json, /^http.*\/plugins\/marketplace\.json$/);
    assert.match(git, /^http.*\/plugins\/marketplace\.git$/);
    assert.equal(signIn, `git ls-remote ${git}`);
    assert.deepEqual(add, {
      claude: `/plugin marketplace add ${git}`,
      cursor: `/add-plugin ${git}`,
      codex: `codex plugin marketplace add ${git}`,
    });
  });

  it("follow servers to new slugs", async () => {
    const server = { name: "Linear", slug: "linear", mcp_proxy: JSON.stringify({ url: "http://127.0.0.1:9/mcp" }) };
    const added = await api.call("POST", "/api/mcp-servers", server);
    assert.equal(added.status, 201, added.text);
    await create({ ...tools, mcp: { servers: ["linear"] } });
    await api.call("PATCH", "/api/mcp-servers?slug=linear", { slug: "tickets" });
    assert.deepEqual((await get()).mcp.servers, ["tickets"]);
    await api.call("DELETE", "/api/mcp-servers?slug=tickets");
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
