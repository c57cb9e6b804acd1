import assert from "node:assert/strict";
import { it } from "node:test";
import { forEachApi } from "#test/api";
import { TOOLS, usePlugins } from "#test/plugin-api";

forEachApi("contents of plugins", (api) => {
  const { create, get, publish, download } = usePlugins(api);

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
    await create({ ...TOOLS, commands: ["release-notes"] });
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
    const markdown = files.get("team-tools/commands/release-notes.md")?.content;
    const imported = await api.call("POST", "/api/commands/import", { markdown, slug: "again" });
    assert.equal(imported.body.data.content, content, "a command of a release can be imported without loss");
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
    assert.match(body.data.name, /^[a-z0-9-]+$/);
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

  it("report what changed since the last release, and in each release", async () => {
    const changes = async (query = "") => (await api.call("GET", `/api/plugins/team-tools/changes${query}`)).body.data;
    await create();
    const first = await changes();
    assert.equal(first.since, null);
    assert.ok(first.files.every(({ change }: { change: string }) => change === "added"));
    await publish();
    assert.deepEqual(await changes(), { since: "1.0.0", files: [] });
    await api.call("PATCH", "/api/skills?slug=notes", { content: "# Changed" });
    const agents = [{ name: "reviewer", description: "Reviews", content: "Review" }];
    await api.call("PATCH", "/api/plugins?slug=team-tools", { agents, targets: ["claude", "cursor"] });
    const expected = [
      [".codex-plugin/mcp.json", "removed"],
      [".codex-plugin/plugin.json", "removed"],
      ["README.md", "changed"],
      ["agents/reviewer.md", "added"],
      ["skills/notes/SKILL.md", "changed"],
    ].map(([path, change]) => ({ path, change }));
    assert.deepEqual(await changes(), { since: "1.0.0", files: expected });
    await publish();
    const { since, files } = await changes("?version=1.0.1");
    assert.equal(since, "1.0.0");
    // The manifests have the version.
    const ofContent = files.filter(
      ({ path }: { path: string }) => !/-plugin.plugin.json/.test(path) || /codex/.test(path),
    );
    assert.deepEqual(ofContent, expected);
    await api.expect(404, { error: "Release not found" }, "GET", "/api/plugins/team-tools/changes?version=7.0.0");
    await api.call("DELETE", "/api/skills?slug=notes");
    await api.expect(400, { error: "Skills not found: notes" }, "GET", "/api/plugins/team-tools/changes");
  });

  it("are listed for users of their groups, and found by search", async () => {
    const email = `ann-${api.database.databases.dialect}@example.com`;
    await api.call("POST", "/api/users", { name: "Ann", email });
    await api.call("POST", "/api/groups/writers/users", { emails: [email] });
    await create({ ...TOOLS, groups: ["Writers"], targets: ["claude", "cursor"] });
    const ofAnn = async () => (await api.call("GET", `/api/user/plugins?email=${email}`)).body.data;
    assert.deepEqual(await ofAnn(), []);
    const { published_at } = await publish();
    const [plugin] = await ofAnn();
    const { install_commands: install, ...rest } = plugin;
    const expected = { slug: "team-tools", name: "Team tools", description: "For the team", version: "1.0.0" };
    assert.deepEqual(rest, { ...expected, targets: ["claude", "cursor"], published_at });
    assert.match(install.claude, /^\/plugin install team-tools@[a-z0-9-]+$/);
    assert.deepEqual(Object.keys(install), ["claude"]);
    await api.expect(
      404,
      { error: "User not found: lost@example.com" },
      "GET",
      "/api/user/plugins?email=lost@example.com",
    );
    const { body } = await api.call("GET", "/api/search?q=TEAM");
    assert.deepEqual(body.data.plugins, [{ slug: "team-tools", name: "Team tools", status: "active" }]);
  });

  it("follow servers to new slugs", async () => {
    const server = { name: "Linear", slug: "linear", mcp_proxy: JSON.stringify({ url: "http://127.0.0.1:9/mcp" }) };
    const added = await api.call("POST", "/api/mcp-servers", server);
    assert.equal(added.status, 201, added.text);
    await create({ ...TOOLS, mcp: { servers: ["linear"] } });
    await api.call("PATCH", "/api/mcp-servers?slug=linear", { slug: "tickets" });
    assert.deepEqual((await get()).mcp.servers, ["tickets"]);
    await api.call("DELETE", "/api/mcp-servers?slug=tickets");
  });
});
