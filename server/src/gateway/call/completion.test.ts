import assert from "node:assert/strict";
import { after, before, it } from "node:test";
import { onSqlite } from "#test/databases";
import { createGroup, createMachineUser, createSyncedServer, type MachineUser } from "#test/factories";
import { type CallerEra, eraHeaders, requestText } from "#test/mcp-messages";
import { type Service, startService } from "#test/start-service";
import { type RawUpstream, startRawUpstream } from "#test/upstreams/raw";

const ERAS = ["modern", "legacy"] as const;
const LISTS = {
  prompts: [{ name: "greet" }],
  resources: { list: [{ uri: "a://b", name: "b" }], templates: [{ uriTemplate: "a://{id}", name: "t" }] },
};

onSqlite("completion at the gateway", (open) => {
  let service: Service;
  let bot: MachineUser;
  const upstreams: RawUpstream[] = [];

  before(async () => {
    service = await startService(await open());
    bot = await createMachineUser(service, "bot");
    for (const slug of [...ERAS, "mute", "hidden"] as const) {
      const eras = slug === "modern" || slug === "legacy" ? slug : "both";
      const upstream = await startRawUpstream({ ...LISTS, eras, completes: slug !== "mute" });
      upstreams.push(upstream);
      await createSyncedServer(service, slug, upstream.url);
    }
    await createGroup(service, "bots", { slugs: ["modern", "legacy", "mute"], emails: [bot.email] });
  });
  after(async () => {
    await service?.close();
    for (const upstream of upstreams) await upstream.close();
  });

  const complete = (era: CallerEra, ref: unknown) => {
    const members = [`"ref":${JSON.stringify(ref)}`, '"argument":{"name":"who","value":"a"}'];
    const text = requestText(era, "completion/complete", members);
    return service.mcp(bot.credential, text, eraHeaders(era, "completion/complete"));
  };
  const values = async (era: CallerEra, ref: unknown) => (await complete(era, ref)).body.result.completion.values;
  const logged = async () => (await service.api("GET", "/api/logs?limit=1&method=completion/complete")).body.data[0];

  for (const era of ERAS) {
    it(`is forwarded for a prompt to its server, with the upstream's name, for a ${era} caller`, async () => {
      for (const slug of ERAS) {
        assert.deepEqual(await values(era, { type: "ref/prompt", name: `${slug}__greet` }), ["greet"]);
        const row = await logged();
        assert.deepEqual([row.server_slug, row.tool, row.outcome], [slug, "greet", "ok"]);
      }
    });

    it(`resolves a resource by its listed URI, for a ${era} caller (D37)`, async () => {
      for (const [uri, own, slug] of [
        ["a://{id}", "a://{id}", "legacy"],
        ["mcp+modern:a://{id}", "a://{id}", "modern"],
        ["a://b", "a://b", "legacy"],
      ] as const) {
        assert.deepEqual(await values(era, { type: "ref/resource", uri }), [own]);
        assert.equal((await logged()).server_slug, slug);
      }
    });

    it(`is empty, not an error, for a server without completion, for a ${era} caller`, async () => {
      const { result } = (await complete(era, { type: "ref/prompt", name: "mute__greet" })).body;
      assert.deepEqual(result.completion, { values: [], total: 0, hasMore: false });
      assert.equal(result.resultType, era === "modern" ? "complete" : undefined);
    });

    it(`returns the same error for an unknown and an inaccessible reference, for a ${era} caller (D26)`, async () => {
      for (const ref of [
        { type: "ref/prompt", name: "hidden__greet" },
        { type: "ref/prompt", name: "nowhere__greet" },
        { type: "ref/resource", uri: "mcp+hidden:a://{id}" },
        { type: "ref/resource", uri: "a://c" },
      ]) {
        const { error } = (await complete(era, ref)).body;
        assert.deepEqual(error, { code: -32602, message: `Unknown reference: ${ref.name ?? ref.uri}` });
        assert.equal((await logged()).outcome, "denied");
      }
    });
  }

  it("rejects an invalid reference with a clear message", async () => {
    for (const ref of [
      undefined,
      "x",
      {},
      { type: "ref/prompt" },
      { type: "ref/tool", name: "x" },
      { type: "ref/resource", uri: 1 },
    ]) {
      const { error } = (await complete("legacy", ref ?? null)).body;
      assert.deepEqual(error, { code: -32602, message: "params.ref must refer to a prompt or a resource" });
    }
  });
});
