import assert from "node:assert/strict";
import { createGateway, type Gateway, type GatewayOptions } from "#gateway/gateway";
import { SnapshotHolder } from "#gateway/snapshot/holder";
import type { Listing } from "#gateway/snapshot/listing";
import { emptySnapshot } from "#gateway/snapshot/next-snapshot";
import type { CallChecks, NamedItem, OwnSource } from "#gateway/snapshot/shape";
import { UpstreamMeters } from "#gateway/upstream/limits/upstream-meter";
import { BackgroundTurns } from "#lib/background-turns";
import { systemClock } from "#lib/clock";
import { createLogger } from "#lib/logger";
import { ReadPacer } from "#lib/read-pacer";
import { exampleServer, exampleSnapshot, exampleUser } from "./example-entries.ts";

const VERIFIER = Buffer.alloc(32, 7);

export interface ExampleGatewayOptions {
  readonly holder?: SnapshotHolder;
  /** The URL of the server `github`, which uses the modern era. */
  readonly url?: string;
  readonly checks?: CallChecks;
  readonly ownSources?: readonly OwnSource[];
  readonly tools?: Listing<NamedItem>;
}

/**
 * A gateway over an example snapshot, for behavior that a complete service cannot show. `ports` replaces the parts
 * under test; by default nothing can be forwarded. The caller is `Bearer KEY:secret` and has access to the server
 * `github`.
 */
export function exampleGateway(ports: Partial<GatewayOptions>, options: ExampleGatewayOptions = {}): Gateway {
  const { holder = new SnapshotHolder(), url = "http://127.0.0.1:1/mcp", tools } = options;
  const { checks = emptySnapshot.checks, ownSources = emptySnapshot.ownSources } = options;
  const upstream = { url, transport: "http", authType: "none", eras: ["modern"] } as const;
  const snapshot = exampleSnapshot({
    servers: [exampleServer("github", ["grp_1"], { upstream, ...(tools && { tools }) })],
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
  });
  holder.swap({ ...snapshot, checks, ownSources });
  const unexpected = () => assert.fail("nothing should be forwarded");
  return createGateway({
    pacer: new ReadPacer(systemClock),
    background: new BackgroundTurns(systemClock),
    resourceMetadataUrl: () => "http://127.0.0.1/.well-known/oauth-protected-resource",
    holder,
    verifier: { verifier: () => VERIFIER },
    credentialRefresh: { refresh: async () => true },
    closedConnections: { add() {} },
    firstSync: { wait: async () => {} },
    listSync: { again: async () => {} },
    credentials: {
      of: () => "not_connected",
      refused: async () => "not_connected",
      lacksScope: async () => {},
      grantOf: async () => undefined,
    },
    calls: { begin: unexpected, end: (_call, answer) => answer() },
    payloads: { add: unexpected },
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
      reclaimStreams: async () => true,
      listen: unexpected,
      connectionsChanged: () => {},
      meters: new UpstreamMeters(),
      load: () => new Map(),
      stats: () => ({ calls: 0, sessions: 0 }),
      close: async () => {},
    },
    fileContents: { read: async () => undefined },
    plugins: { marketplace: async () => Buffer.from("{}"), repository: async () => undefined },
    callerRecords: {
      rememberLinks: async () => {},
      linkedServer: async () => undefined,
      streamsOf: async () => [],
      saveStreams: async () => {},
    },
    storedResults: { save: unexpected, find: unexpected },
    approvals: { request: unexpected, decided: async () => new Map(), use: unexpected },
    approvalUrl: (id) => `http://localhost/approvals/${id}`,
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
      sendMail: async () => {},
      takeMail: async () => [],
      dropMail: async () => {},
    },
    clock: systemClock,
    logger: createLogger("silent"),
    newRequestId: () => "req_1",
    sessionSeal: { seal: (text) => text, open: (sealed) => sealed },
    requestStateSeal: { seal: (text) => text, open: (sealed) => sealed },
    questionSeal: { seal: (text) => text, open: (sealed) => sealed },
    newSessionId: () => "session",
    connectUrl: () => "http://localhost/connect",
    alone: true,
    maxEventLoopDelayMs: Number.POSITIVE_INFINITY,
    serverInfo: { name: "gatehouse", title: "Test", version: "1" },
    ...ports,
  });
}
