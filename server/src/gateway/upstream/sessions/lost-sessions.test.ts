import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { createCaller, serverEntry } from "#test/upstreams/caller";
import { type SeenRequest, startRawUpstream } from "#test/upstreams/raw";

async function sessionful(t: TestContext) {
  const upstream = await startRawUpstream({ eras: "legacy", sessions: true });
  const caller = createCaller();
  t.after(async () => {
    await caller.close();
    await upstream.close();
  });
  const server = serverEntry(upstream.url, ["legacy"]);
  const call = async (n: number) => {
    const { response, failure } = await caller.call(server, { arguments: `{"n":${n}}` });
    assert.equal(failure, undefined);
    return JSON.parse(response ?? "");
  };
  await call(0);
  return { upstream, call, session: upstream.seen.at(-1)?.headers["mcp-session-id"] };
}

/** The response of servers that copied the first examples of the SDK. */
const refusal = (id: string | undefined, message: string) => ({
  status: 400,
  body: `{"jsonrpc":"2.0","id":${id},"error":{"code":-32000,"message":"Bad Request: ${message}"}}`,
});

for (const [whose, idOf] of [
  ["the call's id", ({ id }: SeenRequest) => id],
  ["its own id", () => '"server-error"'],
  ["no id", () => "null"],
] as const) {
  test(`opens a session again, once, after a 400 for a lost session with ${whose}`, async (t) => {
    const { upstream, call, session } = await sessionful(t);
    upstream.behave = (seen) =>
      seen.headers["mcp-session-id"] === session ? refusal(idOf(seen), "No valid session ID provided") : "json";
    for (const n of [1, 2]) assert.deepEqual((await call(n)).result.structuredContent, { n });
    assert.deepEqual([upstream.count("initialize"), upstream.count("tools/call")], [2, 4]);
  });
}

test("treats a 400 that does not mention a session as a response, and sends nothing again (GW-14)", async (t) => {
  const { upstream, call } = await sessionful(t);
  upstream.behave = ({ id }) => refusal(id, "obsessions are not supported");
  assert.match((await call(1)).error.message, /obsessions/);
  assert.deepEqual([upstream.count("initialize"), upstream.count("tools/call")], [1, 2]);
});
