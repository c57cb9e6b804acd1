import assert from "node:assert/strict";
import { after, before, it } from "node:test";
import { onSqlite } from "#test/databases";
import { createGroup, createMachineUser, createSyncedServer, type MachineUser } from "#test/factories";
import { initializeRequest, readEvents } from "#test/gateway-kit";
import { type CallerEra, callText, eraHeaders } from "#test/mcp-messages";
import { type Service, startService } from "#test/start-service";
import { startEventStreamUpstream } from "#test/upstreams/event-stream";
import { type RawUpstream, type RawUpstreamOptions, type SeenRequest, startRawUpstream } from "#test/upstreams/raw";

const ERAS = ["modern", "legacy"] as const;

onSqlite("the shared credential at the gateway", (open) => {
  let service: Service;
  let bot: MachineUser;
  const upstreams: RawUpstream[] = [];
  before(async () => {
    service = await startService(await open());
    bot = await createMachineUser(service, "bot");
    await createGroup(service, "bots", { emails: [bot.email] });
  });
  after(async () => {
    await service?.close();
    for (const upstream of upstreams) await upstream.close();
  });

  const start = async (options: RawUpstreamOptions = {}) => {
    const upstream = await startRawUpstream(options);
    upstreams.push(upstream);
    return upstream;
  };
  const added = async (name: string, url: string, sharedHeaders: object) => {
    const slug = await createSyncedServer(service, name, url, { auth_settings: { sharedHeaders } });
    await service.api("POST", "/api/groups/bots/integrations", { slugs: [slug] });
    return slug;
  };
  const call = (slug: string, era: CallerEra = "legacy", headers: Record<string, string> = {}) => {
    const tool = `${slug}__echo`;
    const text = callText({ era, id: "7", tool, arguments: '{"n":1}' });
    return service.mcp(bot.credential, text, { ...eraHeaders(era, "tools/call", tool), ...headers });
  };
  const assertWorks = async (...args: Parameters<typeof call>) => {
    const answer = await call(...args);
    assert.deepEqual(answer.body?.result?.structuredContent, { n: 1 }, answer.text);
  };
  const patch = async (slug: string, body: object) => {
    const answer = await service.api("PATCH", `/api/mcp-servers?slug=${slug}`, body);
    assert.equal(answer.status, 200, answer.text);
  };
  const keysOf = (seen: readonly SeenRequest[]) => new Set(seen.map(({ headers }) => headers["x-api-key"]));
  const calls = ({ seen }: RawUpstream) => seen.filter(({ method }) => method === "tools/call");

  for (const eras of ERAS) {
    for (const era of ERAS) {
      it(`is sent with every request of a ${era} caller to a ${eras} upstream`, async () => {
        const upstream = await start({ eras, sessions: eras === "legacy" });
        const slug = await added(`${eras} ${era}`, upstream.url, {
          "X-Api-Key": "k-1",
          Authorization: "Bearer \u00e9",
        });
        assert.ok(upstream.count("tools/list") > 0);
        await assertWorks(slug, era);
        await assertWorks(slug, era);
        assert.equal(calls(upstream).length, 2);
        for (const { method, headers } of upstream.seen) {
          assert.deepEqual([headers["x-api-key"], headers.authorization], ["k-1", "Bearer \u00e9"], method);
        }
      });
    }

    it(`uses a changed value from the next ${eras} call on, and nothing once it is removed`, async () => {
      const upstream = await start({ eras, sessions: eras === "legacy" });
      const slug = await added(`changed ${eras}`, upstream.url, { "X-Api-Key": "old" });
      await assertWorks(slug);
      for (const value of ["new", null]) {
        await patch(slug, { auth_settings: { sharedHeaders: { "X-Api-Key": value } } });
        const before = calls(upstream).length;
        await assertWorks(slug);
        assert.deepEqual(keysOf(calls(upstream).slice(before)), new Set([value ?? undefined]));
      }
    });

    it(`is sent when callers listen to a ${eras} upstream`, async () => {
      const upstream = await start({ eras, sessions: true });
      const slug = await added(`listened ${eras}`, upstream.url, { "X-Api-Key": "k-2" });
      const hello = await service.mcp(bot.credential, initializeRequest());
      const session = { "mcp-session-id": String(hello.headers["mcp-session-id"]) };
      const authorization = `Bearer ${bot.credential}`;
      upstream.seen.length = 0;
      const stream = await readEvents(`${service.url}/mcp`, { method: "GET", headers: { authorization, ...session } });
      const first = eras === "modern" ? "subscriptions/listen" : "initialize";
      while (!upstream.seen.some(({ method }) => method === first))
        await new Promise((resolve) => setTimeout(resolve, 5));
      await assertWorks(slug, "legacy", session);
      stream.close();
      assert.deepEqual(keysOf(upstream.seen), new Set(["k-2"]));
    });
  }

  it("is sent over HTTP+SSE with the stream and every message", async () => {
    const upstream = await startEventStreamUpstream();
    const rest = { auth_settings: { sharedHeaders: { Authorization: "Bearer sse" } } };
    const proxy = { mcp_proxy: JSON.stringify({ type: "sse", url: upstream.url }) };
    const slug = await createSyncedServer(service, "Events", upstream.url, { ...rest, ...proxy });
    await service.api("POST", "/api/groups/bots/integrations", { slugs: [slug] });
    const answer = await call(slug);
    assert.equal(answer.body.result.isError, undefined, answer.text);
    assert.deepEqual(new Set(upstream.streamTokens), new Set(["Bearer sse"]));
    assert.deepEqual(new Set(upstream.seen.map(({ headers }) => headers.authorization)), new Set(["Bearer sse"]));
    await upstream.close();
  });

  it("does not follow a redirect or the server to another origin", async () => {
    const other = await start();
    const upstream = await start();
    const slug = await added("moving", upstream.url, { "X-Api-Key": "stays" });
    upstream.behave = () => ({ status: 307, headers: { location: other.url } });
    const answer = await call(slug);
    assert.equal(answer.body.result?.isError ?? answer.body.error !== undefined, true, answer.text);
    assert.equal(other.seen.length, 0);
    await patch(slug, { upstream: { url: other.url, type: "http" } });
    const synced = await service.api("POST", `/api/mcp-servers/${slug}/sync`);
    assert.equal(synced.body.data.sync_error, null);
    await assertWorks(slug);
    assert.deepEqual(keysOf(other.seen), new Set([undefined]));
  });

  it("reports a rejected credential without its value, and recovers once it is replaced", async () => {
    const upstream = await start({
      behave: ({ headers }) => (headers["x-api-key"] === "good" ? "json" : { status: 401 }),
    });
    const slug = await added("rejected", upstream.url, { "X-Api-Key": "good" });
    await patch(slug, { auth_settings: { sharedHeaders: { "X-Api-Key": "wrong-value" } } });
    const { body, text } = await call(slug);
    assert.match(JSON.stringify(body), /rejected the credential \(HTTP 401\)/);
    assert.doesNotMatch(text, /wrong-value/);
    const failed = await service.api("POST", `/api/mcp-servers/${slug}/sync`);
    assert.match(failed.body.data.sync_error, /HTTP 401/);
    await patch(slug, { auth_settings: { sharedHeaders: { "X-Api-Key": "good" } } });
    const synced = await service.api("POST", `/api/mcp-servers/${slug}/sync`);
    assert.equal(synced.body.data.sync_error, null);
    await assertWorks(slug);
  });
});
