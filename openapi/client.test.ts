import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer, type IncomingMessage, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, it } from "node:test";
import { forEachApi } from "#test/api";
import { ApiError, createClient } from "./client.ts";

forEachApi("the typed client", (api) => {
  const client = (token = api.service.token) => createClient({ baseUrl: `${api.service.url}/`, token });

  it("asks and answers with types from the document", async () => {
    const made = await client().createGroup({ body: { name: "Engineering", settings: { show_draft_mcps: true } } });
    const drafts: boolean = made.data.settings.show_draft_mcps;
    assert.equal(drafts, true);
    await client().createGroup({ body: { name: "Sales" }, headers: { "Idempotency-Key": "one" } });
    const page = await client().listGroups({ query: { search: "eng", limit: 1, skip: undefined } });
    assert.deepEqual([page.data, page.pagination], [[made.data], { skip: 0, limit: 1, hasMore: false }]);
    assert.equal((await client().listGroups()).data.length, 2);
    const removed: string = (await client().deleteGroup({ query: { name: "sales" } })).message;
    assert.equal(removed, "Group deleted successfully");
    // @ts-expect-error a target must be named
    await assert.rejects(client().deleteGroup(), { message: "name query parameter is required" });
    // @ts-expect-error a name is text
    await assert.rejects(client().createGroup({ body: { name: 1 } }), { message: "name: must be a string" });
  });

  it("a name in a path or a header arrives as it was given", async () => {
    const name = "R&D / 50% ? #1 + Bücher 本";
    await client().createMcpServer({ body: { name: "Shelf", status: "active" } });
    await client().createGroup({ body: { name } });
    await client().addIntegrationsToGroup({ path: { name }, body: { slugs: ["shelf"] } });
    const { data } = await client().listMcpServers({ headers: { "x-service-group": name } });
    assert.deepEqual(
      data.map((server) => server.slug),
      ["shelf"],
    );
  });

  it("a name that an address takes for a step upwards reaches no other operation", async () => {
    const email = "ada@example.com";
    await client().createUser({ body: { name: "Ada", email } });
    await assert.rejects(client().removeUserFromGroup({ path: { name: ".." }, query: { email } }), {
      name: "ApiError",
      status: 0,
      message: 'name: ".." cannot stand in an address',
    });
    assert.equal((await client().listUsers({ query: { search: email } })).data.length, 1);
  });

  it("an error carries status, message, code and the request's id", async () => {
    const error = await failure(client().createGroup({ body: { name: " " } }));
    assert.deepEqual([error.status, error.message, error.code], [400, "name: name is required", "INVALID_FORMAT"]);
    assert.match(error.requestId ?? "", /^req_/);
    const missing = await failure(client().deleteGroup({ query: { name: "unknown" } }));
    assert.deepEqual([missing.status, missing.message, missing.code], [404, "Group not found", undefined]);
    assert.deepEqual(missing.body, { error: "Group not found" });
    const stranger = await failure(client("wrong").listGroups());
    assert.deepEqual([stranger.status, stranger.message], [401, "Unauthorized"]);
  });
});

describe("the typed client and what else may answer", () => {
  it("reports status 0 and the reason if the service is unreachable", async () => {
    const url = await withServer(
      () => {},
      async (address) => address,
    );
    const error = await failure(createClient({ baseUrl: url }).listGroups());
    assert.deepEqual([error.status, error.message], [0, "The service cannot be reached"]);
    assert.ok(error.cause instanceof Error);
  });

  it("reports the status of a proxy's page, and does not treat it as data", async () => {
    const answer =
      (status: number): RequestListener =>
      (_request, response) =>
        response.writeHead(status, { "retry-after": "7" }).end("<h1>Bad gateway</h1>");
    const ask = (status: number) =>
      withServer(answer(status), (url) => failure(createClient({ baseUrl: url }).listGroups()));
    const error = await ask(502);
    assert.deepEqual(
      [error.status, error.message, error.retryAfterSeconds],
      [502, "The service answered with status 502", 7],
    );
    assert.equal((await ask(200)).message, "The service answered with something else than JSON");
  });

  it("a redirect is not followed: the token stays here", async () => {
    const seen: IncomingMessage[] = [];
    const listener: RequestListener = (request, response) => {
      seen.push(request);
      response.writeHead(307, { location: "/elsewhere" }).end();
    };
    const error = await withServer(listener, (url) =>
      failure(createClient({ baseUrl: url, token: "t" }).createGroup({ body: { name: "x" } })),
    );
    assert.deepEqual([error.status, seen.length], [0, 1]);
  });

  it("a caller's own abort comes back as that, not as an error of the service", async () => {
    const abort = new AbortController();
    const listener: RequestListener = () => abort.abort();
    await withServer(listener, async (url) => {
      const call = createClient({ baseUrl: url }).listGroups({ signal: abort.signal });
      await assert.rejects(call, { name: "AbortError" });
    });
  });

  it("sends its version, and the headers and the token that it was given", async () => {
    const listener: RequestListener = (request, response) => response.end(JSON.stringify(request.headers));
    const sent = await withServer(listener, async (url): Promise<Record<string, unknown>> => {
      const answer: unknown = await createClient({ baseUrl: url, token: "t", headers: { "x-page": "p" } }).listGroups();
      return answer as Record<string, unknown>; // what the listener above wrote
    });
    assert.deepEqual([sent.authorization, sent["service-api-version"], sent["x-page"]], ["Bearer t", "1", "p"]);
    assert.equal("content-type" in sent, false);
  });
});

async function failure(call: Promise<unknown>): Promise<ApiError> {
  const error = await call.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  assert.ok(error instanceof ApiError, String(error));
  return error;
}

async function withServer<Value>(listener: RequestListener, work: (url: string) => Promise<Value>): Promise<Value> {
  const server = createServer(listener).listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo; // it listens on TCP
  try {
    return await work(`http://127.0.0.1:${port}`);
  } finally {
    server.closeAllConnections();
    server.close();
  }
}
