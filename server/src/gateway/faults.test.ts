import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { Refusal } from "#lib/errors";
import { exampleGateway } from "#test/example-gateway";
import { listenOnLoopback } from "#test/upstreams/loopback";
import type { Gateway } from "./gateway.ts";
import { SnapshotHolder } from "./snapshot/holder.ts";

class BrokenHolder extends SnapshotHolder {
  override viewFor(): never {
    throw new Error("an unexpected error");
  }
}

describe("internal failure", () => {
  let gateway: Gateway;
  let server: Awaited<ReturnType<typeof listenOnLoopback>>;
  before(async () => {
    server = await listenOnLoopback((request, response) => gateway.handle(request, response));
  });
  after(() => server.close());

  const send = async (method: string, params: object) => {
    const answer = await fetch(`${server.origin}/mcp`, {
      method: "POST",
      headers: { authorization: "Bearer KEY:secret", "content-type": "application/json" },
      body: JSON.stringify({ jsonrpc: "2.0", id: 5, method, params }),
    });
    // Assertions check the rest of the JSON-RPC response.
    const body = (await answer.json()) as { id?: unknown; result?: unknown; error?: { code: number } };
    return { status: answer.status, retryAfter: answer.headers.get("retry-after"), body };
  };

  it("rejects a call that cannot be logged with 503 and Retry-After, without forwarding it", async () => {
    const fail = () => {
      throw new Refusal("unavailable", "The call log cannot be written");
    };
    gateway = exampleGateway({ calls: { begin: fail, end: fail } });
    for (const [method, params] of [
      ["tools/list", {}],
      ["tools/call", { name: "github__echo", arguments: {} }],
      ["tools/call", { name: "nowhere__echo", arguments: {} }],
    ] as const) {
      const { status, retryAfter, body } = await send(method, params);
      assert.deepEqual([status, retryAfter, body.id, body.error?.code], [503, "5", 5, -32603], method);
      assert.equal("result" in body, false);
    }
  });

  it("ends only the failing request with 500, reveals no details, and serves the next request", async () => {
    gateway = exampleGateway({}, { holder: new BrokenHolder() });
    const { status, body } = await send("tools/list", {});
    assert.equal(status, 500);
    assert.deepEqual(body, {
      jsonrpc: "2.0",
      id: 5,
      error: { code: -32603, message: "Internal error", data: { requestId: "req_1" } },
    });
    assert.deepEqual((await send("ping", {})).body, { jsonrpc: "2.0", id: 5, result: {} });
  });
});
