/** Adds an in-process transport the way docs/guide/extending.md describes, without a change to any other file. */
import assert from "node:assert/strict";
import { describe, it, type TestContext } from "node:test";
import { systemClock } from "#lib/clock";
import { createCaller, noLocalServers, serverEntry, until } from "#test/upstreams/caller";
import type { UpstreamEntry } from "../../snapshot/shape.ts";
import { initializeChannel } from "../handshake/channel-handshake.ts";
import { HANDSHAKE_MS } from "../handshake/handshake.ts";
import { Channel, type Pipe } from "./channel.ts";
import { ChannelConnection } from "./channel-connection.ts";
import type { Endpoint } from "./endpoint.ts";
import type { OpenOptions, Transport, UpstreamConnection } from "./transport.ts";
import { createTransports, type TransportTable } from "./transports.ts";

type Params = Readonly<Record<string, unknown>>;

/** An MCP server in this process. */
class InProcessServer {
  readonly methods: string[] = [];
  #send: ((message: unknown) => void) | undefined;

  connect(send: (message: unknown) => void): void {
    this.#send = send;
  }

  notify(method: string): void {
    this.#send?.({ jsonrpc: "2.0", method });
  }

  receive({ id, method, params }: { id?: number; method: string; params?: Params }): void {
    this.methods.push(method);
    if (id === undefined) return;
    const result = method === "initialize" ? INITIALIZED : { content: [], structuredContent: params?.arguments };
    queueMicrotask(() => this.#send?.({ jsonrpc: "2.0", id, result }));
  }
}

const INITIALIZED = {
  protocolVersion: "2025-11-25",
  capabilities: { tools: { listChanged: true } },
  serverInfo: { name: "in-process", version: "1" },
};

class InProcessTransport implements Transport {
  readonly label = "function calls";
  readonly isSharedByCallers = false;
  readonly isConnectionBound = true;
  readonly sessionIdleMs = 60_000;
  readonly #server: InProcessServer;

  constructor(server: InProcessServer) {
    this.#server = server;
  }

  async open(endpoint: Endpoint, { limits, logger, clientCapabilities }: OpenOptions): Promise<UpstreamConnection> {
    const { clock, nextId, lane } = endpoint;
    const channel = new Channel({ clock, logger, lane, idleMs: limits.idleMs });
    channel.attach(this.#pipe());
    this.#server.connect((message) => channel.received(Buffer.from(JSON.stringify(message))));
    await initializeChannel(channel, endpoint, HANDSHAKE_MS, clientCapabilities);
    return new ChannelConnection(this, channel, clock, nextId);
  }

  #pipe(): Pipe {
    return {
      diesOfSilence: false,
      close() {},
      send: (message, done) => {
        this.#server.receive(JSON.parse(message.toString("utf8")));
        done(undefined);
        return () => {};
      },
    };
  }
}

async function createInProcess(t: TestContext) {
  const server = new InProcessServer();
  const localServers = noLocalServers(systemClock);
  const transports: TransportTable = Object.assign(
    { ...createTransports({ localServers }) },
    { "in-process": [new InProcessTransport(server)] },
  );
  const caller = createCaller({ localServers, transports });
  t.after(() => caller.close());
  // The cast represents the new member of the union in `UpstreamEntry`.
  const transport = "in-process" as UpstreamEntry["transport"];
  const entry = { url: "in-process:test", transport, authType: "none", eras: ["legacy"] } as const;
  return { server, caller, entry, target: { ...serverEntry(entry.url), upstream: entry } };
}

describe("a transport that is only added to the table", () => {
  it("carries a call, with one handshake for all calls of a user", async (t) => {
    const { server, caller, target } = await createInProcess(t);
    for (const n of [1, 2]) {
      const { response, failure } = await caller.call(target, { arguments: `{"n":${n}}` });
      assert.equal(failure, undefined);
      assert.deepEqual(JSON.parse(response ?? "").result.structuredContent, { n });
    }
    assert.deepEqual(server.methods, ["initialize", "notifications/initialized", "tools/call", "tools/call"]);
    assert.equal(caller.upstreams.stats().sessions, 1);
  });

  it("delivers list notifications", async (t) => {
    const { server, caller, entry, target } = await createInProcess(t);
    const received: string[] = [];
    const listener = caller.upstreams.listen(
      { server: target, entry, era: "legacy" },
      {
        opened: () => received.push("opened"),
        changed: (kind) => received.push(kind),
        ended: (why) => received.push(why),
      },
    );
    await until(() => received.includes("opened"));
    server.notify("notifications/tools/list_changed");
    await until(() => received.includes("tools"));
    listener.close();
    assert.deepEqual(received, ["opened", "tools"]);
  });
});
