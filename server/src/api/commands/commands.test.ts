import assert from "node:assert/strict";
import { before, beforeEach, it } from "node:test";
import { forEachApi } from "#test/api";
import { createGroup, createPerson } from "#test/factories";

forEachApi("commands", (api) => {
  before(async () => {
    await createPerson(api.service, "Ada", "ada@example.com");
    await createGroup(api.service, "Writers", { emails: ["ada@example.com"] });
    const skill = { name: "style", description: "Style.", content: "Text", status: "active" };
    await api.call("POST", "/api/skills", skill);
  });
  beforeEach(async () => {
    const { body } = await api.call("GET", "/api/commands");
    for (const { slug } of body.data) await api.call("DELETE", `/api/commands?slug=${slug}`);
  });

  const notes = { name: "Release notes", content: "\n# Notes for {{version}}\n\nIn a {{tone}} tone.\n" };
  const create = async (body: object = notes) => {
    const answer = await api.call("POST", "/api/commands", body);
    assert.equal(answer.status, 201, answer.text);
    return answer.body;
  };
  const get = async (slug: string) => (await api.call("GET", `/api/commands/${slug}`)).body.data;
  const argument = (name: string) => ({ name, description: "", required: false, default: null, enum: null });

  it("are created as drafts, with values that follow from the content", async () => {
    const { data } = await create({ ...notes, groups: ["writers"] });
    assert.deepEqual(
      [data.slug, data.status, data.groups, data.description, data.argument_hint],
      ["release-notes", "draft", ["Writers"], "# Notes for {{version}}", "[version] [tone]"],
    );
    assert.deepEqual(data.arguments, [argument("version"), argument("tone")]);
    assert.deepEqual(await get("release-notes"), data);
    const changed = await api.call("PATCH", "/api/commands?slug=release-notes", { content: "Do $ARGUMENTS" });
    assert.deepEqual(
      [changed.body.data.description, changed.body.data.arguments, changed.body.data.argument_hint],
      ["Do $ARGUMENTS", [], "[arguments]"],
    );
    assert.equal((await create()).data.slug, "release-notes-2");
    assert.equal((await create({ name: "Skills", content: "x" })).data.slug, "skills-2");
  });

  it("name the first field that is wrong, and store nothing", async () => {
    const declared = (...list: object[]) => ({ ...notes, content: "{{a}}", arguments: list });
    for (const [body, message] of [
      [{ content: "x" }, "name: name is required"],
      [{ name: "x" }, "content: content is required"],
      [{ ...notes, slug: "skills" }, "slug: is reserved"],
      [{ ...notes, content: "---\nx" }, "content: must not start with ---: exports add front matter"],
      [{ ...notes, content: "ä".repeat(40_000) }, "content: must be at most 64 KiB"],
      [{ ...notes, content: "{{Big}}" }, 'content: unknown placeholder "Big"'],
      [declared({ name: "b" }), 'content: unknown placeholder "a"'],
      [declared({ name: "a" }, { name: "a" }), 'arguments.1.name: "a" is declared twice'],
      [
        declared({ name: "a" }, { name: "B" }),
        "arguments.1.name: must start with a lowercase letter, followed by at most 31 lowercase letters, digits and underscores",
      ],
      [declared({ name: "a", default: "x", enum: ["y"] }), "arguments.0.default: must be one of the values in enum"],
      [declared({ name: "a", enum: [] }), "arguments.0.enum: must not be empty"],
      [{ ...notes, status: "on" }, "status: must be one of draft, active"],
    ] as const) {
      await api.expect(400, { code: "INVALID_FORMAT", message }, "POST", "/api/commands", body);
    }
    await api.expect(400, { error: "Skills not found: none" }, "POST", "/api/commands", { ...notes, skills: ["none"] });
    await api.expect(400, { error: "Groups not found: none" }, "POST", "/api/commands", { ...notes, groups: ["none"] });
    assert.deepEqual((await api.call("GET", "/api/commands")).body.data, []);
    await api.expect(404, { error: "Command not found" }, "GET", "/api/commands/none");
    const missing = { code: "INVALID_FORMAT", message: "slug query parameter is required" };
    await api.expect(400, missing, "DELETE", "/api/commands");
  });

  it("warn of expansion that clients perform", async () => {
    const warning = "content: shell or file expansion is performed by the client, not the gateway";
    assert.deepEqual((await create({ name: "Diff", content: "Review !`git diff`" })).warnings, [warning]);
  });

  it("are renamed, and toolkits follow", async () => {
    await create();
    await create({ name: "Other", content: "x" });
    const kit = { name: "Kit", commands: ["release-notes", "other"] };
    assert.equal((await api.call("POST", "/api/toolkits", kit)).status, 201);
    const taken = { code: "INVALID_FORMAT", message: "slug: command with this slug already exists" };
    await api.expect(400, taken, "PATCH", "/api/commands?slug=release-notes", { slug: "other" });
    const reserved = { code: "INVALID_FORMAT", message: "slug: is reserved" };
    await api.expect(400, reserved, "PATCH", "/api/commands?slug=release-notes", { slug: "gateway" });
    await api.call("PATCH", "/api/commands?slug=release-notes", { slug: "notes" });
    assert.equal((await get("notes")).name, "Release notes");
    await api.expect(404, { error: "Command not found" }, "GET", "/api/commands/release-notes");
    await api.call("DELETE", "/api/commands?slug=other");
    assert.deepEqual((await api.call("GET", "/api/toolkits/kit")).body.data.commands, ["notes"]);
    await api.expect(400, { error: "Commands not found: other" }, "PATCH", "/api/toolkits?slug=kit", {
      commands: ["notes", "other"],
    });
    await api.call("DELETE", "/api/toolkits?slug=kit");
  });

  it("are rendered with values of the caller", async () => {
    const version = { name: "version", required: true };
    const tone = { name: "tone", enum: ["dry", "warm"], default: "dry" };
    await create({ ...notes, arguments: [version, tone], skills: ["style"], include_skills: true });
    const render = (values?: object) =>
      api.call("POST", "/api/commands/release-notes/render", { ...(values && { arguments: values }) });
    assert.equal(
      (await render({ version: 2, tone: "warm" })).body.data.text,
      "\n# Notes for 2\n\nIn a warm tone.\n\nRelevant skills: skill://style/SKILL.md\n",
    );
    assert.match((await render({ version: "{{tone}}$1" })).body.data.text, /# Notes for \{\{tone\}\}\$1\n/);
    const draft = { content: "{{a}}, {{b}}", arguments: [{ name: "a" }, { name: "b", default: "B" }] };
    const preview = { arguments: { a: "A" }, draft };
    const changed = await api.call("POST", "/api/commands/release-notes/render", preview);
    assert.match(changed.body.data.text, /^A, B\n/);
    const wrong = await api.call("POST", "/api/commands/release-notes/render", { draft: { content: "{{none}}" } });
    assert.equal(wrong.body.message, 'content: unknown placeholder "none"');
    assert.equal((await render()).body.message, "arguments: Missing required argument: version");
    assert.equal(
      (await render({ version: "1", tone: "odd" })).body.message,
      'arguments: Invalid value for argument "tone": expected one of dry, warm',
    );
    assert.equal(
      (await render({ version: "x".repeat(300_000) })).body.message,
      "arguments: Rendered prompt exceeds 262144 bytes",
    );
  });

  it("are exported for each client and imported again", async () => {
    const version = { name: "version", required: true, description: "Such as 1.2" };
    await create({ ...notes, content: "Notes for {{version}}\n", arguments: [version], model: "opus" });
    const exported = async (format: string) =>
      api.service.api("GET", `/api/commands/release-notes/export?format=${format}`);
    const claude = await exported("claude");
    assert.match(claude.text, /^---\n[\s\S]*\n---\n\nNotes for \$1\n$/);
    assert.equal((await exported("cursor")).text, "Notes for {{version}}\n");
    const gemini = (await exported("gemini")).text;
    const [head] = gemini.split("\n[gatehouse]\n");
    assert.equal(head, 'description = "Notes for {{version}}"\nprompt = """\nNotes for {{args}}\n"""\n');
    assert.equal((await exported("other")).status, 400);
    const before = await get("release-notes");
    const { id: _own, created_at: _at, updated_at: _changed, ...expected } = before;
    const files = { again: { markdown: claude.text }, "from-gemini": { toml: gemini } };
    for (const [slug, file] of Object.entries(files)) {
      const { body, status } = await api.call("POST", "/api/commands/import", { ...file, slug });
      assert.equal(status, 201);
      const { id: _id, created_at: _created, updated_at: _updated, ...rest } = body.data;
      assert.deepEqual(rest, { ...expected, slug });
    }
    await api.invalid("markdown: markdown is required", "POST", "/api/commands/import", {});
    const both = { markdown: claude.text, toml: gemini };
    await api.invalid("toml: cannot be combined with markdown", "POST", "/api/commands/import", both);
    const again = await api.call("PATCH", "/api/commands?slug=again", { content: "Later {{version}}" });
    assert.equal(again.body.data.description, "Later {{version}}", "a derived description follows the content");
  });

  it("are listed by status, group and text, and found by the search", async () => {
    await create({ ...notes, status: "active", groups: ["Writers"] });
    await create({ name: "Other", content: "x" });
    const slugs = async (query: string, headers = {}) => {
      const { body } = await api.service.api("GET", `/api/commands?${query}`, undefined, headers);
      return body.data.map(({ slug }: { slug: string }) => slug);
    };
    assert.deepEqual(await slugs("status=active"), ["release-notes"]);
    assert.deepEqual(await slugs("search=OTH"), ["other"]);
    assert.deepEqual((await api.call("GET", "/api/search?q=release")).body.data.commands, [
      { slug: "release-notes", name: "Release notes", status: "active" },
    ]);
    const usable = await api.call("GET", "/api/user/commands?email=ada@example.com");
    assert.deepEqual(
      usable.body.data.map(({ slug, argument_hint }: Record<string, string>) => [slug, argument_hint]),
      [["release-notes", "[version] [tone]"]],
    );
    await api.call("DELETE", "/api/groups/Writers/commands?slug=release-notes");
    assert.deepEqual((await api.call("GET", "/api/user/commands?email=ada@example.com")).body.data, []);
    const unknown = { error: "Commands not found: none" };
    await api.expect(400, unknown, "POST", "/api/groups/Writers/commands", { slugs: ["other", "none"] });
    await api.call("POST", "/api/groups/Writers/commands", { slugs: ["other"] });
    assert.deepEqual((await get("other")).groups, ["Writers"]);
  });

  it("are evaluated by build-time guards when they become active, and when active ones change", async () => {
    const guard = { name: "No plutonium", type: "buildtime", action: "block", enabled: true };
    const checks = [{ id: "words", type: "keyword", name: "Words", config: { words: ["plutonium"] } }];
    await api.call("POST", "/api/guards", { ...guard, checks });
    const blocked = { code: "GUARD_BLOCKED", message: "content: blocked by guard no-plutonium (Words)" };
    const bad = { name: "Bad", content: "plutonium" };
    await api.expect(400, blocked, "POST", "/api/commands", { ...bad, status: "active" });
    await create(bad);
    await api.expect(400, blocked, "PATCH", "/api/commands?slug=bad", { status: "active" });
    assert.equal((await get("bad")).status, "draft");
    await api.call("PATCH", "/api/commands?slug=bad", { status: "active", content: "fine" });
    await api.expect(400, blocked, "PATCH", "/api/commands?slug=bad", { content: "plutonium" });
    assert.equal((await get("bad")).content, "fine");
    await api.call("DELETE", "/api/guards?slug=no-plutonium");
  });
});
