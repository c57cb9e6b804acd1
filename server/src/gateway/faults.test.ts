import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { systemClock } from "#lib/clock";
import { Refusal } from "#lib/errors";
import { createLogger } from "#lib/logger";
import { exampleServer, exampleSnapshot, exampleUser } from "#test/example-entries";
import { listenOnLoopback } from "#test/upstreams/loopback";
import { createGateway, type GatewayNeeds } from "./gateway.ts";
import { SnapshotHolder } from "./snapshot/holder.ts";
import { UpstreamMeters } from "./upstream/limits/upstream-meter.ts";

const VERIFIER = Buffer.alloc(32, 7);

class BrokenHolder extends SnapshotHolder {
  override viewFor(): never {
    throw new Error("a fault that nobody foresaw");
  }
}

/** A gateway over an example snapshot in which one part fails, as the test says. */
function gatewayWith(failing: Partial<GatewayNeeds>, holder = new SnapshotHolder()) {
  holder.swap(
    exampleSnapshot({
      servers: [exampleServer("github", ["grp_1"])],
      groups: { grp_1: false },
      users: [exampleUser("usr_1", ["grp_1"])],
      credentials: {
        KEY: {
          id: "crd_1",
          kind: "machine_key",
          userId: "usr_1",
          verifier: VERIFIER.toString("base64"),
          pepperVersion: 1,
          expiresAt: undefined,
          previous: undefined,
        },
      },
    }),
  );
  const unexpected = () => assert.fail("nothing may be forwarded");
  return createGateway({
    resourceMetadataUrl: () => "http://127.0.0.1/.well-known/oauth-protected-resource",
    holder,
    verifier: { verifier: () => VERIFIER },
    credentialRefresh: { refresh: async () => {} },
    firstSync: { wait: async () => {} },
    listSync: { again: async () => {} },
    credentials: {
      of: () => "not_connected",
      refused: async () => "not_connected",
      lacksScope: async () => {},
      grantOf: async () => undefined,
    },
    calls: { begin: unexpected, end: (_call, answer) => answer() },
    payloads: { keep: unexpected },
    upstreams: {
      call: unexpected,
      post: async () => {},
      ofSession: {
        notify: async () => {},
        setLogLevel: async () => {},
        end: async () => {},
        setListener: () => {},
        offer: () => false,
        callsOf: () => new Map(),
        retryStreams: () => {},
      },
      reclaimStreams: async () => {},
      listen: unexpected,
      connectionsChanged: () => {},
      meters: new UpstreamMeters(),
      load: () => new Map(),
      stats: () => ({ calls: 0, sessions: 0 }),
      close: async () => {},
    },
    sessionRecords: {
      ended: async () => {},
      setLogLevel: async () => {},
      subscribed: async () => {},
      unsubscribed: async () => {},
      subscriptionsOf: async () => [],
      tookOver: async () => {},
      handedOver: async () => {},
      touchSubscriptions: async () => {},
      pass: async () => "",
      waiting: async () => [],
      take: async () => [],
      takeCancelled: async () => [],
      takeBack: async () => true,
      announce: async () => {},
    },
    clock: systemClock,
    logger: createLogger("silent"),
    newRequestId: () => "req_1",
    sessionSeal: { seal: (text) => text, open: (sealed) => sealed },
    questionSeal: { seal: (text) => text, open: (sealed) => sealed },
    newSessionId: () => "session",
    connectUrl: () => "http://localhost/connect",
    alone: true,
    serverInfo: { name: "gatehouse", title: "Test", version: "1" },
    ...failing,
  });
}

describe("a fault of our own", () => {
  let gateway: ReturnType<typeof gatewayWith>;
  let server: Awaited<ReturnType<typeof listenOnLoopback>>;
  before(async () => {
    server = await listenOnLoopback((request, response) => gateway.handle(request, response));
  });
  after(() => server.close());

  const ask = async (method: string, params: object) => {
    const answer = await fetch(`${server.origin}/mcp`, {
      method: "POST",
      headers: { authorization: "Bearer KEY:secret", "content-type": "application/json" },
      body: JSON.stringify({ jsonrpc: "2.0", id: 5, method, params }),
    });
    // What the gateway answers is JSON-RPC; the assertions say the rest.
    const body = (await answer.json()) as { id?: unknown; result?: unknown; error?: { code: number } };
    return { status: answer.status, retryAfter: answer.headers.get("retry-after"), body };
  };

  it("a call that cannot be logged is neither forwarded nor answered: 503 with Retry-After", async () => {
    const full = () => {
      throw new Refusal("unavailable", "The call log cannot be written");
    };
    gateway = gatewayWith({ calls: { begin: full, end: full } });
    for (const [method, params] of [
      ["tools/list", {}],
      ["tools/call", { name: "github__echo", arguments: {} }],
      ["tools/call", { name: "nowhere__echo", arguments: {} }],
    ] as const) {
      const { status, retryAfter, body } = await ask(method, params);
      assert.deepEqual([status, retryAfter, body.id, body.error?.code], [503, "5", 5, -32603], method);
      assert.equal("result" in body, false);
    }
  });

  it("an exception ends its own request with 500, tells nothing of itself, and the next one is served", async () => {
    gateway = gatewayWith({}, new BrokenHolder());
    const { status, body } = await ask("tools/list", {});
    assert.equal(status, 500);
    assert.deepEqual(body, {
      jsonrpc: "2.0",
      id: 5,
      error: { code: -32603, message: "Internal error", data: { requestId: "req_1" } },
    });
    assert.deepEqual((await ask("ping", {})).body, { jsonrpc: "2.0", id: 5, result: {} });
  });
});
