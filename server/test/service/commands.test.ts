import assert from "node:assert/strict";
import { after, before, beforeEach, it } from "node:test";
import { forEachDatabase } from "#test/databases";
import { createGroup, createMachineUser, createSyncedServer, type MachineUser } from "#test/factories";
import { type EventReader, initializeRequest, readEvents, rpc } from "#test/gateway-kit";
import { eraHeaders, requestText } from "#test/mcp-messages";
import { type HttpAnswer, type Service, startService } from "#test/start-service";
import { type RawUpstream, startRawUpstream } from "#test/upstreams/raw";

forEachDatabase("commands at the gateway", (open) => {
  let service: Service;
  let upstream: RawUpstream;
  let member: MachineUser;
  let stranger: MachineUser;

  before(async () => {
    service = await startService(await open());
    upstream = await startRawUpstream({
      tools: [{ name: "search", inputSchema: { type: "object" } }],
      prompts: [{ name: "greet" }],
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
    for (const kind of ["toolkits", "commands"]) {
      const { body } = await service.api("GET", `/api/${kind}?limit=200`);
      for (const { slug } of body.data) await service.api("DELETE", `/api/${kind}?slug=${slug}&force=true`);
    }
  });

  const write = async (method: string, path: string, body?: object): Promise<HttpAnswer["body"]> => {
    const answer = await service.api(method, path, body);
    assert.ok(answer.status < 300, `${method} ${path}: ${answer.text}`);
    return answer.body;
  };
  const VERSION = { name: "version", description: "Such as 1.2", required: true };
  const TONE = { name: "tone", enum: ["dry", "Warm", "warmer"] };
  const create = (rest: object = {}) =>
    write("POST", "/api/commands", {
      ...{ name: "Release notes", content: "Notes for {{version}}, {{tone}}", arguments: [VERSION, TONE] },
      ...{ status: "active", groups: ["G"] },
      ...rest,
    });
  const post = async (message: unknown, { path = "/mcp", user = member, headers = {} } = {}) => {
    const answer = await service.http(path, {
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
  const prompts = async (more: Parameters<typeof post>[1] = {}) =>
    (await ask("prompts/list", {}, more)).result.prompts.map(({ name }: { name: string }) => name);
  const render = async (values: string, name = "release-notes") => {
    const body = await post(
      `{"jsonrpc":"2.0","id":1,"method":"prompts/get","params":{"name":"${name}","arguments":${values}}}`,
    );
    return body.result?.messages[0].content.text ?? [body.error.code, body.error.message];
  };

  it("are prompts of the members of their groups, and of no one else", async () => {
    await create();
    await create({ name: "Draft", status: "draft" });
    const { prompts: listed } = (await ask("prompts/list")).result;
    assert.deepEqual(listed, [
      { name: "gh__greet" },
      {
        name: "release-notes",
        title: "Release notes",
        description: "Notes for {{version}}, {{tone}}",
        arguments: [
          { name: "version", description: "Such as 1.2", required: true },
          { name: "tone", required: false },
        ],
      },
    ]);
    assert.deepEqual(await prompts({ user: stranger }), ["gh__greet"]);
    assert.deepEqual(await prompts({ path: "/mcp/gh" }), ["greet"]);
    const outside = await ask("prompts/get", { name: "release-notes" }, { user: stranger });
    assert.deepEqual([outside.error.code, outside.error.message], [-32602, "Unknown prompt: release-notes"]);
    assert.equal((await ask("prompts/get", { name: "draft" })).error.message, "Unknown prompt: draft");
  });

  it("are rendered in both eras", async () => {
    await create();
    const values = { version: "1.2", tone: "dry" };
    const legacy = await ask("prompts/get", { name: "release-notes", arguments: values });
    const messages = [{ role: "user", content: { type: "text", text: "Notes for 1.2, dry" } }];
    assert.deepEqual(legacy.result, { description: "Notes for {{version}}, {{tone}}", messages });
    const members = ['"name":"release-notes"', `"arguments":${JSON.stringify(values)}`];
    const text = requestText("modern", "prompts/get", members);
    const headers = { ...eraHeaders("modern", "prompts/get"), "mcp-name": "release-notes" };
    const modern = await post(text, { headers });
    assert.deepEqual(
      [modern.result?.resultType, modern.result?.messages],
      ["complete", messages],
      JSON.stringify(modern),
    );
  });

  it("take values as text, and refuse others", async () => {
    await create();
    assert.equal(await render('{"version":1.10,"extra":{}}'), "Notes for 1.10, ");
    assert.equal(await render('{"version":true,"tone":null}'), "Notes for true, ");
    assert.equal(await render('{"version":"{{tone}} $1","tone":"dry"}'), "Notes for {{tone}} $1, dry");
    for (const [values, message] of [
      ["{}", "Missing required argument: version"],
      ['{"version":null}', "Missing required argument: version"],
      ['{"version":"1","tone":"odd"}', 'Invalid value for argument "tone": expected one of dry, Warm, warmer'],
      ['{"version":{}}', 'Invalid value for argument "version": expected a string'],
      ['{"version":["1"]}', 'Invalid value for argument "version": expected a string'],
      ['{"version":"1","version":"2"}', "Invalid params: an argument is given twice"],
      [`{"version":"${"x".repeat(300_000)}"}`, "Rendered prompt exceeds 262144 bytes"],
    ] as const)
      assert.deepEqual(await render(values), [-32602, message]);
    const { body } = await service.api("GET", "/api/logs?tool=release-notes&limit=200");
    const outcomes = body.data.map(({ method, outcome }: Record<string, string>) => `${method} ${outcome}`);
    assert.ok(outcomes.includes("prompts/get ok") && outcomes.includes("prompts/get denied"), outcomes.join());
  });

  it("take one text if they declare no arguments", async () => {
    await create({ name: "Ask", content: "Answer: $ARGUMENTS", arguments: [] });
    const [, command] = (await ask("prompts/list")).result.prompts;
    assert.deepEqual(command.arguments, [{ name: "arguments", required: false }]);
    assert.equal(await render('{"arguments":"why not"}', "ask"), "Answer: why not");
  });

  it("complete allowed values by their prefix", async () => {
    await create();
    const complete = async (name: string, value: string, user = member) => {
      const ref = { type: "ref/prompt", name: "release-notes" };
      const { result, error } = await ask("completion/complete", { ref, argument: { name, value } }, { user });
      return result?.completion ?? error.message;
    };
    assert.deepEqual(await complete("tone", "WA"), { values: ["Warm", "warmer"], total: 2, hasMore: false });
    assert.deepEqual(await complete("version", "1"), { values: [], total: 0, hasMore: false });
    assert.equal(await complete("tone", "", stranger), "Unknown reference: release-notes");
  });

  it("are part of the view of a toolkit that names them", async () => {
    await create();
    await create({ name: "Other" });
    await write("POST", "/api/toolkits", {
      ...{ name: "Kit", status: "active", groups: ["Other"], commands: ["other"] },
      tools: [{ server: "gh", tool: "search" }],
    });
    const query = { path: "/mcp?toolkit=kit", user: stranger };
    assert.deepEqual(await prompts(query), ["other"]);
    const own = await ask("prompts/get", { name: "release-notes" }, query);
    assert.equal(own.error.message, "Unknown prompt: release-notes");
    await write("PATCH", "/api/commands?slug=other", { slug: "renamed" });
    assert.deepEqual(await prompts(query), ["renamed"]);
  });

  it("name only the skills that the caller can use", async () => {
    for (const [name, groups] of [
      ["seen", ["G"]],
      ["unseen", []],
    ] as const) {
      await write("POST", "/api/skills", { name, description: "x", content: "x", status: "active", groups });
    }
    await create({ content: "Go", arguments: [], skills: ["unseen", "seen"], include_skills: true });
    assert.equal(await render("{}"), "Go\n\nRelevant skills: skill://seen/SKILL.md\n");
    for (const name of ["seen", "unseen"]) await write("DELETE", `/api/skills?slug=${name}`);
  });

  it("show their arguments to request guards, which redact and block", async () => {
    await create();
    const checks = [{ type: "keyword", name: "Words", config: { words: ["canary"] } }];
    const guard = { name: "Birds", type: "runtime", direction: "request", enabled: true, checks };
    await write("POST", "/api/guards", { ...guard, action: "redact" });
    const redacted = await render('{"extra":1,"version":"a canary b","tone":"dry"}');
    assert.match(redacted, /^Notes for a \[[^\]]+\] b, dry$/);
    await write("PATCH", "/api/guards?slug=birds", { action: "block" });
    assert.deepEqual(await render('{"version":"canary"}'), [-32001, 'Blocked by guard "Birds"']);
    assert.equal(await render('{"version":"crow"}'), "Notes for crow, ");
    const { body } = await service.api("GET", "/api/logs?tool=release-notes&guard_action=block");
    assert.equal(body.data[0]?.outcome, "blocked");
    await write("PATCH", "/api/guards?slug=birds", { scope: { tools: ["gh__*"] } });
    assert.equal(await render('{"version":"canary"}'), "Notes for canary, ");
    await write("DELETE", "/api/guards?slug=birds");
  });

  it("announce changes of the list to open streams", async () => {
    await create();
    const session = await service.mcp(member.credential, initializeRequest());
    const reader: EventReader = await readEvents(`${service.url}/mcp`, {
      method: "GET",
      headers: {
        accept: "text/event-stream",
        authorization: `Bearer ${member.credential}`,
        "mcp-session-id": String(session.headers["mcp-session-id"]),
      },
    });
    await write("PATCH", "/api/commands?slug=release-notes", { description: "Changed" });
    await reader.until(/prompts\/list_changed/);
    await write("DELETE", "/api/groups/G/commands?slug=release-notes");
    await reader.until(/(?:prompts\/list_changed.*){2}/s);
    reader.close();
  });
});
