/** Calls through `gateway/upstream` like the gateway does, and waits for the outcome. */

import { createEgress, type Egress, LOOPBACK_ALLOW, parseAllowList } from "#egress/egress";
import type { UpstreamCredentials } from "#gateway/ports";
import { DEFAULT_SERVER_LIMITS, type ServerLimits } from "#gateway/snapshot/limits";
import { EMPTY_LISTING } from "#gateway/snapshot/listing";
import { ResponseMemory } from "#gateway/upstream/limits/response-memory";
import { LocalServers } from "#gateway/upstream/transport/local-servers";
import type { TransportTable } from "#gateway/upstream/transport/transports";
import {
  createUpstreams,
  type UpstreamCallHandle,
  type UpstreamFailure,
  type Upstreams,
} from "#gateway/upstream/upstreams";
import { type Clock, systemClock } from "#lib/clock";
import { createLogger } from "#lib/logger";
import { ReadPacer } from "#lib/read-pacer";
import { MODERN_META } from "../gateway-kit.ts";

type Server = Parameters<Upstreams["call"]>[0];
type Era = "modern" | "legacy";

export interface CallerOptions {
  readonly clock?: Clock;
  readonly limits?: Partial<ServerLimits>;
  readonly maxAnswerBytes?: number;
  readonly allow?: string;
  readonly localServers?: LocalServers;
  readonly credentials?: UpstreamCredentials;
  readonly transports?: TransportTable;
}

const NOBODY_CONNECTED: UpstreamCredentials = {
  of: () => "not_connected",
  refused: async () => "not_connected",
  lacksScope: async () => {},
  grantOf: async () => undefined,
};

export interface CallOptions {
  readonly era?: Era;
  readonly principal?: string;
  readonly tool?: string;
  /** JSON text of the arguments. */
  readonly arguments?: string;
  readonly paramHeaders?: readonly string[];
  /** The legacy session of the caller. */
  readonly session?: NonNullable<Parameters<Upstreams["call"]>[2]["session"]>;
}

export interface Outcome {
  readonly notifications: string[];
  readonly response: string | undefined;
  readonly failure: UpstreamFailure | undefined;
}

export interface PendingCall extends Promise<Outcome> {
  readonly notifications: readonly string[];
  readonly handle: UpstreamCallHandle;
}

export interface Caller {
  readonly upstreams: Upstreams;
  readonly egress: Egress;
  /** Observed eras, newest last. */
  readonly observed: Era[][];
  call(server: Server, options?: CallOptions): PendingCall;
  close(): Promise<void>;
}

export function createCaller(options: CallerOptions = {}): Caller {
  const clock = options.clock ?? systemClock;
  const egress = createEgress({ allow: parseAllowList(options.allow ?? LOOPBACK_ALLOW) });
  const observed: Era[][] = [];
  const limits = { ...DEFAULT_SERVER_LIMITS, ...options.limits };
  const upstreams = createUpstreams({
    egress,
    clock,
    logger: createLogger("silent"),
    localServers: options.localServers ?? noLocalServers(clock),
    credentials: options.credentials ?? NOBODY_CONNECTED,
    eraObserver: { observed: (_server, eras) => void observed.push([...eras]) },
    limits: () => limits,
    ...(options.maxAnswerBytes === undefined ? {} : { maxAnswerBytes: options.maxAnswerBytes }),
    ...(options.transports === undefined ? {} : { transports: options.transports }),
  });
  return {
    upstreams,
    egress,
    observed,
    call: (server, call = {}) => startCall(upstreams, server, call),
    async close() {
      await upstreams.close();
      await egress.close();
    },
  };
}

export function noLocalServers(clock: Clock): LocalServers {
  return new LocalServers({
    ...{ servers: [], environment: {} },
    ...{ clock, logger: createLogger("silent"), pacer: new ReadPacer(clock) },
  });
}

function startCall(upstreams: Upstreams, server: Server, options: CallOptions): PendingCall {
  const { tool = "echo", era = "modern", principal = "usr_1" } = options;
  const notifications: string[] = [];
  const { promise, resolve } = Promise.withResolvers<Outcome>();
  const handle = upstreams.call(
    server,
    principal,
    {
      method: "tools/call",
      name: tool,
      era,
      session: options.session,
      paramHeaders: options.paramHeaders ?? [],
      buildBody: (spoken, id, token) => toolCall(spoken, id, token, tool, options.arguments ?? "{}"),
    },
    {
      memory: new ResponseMemory(systemClock, 64 << 20).lease(principal),
      notification: (message) => void notifications.push(textOf(message.source)),
      question: () => false,
      response: (message) => resolve({ notifications, response: textOf(message.source), failure: undefined }),
      failed: (failure) => resolve({ notifications, response: undefined, failure }),
    },
  );
  return Object.assign(promise, { notifications, handle });
}

function textOf(source: { readonly length: number; slice(start: number, end: number): Buffer }): string {
  return source.slice(0, source.length).toString("utf8");
}

export function toolCall(era: Era, id: number, token: number, tool: string, argumentsText: string): Buffer {
  const modern = `,${JSON.stringify(MODERN_META).slice(1, -1)}`;
  const meta = `{"progressToken":${token}${era === "modern" ? modern : ""}}`;
  const params = `{"name":${JSON.stringify(tool)},"arguments":${argumentsText},"_meta":${meta}}`;
  return Buffer.from(`{"jsonrpc":"2.0","id":${id},"method":"tools/call","params":${params}}`);
}

/** A server as in the snapshot; empty eras mean unknown. */
export function serverEntry(url: string, eras: readonly Era[] = [], slug = "echo"): Server {
  return {
    kind: "server",
    key: slug,
    id: `srv_${slug}`,
    slug,
    name: slug,
    active: true,
    groupIds: new Set(),
    upstream: { url, transport: "http", authType: "none", eras },
    synced: true,
    warnings: "",
    tools: EMPTY_LISTING,
    prompts: EMPTY_LISTING,
    resources: EMPTY_LISTING,
    resourceTemplates: EMPTY_LISTING,
  };
}

/** Waits until the condition is true; throws if it never is. */
export async function until(condition: () => boolean): Promise<void> {
  for (let tries = 0; !condition(); tries++) {
    if (tries > 2000) throw new Error(`never became true: ${condition}`);
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
}
