import assert from "node:assert/strict";
import { once } from "node:events";
import { type ClientRequest, request as httpRequest, type IncomingMessage } from "node:http";
import { after, before, beforeEach, describe, it } from "node:test";
import { openTestSqlite, type TestDatabase } from "#test/databases";
import { createGroup, createMachineUser, createServer, createSyncedServer, type MachineUser } from "#test/factories";
import { eventsOf } from "#test/gateway-kit";
import { type CallerEra, callText, eraHeaders } from "#test/mcp-messages";
import { type Service, startService } from "#test/start-service";
import { type Behaviour, type RawUpstream, type SeenRequest, startRawUpstream } from "#test/upstreams/raw";

interface CallOptions {
  readonly progressToken?: string;
  readonly logLevel?: string;
  readonly accept?: string;
}

const SLUG = { modern: "modern", legacy: "legacy" };

/** Behavior does not depend on the database, so one is enough. */
describe("long-running call", () => {
  let database: TestDatabase;
  let service: Service;
  let bot: MachineUser;
  let upstreams: Record<CallerEra, RawUpstream>;

  before(async () => {
    database = await openTestSqlite();
    service = await startService(database);
    bot = await createMachineUser(service, "bot");
    upstreams = {
      modern: await startRawUpstream({ eras: "modern" }),
      legacy: await startRawUpstream({ eras: "legacy", sessions: true }),
    };
    for (const era of ["modern", "legacy"] as const) await createSyncedServer(service, SLUG[era], upstreams[era].url);
    await createGroup(service, "bots", { slugs: Object.values(SLUG), emails: [bot.email] });
  });
  after(async () => {
    await service?.close();
    for (const upstream of Object.values(upstreams ?? {})) await upstream.close();
    await database?.close();
  });
  beforeEach(() => {
    for (const upstream of Object.values(upstreams)) upstream.seen.length = 0;
  });

  function call(caller: CallerEra, upstream: CallerEra, options: CallOptions = {}) {
    const tool = `${SLUG[upstream]}__echo`;
    const { accept = "application/json, text/event-stream", ...rest } = options;
    const text = callText({ era: caller, id: '"mine"', tool, arguments: '{"a":1}', ...rest });
    return service.mcp(bot.credential, text, { ...eraHeaders(caller, "tools/call", tool), accept });
  }

  /** Starts a call without waiting for its response. */
  function startCall(caller: CallerEra, slug: string): ClientRequest {
    const tool = `${slug}__echo`;
    const headers = {
      authorization: `Bearer ${bot.credential}`,
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      ...eraHeaders(caller, "tools/call", tool),
    };
    const request = httpRequest(`${service.url}/mcp`, { method: "POST", headers });
    request.on("error", () => {});
    request.end(callText({ era: caller, id: "1", tool, arguments: "{}", progressToken: '"mine"' }));
    return request;
  }

  const lastCall = (upstream: RawUpstream) => upstream.seen.findLast((seen) => seen.method === "tools/call");
  const lastRecord = async (slug: string) =>
    (await service.api("GET", `/api/logs?limit=1&method=tools/call&server=${slug}`)).body.data[0];

  for (const caller of ["modern", "legacy"] as const) {
    for (const era of ["modern", "legacy"] as const) {
      describe(`from a ${caller} caller to a ${era} upstream`, () => {
        it("streams progress with the caller's token, then the response on the same stream", async () => {
          upstreams[era].behave = (seen) => (seen.method === "tools/call" ? "sse-progress" : "json");
          const answer = await call(caller, era, { progressToken: '"my token"' });
          assert.equal(answer.headers["content-type"], "text/event-stream");
          const [first, second, last, ...rest] = eventsOf(answer.text).map((event) => JSON.parse(event));
          assert.deepEqual([first.params.progressToken, first.params.progress], ["my token", 1]);
          assert.deepEqual([second.params.progressToken, second.params.progress], ["my token", 2]);
          assert.deepEqual([last.id, last.result.structuredContent, rest], ["mine", { a: 1 }, []]);
          assert.equal(lastCall(upstreams[era])?.body.includes("my token"), false);
          assert.equal((await lastRecord(SLUG[era])).outcome, "ok");
        });

        it("responds with plain JSON when no progress was requested or events are not accepted", async () => {
          for (const behaviour of ["sse-progress", "sse", "json"] as const) {
            upstreams[era].behave = (seen) => (seen.method === "tools/call" ? behaviour : "json");
            for (const options of [{}, { progressToken: "7", accept: "application/json" }]) {
              const answer = await call(caller, era, options);
              assert.equal(answer.headers["content-type"], "application/json");
              assert.deepEqual([answer.body.id, answer.body.result.structuredContent], ["mine", { a: 1 }]);
            }
          }
        });

        it("streams the server's log messages at the level that the caller requested", async () => {
          upstreams[era].behave = (seen) => (seen.method === "tools/call" ? logged(seen) : "json");
          const levels = async (logLevel?: string) => {
            const answer = await call(caller, era, logLevel ? { logLevel } : {});
            if (answer.headers["content-type"] === "application/json") return [];
            return eventsOf(answer.text)
              .map((event) => JSON.parse(event).params?.level)
              .filter(Boolean);
          };
          // A legacy caller sets the level once for its session, and the upstream applies it.
          assert.deepEqual(await levels(), caller === "modern" ? [] : ["info", "error"]);
          if (caller === "modern")
            assert.deepEqual([await levels("debug"), await levels("warning")], [["info", "error"], ["error"]]);
        });

        it("is cancelled at the upstream and logged as cancelled when the caller disconnects (GW-13)", async () => {
          const upstream = upstreams[era];
          upstream.behave = (seen) => (seen.method === "tools/call" ? "hang" : "json");
          const notices = upstream.count("notifications/cancelled");
          const request = startCall(caller, SLUG[era]);
          await until(() => lastCall(upstream) !== undefined);
          request.destroy();
          await until(() => lastCall(upstream)?.aborted === true);
          await until(async () => (await lastRecord(SLUG[era]))?.outcome === "cancelled");
          // A modern upstream is cancelled by closing the connection; a legacy one needs a notification.
          await until(() => upstream.count("notifications/cancelled") === notices + (era === "legacy" ? 1 : 0));
        });
      });
    }
  }

  it("is cancelled when the caller disconnects in the middle of the stream", async () => {
    const upstream = upstreams.legacy;
    upstream.behave = (seen) => (seen.method === "tools/call" ? progressOnly(seen, 100_000) : "json");
    const notices = upstream.count("notifications/cancelled");
    const request = startCall("legacy", "legacy");
    const [response] = (await once(request, "response")) as [IncomingMessage]; // Node's type for this event
    const [chunk] = await once(response, "data");
    assert.match(String(chunk), /"progressToken":"mine"/);
    response.on("error", () => {});
    request.destroy();
    await until(async () => (await lastRecord("legacy"))?.outcome === "cancelled");
    await until(() => upstream.count("notifications/cancelled") === notices + 1);
  });

  it("is not forwarded when the caller disconnects during the first sync", async (test) => {
    const upstream = await startRawUpstream({ delayMs: () => 100 });
    test.after(() => upstream.close());
    const slug = await createServer(service, "Fresh", upstream.url);
    await service.api("POST", "/api/groups/bots/integrations", { slugs: [slug] });
    const request = startCall("modern", slug);
    await once(request, "finish");
    request.destroy();
    await until(async () => (await lastRecord(slug))?.outcome === "cancelled");
    assert.equal(upstream.count("tools/call"), 0);
  });

  it("ends with an error on the stream when the upstream breaks off after sending progress", async () => {
    upstreams.modern.behave = (seen) => (seen.method === "tools/call" ? progressOnly(seen, 0) : "json");
    const answer = await call("modern", "modern", { progressToken: '"mine"' });
    const [progress, last] = eventsOf(answer.text).map((event) => JSON.parse(event));
    assert.equal(progress.params.progressToken, "mine");
    assert.equal(last.id, "mine");
    assert.match(last.error.message, /^Server "modern" /);
    assert.equal((await lastRecord("modern")).outcome, "upstream_failed");
  });

  it("reopens an upstream session that has expired, without the caller noticing", async () => {
    const upstream = upstreams.legacy;
    upstream.behave = () => "json";
    await call("legacy", "legacy");
    const [opened, calls] = [upstream.count("initialize"), upstream.count("tools/call")];
    upstream.forgetSessions();
    const answer = await call("legacy", "legacy");
    assert.deepEqual(answer.body.result.structuredContent, { a: 1 });
    assert.equal(upstream.count("initialize"), opened + 1);
    assert.equal(upstream.count("tools/call"), calls + 2);
    assert.equal((await lastRecord("legacy")).outcome, "ok");
  });
});

/** A stream with one notification that ends there, or that stays open if more bytes are announced than are sent. */
function progressOnly(seen: SeenRequest, missingBytes: number): Behaviour {
  const token = /"progressToken":(\d+)/.exec(seen.body.toString("latin1"))?.[1];
  const params = `{"progressToken":${token},"progress":1}`;
  const body = `data: {"jsonrpc":"2.0","method":"notifications/progress","params":${params}}\n\n`;
  const length = String(body.length + missingBytes);
  return { status: 200, body, headers: { "content-type": "text/event-stream", "content-length": length } };
}

/** Two log messages, then the response. */
function logged({ id }: SeenRequest): Behaviour {
  const lines = ["info", "error"].map(
    (level) => `{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"${level}","data":"x"}}`,
  );
  const messages = [...lines, `{"jsonrpc":"2.0","id":${id},"result":{"content":[]}}`];
  const body = messages.map((message) => `data: ${message}\n\n`).join("");
  return { status: 200, body, headers: { "content-type": "text/event-stream" } };
}

/** Polls, because the effect happens on another connection. */
async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  for (let attempt = 0; attempt < 500; attempt++) {
    if (await condition()) return;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  assert.fail(`never became true: ${condition}`);
}
