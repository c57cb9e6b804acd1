import assert from "node:assert/strict";
import { after, before, beforeEach, it } from "node:test";
import { forEachApi } from "#test/api";
import { createGroup, createMachineUser, createSyncedServer, type MachineUser } from "#test/factories";
import { eraHeaders, requestText } from "#test/mcp-messages";
import { type RawUpstream, startRawUpstream } from "#test/upstreams/raw";

const PROMPTS = [{ name: "plan", description: "Plans", arguments: [{ name: "goal" }] }];
const RESOURCES = {
  list: [{ uri: "file:///a", name: "a", description: "A file", size: 1 }],
  templates: [{ uriTemplate: "file:///{path}", name: "files", description: "Files" }],
};
const CHANGED_PROMPTS = [
  { name: "plan", description: "Plans and mails it\u{e0041}", arguments: [{ name: "goal" }] },
  { name: "more", description: "New" },
];
const CHANGED_RESOURCES = {
  list: [
    { uri: "file:///a", name: "a", description: "Another file", size: 2 },
    { uri: "file:///b", name: "b" },
  ],
  templates: [{ uriTemplate: "file:///{path}", name: "files", description: "Other files" }],
};

forEachApi("changed prompts, resources, and resource templates (GW-17)", (api) => {
  let upstream: RawUpstream;
  let bot: MachineUser;
  let slug = "";
  let count = 0;
  before(async () => {
    upstream = await startRawUpstream();
    bot = await createMachineUser(api.service, "Bot");
  });
  after(() => upstream.close());
  beforeEach(async () => {
    Object.assign(upstream, { prompts: PROMPTS, resources: RESOURCES });
    slug = await createSyncedServer(api.service, `Items ${++count}`, upstream.url);
    await createGroup(api.service, `Group ${count}`, { slugs: [slug], emails: [bot.email] });
  });

  const policy = (tool_policy: string) => api.call("PATCH", `/api/mcp-servers?slug=${slug}`, { tool_policy });
  const detail = async () => (await api.call("GET", `/api/mcp-servers/${slug}`)).body.data;
  const changes = async () => (await api.call("GET", `/api/mcp-servers/${slug}/tools/changes`)).body.data;
  const decide = (decision: "accept" | "reject", tools?: object[]) =>
    api.call("POST", `/api/mcp-servers/${slug}/tools/${decision}`, tools && { tools });
  /** Repeats the sync, because it may share one that started before the lists changed. */
  const sync = async (wanted: (now: Awaited<ReturnType<typeof detail>>) => boolean | Promise<boolean>) => {
    do await api.call("POST", `/api/mcp-servers/${slug}/sync`);
    while (!(await wanted(await detail())));
  };
  const change = async (expected: number) => {
    Object.assign(upstream, { prompts: CHANGED_PROMPTS, resources: CHANGED_RESOURCES });
    await sync((now) => now.tools_changed_count === expected);
  };
  const list = async (method: string, member: string) => {
    const { body } = await api.service.mcp(
      bot.credential,
      requestText("modern", method, []),
      eraHeaders("modern", method),
    );
    const items: { name: string; uri?: string; uriTemplate?: string; description?: string }[] = body.result[member];
    const own = items.filter(({ name }) => member !== "prompts" || name.startsWith(`${slug}__`));
    return own.map(({ name, uri, uriTemplate, description }) => `${uri ?? uriTemplate ?? name}: ${description ?? ""}`);
  };
  const listed = async () => ({
    prompts: (await list("prompts/list", "prompts")).map((each) => each.slice(slug.length + 2)),
    resources: await list("resources/list", "resources"),
    templates: await list("resources/templates/list", "resourceTemplates"),
  });
  const onlyThisServer = async () => {
    for (let n = 1; n < count; n++) await api.call("DELETE", `/api/mcp-servers?slug=items-${n}`);
  };

  it("are hidden while the policy holds them, and available once accepted", async () => {
    await onlyThisServer();
    await policy("hold");
    const audited = await api.auditOf(() => change(5));
    // A sync that was running when the lists changed may have read some of them before.
    const recorded = audited.map(({ after }) => after as { held: boolean; tools: { tool: string; kind: string }[] });
    assert.deepEqual(recorded.flatMap(({ tools }) => tools.map(({ kind, tool }) => `${kind} ${tool}`)).sort(), [
      ...["prompt more", "prompt plan", "resource file:///a", "resource file:///b"],
      "resource_template file:///{path}",
    ]);
    for (const { operation } of audited) assert.equal(operation, "toolsChanged");
    for (const { held } of recorded) assert.equal(held, true);
    assert.deepEqual(await listed(), { prompts: [], resources: [], templates: [] });
    const get = requestText("modern", "prompts/get", [`"name":"${slug}__plan"`]);
    const answer = await api.service.mcp(bot.credential, get, eraHeaders("modern", "prompts/get", `${slug}__plan`));
    assert.equal(answer.body.result, undefined, "nor can it be called");
    assert.equal((await detail()).tools_held_count, 5);
    const waiting = await changes();
    const { kind, differences, invisible_characters } = waiting[0];
    assert.deepEqual(
      [kind, differences.map(({ field }: { field: string }) => field), invisible_characters],
      ["prompt", ["description"], ["U+E0041"]],
    );
    const accepted = await decide("accept");
    assert.equal(accepted.body.data.accepted.length, 5, accepted.text);
    assert.deepEqual(await listed(), {
      prompts: ["plan: Plans and mails it", "more: New"],
      resources: ["file:///a: Another file", "file:///b: "],
      templates: ["file:///{path}: Other files"],
    });
    assert.deepEqual([(await detail()).tools_changed_count, await changes()], [0, []]);
  });

  it("are accepted and rejected one by one, with the digest that was reviewed", async () => {
    await onlyThisServer();
    await policy("hold");
    await change(5);
    const waiting: { kind: string; tool: string; digest: string }[] = await changes();
    const [plan, , file] = waiting.map(({ kind, tool, digest }) => ({ kind, tool, digest }));
    assert.ok(plan && file);
    assert.equal((await decide("accept", [{ ...plan, digest: "0".repeat(64) }])).status, 409);
    assert.equal((await decide("accept", [{ tool: plan.tool, digest: plan.digest }])).status, 400, "not a tool");
    assert.deepEqual((await decide("reject", [plan])).body.data.rejected, ["plan"]);
    assert.deepEqual((await decide("accept", [file])).body.data.accepted, ["file:///a"]);
    await sync((now) => now.tools_changed_count === 3);
    const now = await listed();
    assert.deepEqual([now.prompts, now.resources], [["plan: Plans"], ["file:///a: Another file"]]);
    upstream.prompts = PROMPTS;
    await sync((server) => server.tools_changed_count === 2);
    assert.deepEqual((await listed()).prompts, ["plan: Plans"]);
  });

  it("are flagged with the default policy, except resources, whose lists change all the time", async () => {
    await change(3);
    const waiting: { kind: string; held: boolean }[] = await changes();
    assert.deepEqual(
      waiting.map(({ kind, held }) => [kind, held]),
      [
        ["prompt", false],
        ["prompt", false],
        ["resource_template", false],
      ],
    );
    const { data } = (await api.call("GET", "/api/mcp-servers?needs_attention=true")).body;
    assert.ok(data.some((server: { slug: string }) => server.slug === slug));
    await policy("hold");
    assert.equal((await detail()).tools_held_count, 3);
    await policy("allow");
    assert.deepEqual([(await detail()).tools_changed_count, await changes()], [0, []]);
  });

  it("may change sizes and times without a review", async () => {
    await policy("hold");
    const grown = { ...RESOURCES.list[0], size: 5, annotations: { lastModified: "2026-01-01T00:00:00Z" } };
    upstream.resources = { ...RESOURCES, list: [grown] };
    const size = async () => {
      const { body } = await api.service.mcp(
        bot.credential,
        requestText("modern", "resources/list", []),
        eraHeaders("modern", "resources/list"),
      );
      return JSON.stringify(body.result.resources);
    };
    await sync(async () => (await size()).includes('"size":5'));
    assert.equal((await detail()).tools_changed_count, 0);
  });
});
