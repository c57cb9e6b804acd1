import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createApi } from "./client.ts";
import { createGateway, type Progress } from "./gateway.ts";

const TOKEN_PATH = "/api/me/playground-token";

/** A gateway client over a simulated service; `mcp` answers requests to `/mcp`. */
function simulate(mcp: (authorization: string, message: { id: number; method: string }) => Response, lifeMs = 300_000) {
  const tokens: string[] = [];
  const fetch = async (input: unknown, init?: RequestInit) => {
    const path = String(input);
    if (path === TOKEN_PATH) {
      const token = `gh_ap_${tokens.push(path)}`;
      return Response.json({ token, expires_at: new Date(Date.now() + lifeMs).toISOString() }, { status: 201 });
    }
    assert.equal(path, "/mcp");
    return mcp(new Headers(init?.headers).get("authorization") ?? "", JSON.parse(String(init?.body)));
  };
  const fail = () => assert.fail("the session expired");
  const gateway = createGateway(createApi({ onSignedOut: fail, onUserChanged: fail }, "", fetch), "/mcp", fetch);
  return { gateway, tokens };
}

describe("the playground's gateway client", () => {
  const signal = new AbortController().signal;
  const empty = (id: number) => Response.json({ jsonrpc: "2.0", id, result: { tools: [] } });

  it("reuses a token until shortly before it expires, and creates a new one after a 401", async () => {
    const lasting = simulate((_authorization, { id }) => empty(id));
    await lasting.gateway.listTools(signal);
    await lasting.gateway.listTools(signal);
    assert.equal(lasting.tokens.length, 1);
    const expiring = simulate((_authorization, { id }) => empty(id), 20_000);
    await expiring.gateway.listTools(signal);
    await expiring.gateway.listTools(signal);
    assert.equal(expiring.tokens.length, 2);
    const rejected = simulate((authorization, { id }) =>
      authorization.endsWith("_1") ? new Response("", { status: 401 }) : empty(id),
    );
    await rejected.gateway.listTools(signal);
    assert.equal(rejected.tokens.length, 2);
  });

  it("reports progress and finds the response in a stream that arrives byte by byte", async () => {
    const { gateway } = simulate((_authorization, { id }) => {
      const text = [
        ": hello\r\n\r\n",
        `event: message\r\ndata: ${JSON.stringify({ jsonrpc: "2.0", method: "notifications/progress", params: { progress: 1, total: 2, message: "é" } })}\r\n\r\n`,
        `data: ${JSON.stringify({ jsonrpc: "2.0", id, result: { content: [] } })}\n\n`,
      ].join("");
      const bytes = new TextEncoder().encode(text);
      const stream = new ReadableStream<Uint8Array>({
        start(controller) {
          for (let at = 0; at < bytes.length; at++) controller.enqueue(bytes.slice(at, at + 1));
          controller.close();
        },
      });
      return new Response(stream, { headers: { "content-type": "text/event-stream", "x-request-id": "req_1" } });
    });
    const steps: Progress[] = [];
    const answer = await gateway.callTool("a__b", {}, { onProgress: (step) => steps.push(step) });
    const result = { content: [] };
    assert.deepEqual(answer, { result, error: undefined, verbatim: result, requestId: "req_1" });
    assert.deepEqual(steps, [{ progress: 1, total: 2, message: "é" }]);
  });

  it("rejects a truncated stream and a response that is not JSON-RPC", async () => {
    const stream = new Response("data: {}\n\n", { headers: { "content-type": "text/event-stream" } });
    await assert.rejects(simulate(() => stream).gateway.callTool("a__b", {}, {}), { name: "ApiError" });
    const page = new Response("<html>", { status: 502 });
    await assert.rejects(simulate(() => page).gateway.callTool("a__b", {}, {}), { name: "ApiError", status: 502 });
  });
});
