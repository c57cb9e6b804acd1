import assert from "node:assert/strict";
import { after, before, it } from "node:test";
import { onSqlite } from "#test/databases";
import { createGroup, createMachineUser, createServer, createSyncedServer, type MachineUser } from "#test/factories";
import { type CallerEra, eraHeaders, requestText } from "#test/mcp-messages";
import { type Service, startService } from "#test/start-service";
import { type RawUpstream, startRawUpstream } from "#test/upstreams/raw";

const ERAS = ["modern", "legacy"] as const;
const NOTES = { uri: "notes://a", name: "A", title: "The first", mimeType: "text/plain", size: 3 };
const SHARED = { uri: "shared://x", name: "X" };
const TEMPLATE = { uriTemplate: "notes://{id}/page", name: "page" };

onSqlite("resources at the gateway", (open) => {
  let service: Service;
  let bot: MachineUser;
  const upstreams: RawUpstream[] = [];

  before(async () => {
    service = await startService(await open());
    bot = await createMachineUser(service, "bot");
    for (const eras of ERAS) {
      const list = [{ ...NOTES, uri: `${eras}://a` }, SHARED, { uri: "mcp+modern:x", name: "posing" }];
      const templates = [
        TEMPLATE,
        { uriTemplate: `${eras}://{id}`, name: "own" },
        { uriTemplate: "bad://{", name: "bad" },
      ];
      const upstream = await startRawUpstream({ eras, resources: { list, templates, readable: /^(notes|modern):/ } });
      upstreams.push(upstream);
      await createSyncedServer(service, eras, upstream.url);
    }
    await createGroup(service, "bots", { slugs: ["modern", "legacy"], emails: [bot.email] });
  });
  after(async () => {
    await service?.close();
    for (const upstream of upstreams) await upstream.close();
  });

  const send = (era: CallerEra, method: string, members: string[] = [], name?: string) =>
    service.mcp(bot.credential, requestText(era, method, members), eraHeaders(era, method, name));
  const read = (era: CallerEra, uri: string) => send(era, "resources/read", [`"uri":${JSON.stringify(uri)}`], uri);
  const logged = async () => (await service.api("GET", "/api/logs?limit=1&method=resources/read")).body.data[0];

  for (const era of ERAS) {
    it(`are listed to a ${era} caller with their URIs, and duplicates qualified with the slug (D37)`, async () => {
      const { result } = (await send(era, "resources/list")).body;
      assert.deepEqual(result.resources, [
        { ...NOTES, uri: "legacy://a" },
        SHARED,
        { ...NOTES, uri: "modern://a" },
        { ...SHARED, uri: "mcp+modern:shared://x" },
      ]);
      assert.equal(result.cacheScope, era === "modern" ? "private" : undefined);
      const { resourceTemplates } = (await send(era, "resources/templates/list")).body.result;
      assert.deepEqual(resourceTemplates, [
        TEMPLATE,
        { uriTemplate: "legacy://{id}", name: "own" },
        { ...TEMPLATE, uriTemplate: "mcp+modern:notes://{id}/page" },
        { uriTemplate: "modern://{id}", name: "own" },
      ]);
    });

    for (const upstreamEra of ERAS) {
      it(`of a ${upstreamEra} upstream are read by a ${era} caller, and logged`, async () => {
        const uri = `${upstreamEra}://a`;
        const { body } = await read(era, uri);
        assert.deepEqual(body.result.contents, [{ uri, text: `text of ${uri}` }]);
        if (era === "modern") {
          const { ttlMs, cacheScope, resultType } = body.result;
          assert.deepEqual([ttlMs, cacheScope, resultType], [upstreamEra === "modern" ? 5 : 0, "private", "complete"]);
        }
        const { user_email, server_slug, tool, outcome } = await logged();
        assert.deepEqual([user_email, server_slug, tool, outcome], [bot.email, upstreamEra, uri, "ok"]);
      });
    }

    it(`with a duplicate URI are read by a ${era} caller from the intended server`, async () => {
      for (const [uri, slug] of [
        ["shared://x", "legacy"],
        ["mcp+modern:shared://x", "modern"],
        ["mcp+legacy:shared://x", "legacy"],
      ] as const) {
        assert.deepEqual((await read(era, uri)).body.result.contents[0].uri, "shared://x");
        assert.equal((await logged()).server_slug, slug, uri);
      }
    });

    it(`match templates for a ${era} caller: exact URIs before templates, then in slug order`, async () => {
      for (const [uri, slug, tool] of [
        ["notes://7/page", "legacy", "notes://{id}/page"],
        ["mcp+modern:notes://7/page", "modern", "notes://{id}/page"],
        ["modern://a", "modern", "modern://a"],
        ["modern://b", "modern", "modern://{id}"],
      ] as const) {
        assert.ok((await read(era, uri)).body.result, uri);
        const row = await logged();
        assert.deepEqual([row.server_slug, row.tool], [slug, tool], uri);
      }
    });

    it(`return the same error to a ${era} caller if unknown or inaccessible, with the code of its era (D26)`, async () => {
      const code = era === "modern" ? -32602 : -32002;
      for (const uri of ["nothing://here", "mcp+nowhere:shared://x", "notes://7/8/page", "mcp+young:x"]) {
        const { status, body } = await read(era, uri);
        assert.deepEqual([status, body.error], [200, { code, message: "Resource not found", data: { uri } }], uri);
      }
      assert.equal((await logged()).outcome, "denied");
    });

    it(`missing at the upstream are reported with the code of a ${era} caller's era`, async () => {
      // The legacy upstream's template matches a URI that it does not serve.
      const { error } = (await read(era, "legacy://gone")).body;
      assert.equal(error.code, era === "modern" ? -32602 : -32002);
      assert.equal((await logged()).outcome, "error");
    });
  }

  it("are limited to one server at its URL (D27)", async () => {
    const post = async (target: string, method: string, params: object = {}) => {
      const headers = { authorization: `Bearer ${bot.credential}`, "content-type": "application/json" };
      const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method, params });
      return (await service.http(target, { method: "POST", headers, body })).body;
    };
    const { resources } = (await post("/mcp/modern", "resources/list")).result;
    assert.deepEqual(
      resources.map(({ uri }: { uri: string }) => uri),
      ["modern://a", "shared://x"],
    );
    await post("/mcp/modern", "resources/read", { uri: "shared://x" });
    assert.equal((await logged()).server_slug, "modern");
    await post("/mcp/modern", "resources/read", { uri: "legacy://a" });
    assert.equal((await logged()).server_slug, "modern", "never another server");
  });

  it("of a new server are available to its first caller", async () => {
    const upstream = await startRawUpstream({ resources: { list: [{ uri: "young://a", name: "a" }] } });
    upstreams.push(upstream);
    const slug = await createServer(service, "Young", upstream.url);
    await service.api("POST", "/api/groups/bots/integrations", { slugs: [slug] });
    assert.ok((await read("modern", "young://a")).body.result);
  });

  it("reject an invalid cursor or a missing URI with a clear message", async () => {
    assert.equal((await send("legacy", "resources/list", ['"cursor":"?"'])).body.error.message, "Invalid cursor");
    const { error } = (await send("legacy", "resources/read")).body;
    assert.deepEqual(error, { code: -32602, message: "params.uri must be a string" });
  });
});
