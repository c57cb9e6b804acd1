import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { after, before, beforeEach, it } from "node:test";
import { readZip } from "#lib/zip/read-zip";
import { forEachDatabase } from "#test/databases";
import { createGroup, createMachineUser, createSyncedServer, type MachineUser } from "#test/factories";
import { type EventReader, initializeRequest, readEvents, rpc } from "#test/gateway-kit";
import { eraHeaders, requestText } from "#test/mcp-messages";
import { type HttpAnswer, type Service, startService } from "#test/start-service";
import { type RawUpstream, startRawUpstream } from "#test/upstreams/raw";

const PNG = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 255]);
const sha256 = (bytes: Buffer) => `sha256:${createHash("sha256").update(bytes).digest("hex")}`;

forEachDatabase("skills at the gateway", (open) => {
  let service: Service;
  let upstream: RawUpstream;
  let member: MachineUser;
  let stranger: MachineUser;

  before(async () => {
    service = await startService(await open());
    upstream = await startRawUpstream({
      tools: [{ name: "search", inputSchema: { type: "object" } }],
      resources: {
        list: ["skill://notes/SKILL.md", "res://one"].map((uri) => ({ uri, name: uri })),
      },
    });
    await createSyncedServer(service, "gh", upstream.url);
    member = await createMachineUser(service, "member");
    stranger = await createMachineUser(service, "stranger");
    await createGroup(service, "G", { slugs: ["gh"], emails: [member.email] });
    await createGroup(service, "Other", { slugs: ["gh"], emails: [stranger.email] });
  });
  after(async () => {
    await service?.close();
    await upstream?.close();
  });
  beforeEach(async () => {
    for (const kind of ["toolkits", "skills"]) {
      const { body } = await service.api("GET", `/api/${kind}?limit=200`);
      for (const { slug } of body.data) await service.api("DELETE", `/api/${kind}?slug=${slug}&force=true`);
    }
  });

  const write = async (method: string, path: string, body?: object): Promise<HttpAnswer["body"]> => {
    const answer = await service.api(method, path, body);
    assert.ok(answer.status < 300, `${method} ${path}: ${answer.text}`);
    return answer.body;
  };
  const files = [
    { path: "scripts/run me.sh", content: '#!/bin/sh\necho "hi" \u00e4\n', executable: true },
    { path: "assets/dot.png", content_base64: PNG.toString("base64") },
  ];
  const create = (name: string, rest: object = {}) => {
    const skill = {
      name,
      description: `About ${name}.`,
      content: `# ${name}\n`,
      status: "active",
      groups: ["G"],
      files,
    };
    return write("POST", "/api/skills", { ...skill, ...rest });
  };
  const post = async (message: unknown, { query = "", user = member, headers = {} } = {}) => {
    const answer = await service.http(`/mcp${query}`, {
      method: "POST",
      headers: {
        authorization: `Bearer ${user.credential}`,
        "content-type": "application/json",
        accept: "application/json, text/event-stream",
        ...headers,
      },
      body: typeof message === "string" ? message : JSON.stringify(message),
    });
    return answer.body;
  };
  const ask = (method: string, params: object = {}, more: Parameters<typeof post>[1] = {}) =>
    post(rpc(method, params), more);
  const modern = (method: string, members: readonly string[], name?: string, user = member) =>
    post(requestText("modern", method, members), { user, headers: eraHeaders("modern", method, name) });
  const read = (uri: string, more: Parameters<typeof post>[1] = {}) => ask("resources/read", { uri }, more);
  const uris = async (more: Parameters<typeof post>[1] = {}) =>
    (await ask("resources/list", {}, more)).result.resources.map(({ uri }: { uri: string }) => uri);

  it("are declared, listed, and read with the bytes of their digests, in both eras", async () => {
    await create("notes");
    const { result: hello } = await post(initializeRequest());
    assert.deepEqual(hello.capabilities.extensions, { "io.modelcontextprotocol/skills": { directoryRead: true } });
    assert.match(hello.instructions, /1 organization skill is available as skill:\/\/ resources\./);
    const { result } = await ask("skills/list");
    const now = (await modern("skills/list", [])).result;
    assert.deepEqual(now.skills, result.skills);
    assert.deepEqual([now.resultType, now.ttlMs, now.cacheScope], ["complete", 60_000, "private"]);
    const [skill] = result.skills;
    assert.deepEqual(skill.frontmatter, { name: "notes", description: "About notes." });
    assert.equal(skill.resources.length, 3);
    for (const { uri, digest, size } of skill.resources) {
      for (const answer of [await read(uri), await modern("resources/read", [`"uri":${JSON.stringify(uri)}`], uri)]) {
        const [{ text, blob, uri: same }] = answer.result.contents;
        const bytes = text === undefined ? Buffer.from(blob, "base64") : Buffer.from(text);
        assert.deepEqual([same, sha256(bytes), bytes.length], [uri, digest, size]);
      }
    }
    assert.deepEqual((await ask("skills/get", { uri: skill.uri })).result.skill, skill);
    const [listed] = (await ask("resources/list")).result.resources;
    assert.deepEqual([listed.uri, listed.name, listed.mimeType], ["skill://notes/SKILL.md", "notes", "text/markdown"]);
    assert.equal(listed._meta["io.gatehouse/version"], 1);
    const { resourceTemplates } = (await ask("resources/templates/list")).result;
    assert.deepEqual(
      resourceTemplates.map(({ uriTemplate }: { uriTemplate: string }) => uriTemplate),
      ["skill://{skill}/{+path}"],
    );
    const root = await ask("resources/directory/read", { uri: "skill://notes" });
    assert.deepEqual(
      root.result.resources.map(({ name, mimeType }: { name: string; mimeType: string }) => [name, mimeType]),
      [
        ["SKILL.md", "text/markdown"],
        ["assets", "inode/directory"],
        ["scripts", "inode/directory"],
      ],
    );
    const scripts = await ask("resources/directory/read", { uri: "skill://notes/scripts" });
    assert.equal(scripts.result.resources[0].uri, "skill://notes/scripts/run%20me.sh");
  });

  it("are unknown to everyone else, without a difference", async () => {
    await create("notes");
    await create("hidden", { status: "draft" });
    const same = async (method: string, uris: string[], user: MachineUser) => {
      const answers = await Promise.all(uris.map((uri) => ask(method, { uri }, { user })));
      for (const [at, { error }] of answers.entries()) {
        assert.equal(error?.data.uri, uris[at]);
        assert.deepEqual([error.code, error.message], [answers[0].error.code, answers[0].error.message]);
      }
      return answers[0].error.code;
    };
    const none = "skill://none/SKILL.md";
    assert.equal(await same("resources/read", [none, "skill://notes/SKILL.md"], stranger), -32002);
    assert.equal(await same("resources/read", [none, "skill://hidden/SKILL.md", "skill://notes/x"], member), -32002);
    assert.equal(
      await same("skills/get", [none, "skill://notes/SKILL.md", "skill://hidden/SKILL.md"], stranger),
      -32602,
    );
    assert.equal(await same("skills/get", [none, "skill://notes/assets/dot.png", "skill://notes"], member), -32602);
    assert.equal(await same("resources/directory/read", ["skill://none", "skill://notes"], stranger), -32602);
    assert.equal(await same("resources/directory/read", ["skill://none", "skill://notes/SKILL.md"], member), -32602);
    const unknown = await modern(
      "resources/read",
      ['"uri":"skill://notes/SKILL.md"'],
      "skill://notes/SKILL.md",
      stranger,
    );
    assert.equal(unknown.error.code, -32602);
    assert.deepEqual((await ask("skills/list", {}, { user: stranger })).result.skills, []);
    assert.deepEqual((await ask("resources/templates/list", {}, { user: stranger })).result.resourceTemplates, []);
  });

  it("of servers are listed and read below the slug of their server", async () => {
    assert.deepEqual(await uris(), ["skill://gh/notes/SKILL.md", "res://one"]);
    upstream.seen.length = 0;
    await read("skill://gh/notes/SKILL.md");
    const sent = upstream.seen.filter(({ method }) => method === "resources/read");
    assert.deepEqual(
      sent.map(({ uri }) => uri),
      ["skill://notes/SKILL.md"],
    );
    // The plain URI belongs to the organization.
    assert.equal((await read("skill://notes/SKILL.md")).error.code, -32002);
    await create("notes");
    assert.deepEqual(await uris(), ["skill://notes/SKILL.md", "skill://gh/notes/SKILL.md", "res://one"]);
    assert.match((await read("skill://notes/SKILL.md")).result.contents[0].text, /About notes/);
    assert.deepEqual(await uris({ query: "/gh" }), ["skill://notes/SKILL.md", "res://one"]);
  });

  it("are paged by name", async () => {
    for (let at = 0; at < 103; at++) await create(`s-${String(at).padStart(3, "0")}`, { files: [] });
    const first = (await ask("skills/list")).result;
    assert.equal(first.skills.length, 100);
    const second = (await ask("skills/list", { cursor: first.nextCursor })).result;
    assert.deepEqual(
      second.skills.map(({ frontmatter }: { frontmatter: { name: string } }) => frontmatter.name),
      ["s-100", "s-101", "s-102"],
    );
    assert.equal(second.nextCursor, undefined);
    assert.equal((await ask("skills/list", { cursor: "%" })).error.code, -32602);
  });

  it("in a toolkit are all that its view has, and a user's own toolkit gives none", async () => {
    await create("notes");
    await create("other", { groups: [] });
    const tools = [{ server: "gh", tool: "search" }];
    await write("POST", "/api/toolkits", {
      slug: "kit",
      name: "Kit",
      status: "active",
      groups: ["G"],
      tools,
      skills: ["other"],
    });
    const more = { query: "?toolkit=kit" };
    const names = async (query: string) =>
      (await ask("skills/list", {}, { query })).result.skills.map(({ uri }: { uri: string }) => uri);
    assert.deepEqual(await names("?toolkit=kit"), ["skill://other/SKILL.md"]);
    assert.deepEqual(await names(""), ["skill://notes/SKILL.md"]);
    assert.ok((await read("skill://other/SKILL.md", more)).result);
    assert.ok((await read("skill://notes/SKILL.md", more)).error);
    assert.ok((await read("skill://other/SKILL.md")).error);
    const own = { slug: "own", name: "Own", status: "active", owner_email: member.email, tools, skills: ["notes"] };
    const refused = await service.api("POST", "/api/toolkits", { ...own, skills: ["other"] });
    assert.deepEqual([refused.status, refused.body], [400, { error: "Skills not found: other" }]);
    await write("POST", "/api/toolkits", own);
    assert.deepEqual(await names("?toolkit=own"), ["skill://notes/SKILL.md"]);
    await write("DELETE", "/api/groups/G/skills?slug=notes");
    assert.deepEqual(await names("?toolkit=own"), []);
  });

  it("are tools on request only", async () => {
    await create("notes");
    const tools = async (query: string) =>
      (await ask("tools/list", {}, { query })).result.tools.map(({ name }: { name: string }) => name);
    assert.deepEqual(await tools(""), ["gh__search"]);
    assert.deepEqual(await tools("?skill_tools=1"), ["skills__list", "skills__load", "gh__search"]);
    const call = (name: string, args: object, query = "?skill_tools=1", user = member) =>
      ask("tools/call", { name, arguments: args }, { query, user });
    const { structuredContent } = (await call("skills__list", {})).result;
    assert.deepEqual(structuredContent.skills[0].files, ["SKILL.md", "assets/dot.png", "scripts/run me.sh"]);
    assert.match((await call("skills__load", { name: "notes" })).result.content[0].text, /# notes/);
    const image = (await call("skills__load", { name: "notes", path: "assets/dot.png" })).result.content[0];
    assert.equal(image.resource.blob, PNG.toString("base64"));
    const unknown = (await call("skills__load", { name: "notes" }, "?skill_tools=1", stranger)).result;
    assert.deepEqual([unknown.isError, unknown.content[0].text], [true, "Unknown skill: notes"]);
    assert.equal((await call("skills__list", {}, "")).error.message, "Unknown tool: skills__list");
    assert.equal((await ask("tools/list", {}, { query: "?skill_tools=yes" })).error.code, -32600);
  });

  it("are downloaded by members, with an ETag", async () => {
    const { data } = await create("notes");
    const get = (path: string, user = member, headers = {}) =>
      service.http(path, { headers: { authorization: `Bearer ${user.credential}`, ...headers } });
    const index = await get("/skills/index.json");
    assert.deepEqual(index.body.skills[0].archive, "notes.zip");
    const archive = await get("/skills/notes.zip");
    assert.deepEqual([archive.status, archive.headers.etag], [200, `"${data.digest}"`]);
    assert.deepEqual(archive.bytes, (await service.api("GET", "/api/skills/notes/download")).bytes);
    const limits = { maxEntries: 10, maxFileBytes: 1_000, maxBytes: 10_000, maxRatio: 10 };
    assert.deepEqual(
      (await readZip(archive.bytes, limits)).map(({ path }) => path),
      ["notes/SKILL.md", "notes/assets/dot.png", "notes/scripts/run me.sh"],
    );
    for (const [path, { headers }] of [
      ["/skills/notes.zip", archive],
      ["/skills/index.json", index],
    ] as const) {
      assert.equal((await get(path, member, { "if-none-match": headers.etag })).status, 304);
    }
    assert.deepEqual((await get("/skills/notes.zip", stranger)).body, { error: "Skill not found" });
    assert.deepEqual((await get("/skills/none.zip")).body, { error: "Skill not found" });
    assert.deepEqual((await get("/skills/index.json", stranger)).body.skills, []);
    assert.equal((await service.http("/skills/index.json")).status, 401);
  });

  it("are logged when they are read", async () => {
    await create("notes");
    await read("skill://notes/SKILL.md");
    await read("skill://none/SKILL.md");
    const { body } = await service.api("GET", "/api/logs?method=resources/read&limit=2");
    assert.deepEqual(
      body.data.map(({ outcome, tool, user_email }: Record<string, unknown>) => [outcome, tool, user_email]).sort(),
      [
        ["denied", "skill://none/SKILL.md", member.email],
        ["ok", "skill://notes/SKILL.md", member.email],
      ],
    );
  });

  it("notify open streams when they change", async () => {
    await create("notes");
    const session = await service.mcp(member.credential, initializeRequest());
    const reader: EventReader = await readEvents(`${service.url}/mcp`, {
      method: "GET",
      headers: {
        accept: "text/event-stream",
        authorization: `Bearer ${member.credential}`,
        "mcp-session-id": String(session.headers["mcp-session-id"]),
      },
    });
    await write("PATCH", "/api/skills?slug=notes", { files: [{ path: "new.md", content: "new" }] });
    await reader.until(/resources\/list_changed/);
    await write("DELETE", "/api/groups/G/skills?slug=notes");
    await reader.until(/(?:resources\/list_changed.*){2}/s);
    assert.ok((await read("skill://notes/SKILL.md")).error);
    reader.close();
  });
});
