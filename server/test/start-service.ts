import { randomBytes } from "node:crypto";
import { existsSync, writeFileSync } from "node:fs";
import { Agent, request as httpRequest, type IncomingHttpHeaders } from "node:http";
import { join } from "node:path";
import { buildApp } from "#compose/app";
import type { Config } from "#config/config";
import { parseAllowList } from "#egress/egress";
import { type Clock, systemClock } from "#lib/clock";
import { createIds } from "#lib/ids";
import { createLogger, type Logger } from "#lib/logger";
import { systemRandom } from "#lib/random";
import type { PostgresTimeouts } from "#storage/postgres-dialect";
import { FAST_DURABILITY, PATIENT_TIMEOUTS, type TestDatabase } from "./databases.ts";
import { CHEAP } from "./passwords.ts";

export interface HttpAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  readonly bytes: Buffer;
  /** The parsed body; undefined when it is empty or no JSON. */
  // biome-ignore lint/suspicious/noExplicitAny: tests read responses of every shape
  readonly body: any;
}

export interface HttpCall {
  readonly method?: string;
  readonly headers?: Record<string, string | string[]>;
  readonly body?: string | Buffer;
}

export interface Service {
  readonly url: string;
  readonly token: string;
  /** The token of the setup link for the first owner, while there is none. */
  readonly setupToken?: string | undefined;
  /** The administration API with the service's unrestricted token; `body` is sent as JSON. */
  api(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<HttpAnswer>;
  /** Plain HTTP: nothing is added. */
  http(path: string, call?: HttpCall): Promise<HttpAnswer>;
  /** One JSON-RPC message at the gateway, with `Authorization: Bearer <credential>`. */
  mcp(credential: string, message: unknown, headers?: Record<string, string>): Promise<HttpAnswer>;
  close(): Promise<void>;
}

/** A service that runs in the test's process. */
export interface OwnService extends Service {
  /** The URL of the metrics, if the configuration sets a port. */
  readonly metricsUrl: string | undefined;
  /** Announces the shutdown, like SIGTERM. */
  drain(): void;
  /** Closes the test's connections first, unless their responses are needed. */
  close(options?: { readonly keepConnections?: boolean }): Promise<void>;
}

export interface ServiceOptions {
  readonly clock?: Clock;
  readonly logger?: Logger;
  readonly config?: Partial<Config>;
  readonly connectorsFolder?: URL;
  /** The folder of the built admin app; none by default, so that no test depends on a build. */
  readonly appFolder?: URL;
  readonly memoryShare?: () => number;
  readonly responseMemoryBytes?: number;
  readonly inFlightBytes?: number;
  readonly postgresTimeouts?: PostgresTimeouts;
}

/** The complete service as in production, on a free port, over the given database. */
export async function startService(database: TestDatabase, options: ServiceOptions = {}): Promise<OwnService> {
  const clock = options.clock ?? systemClock;
  const token = `test-token-${randomBytes(16).toString("hex")}`;
  const keyFile = join(database.dataDir, "gatehouse.key");
  // A service that is restarted over the same database keeps its key.
  if (!existsSync(keyFile)) writeFileSync(keyFile, randomBytes(32).toString("base64"), { mode: 0o600 });
  const config: Config = {
    host: "127.0.0.1",
    port: 0,
    metricsPort: undefined,
    metricsHost: "127.0.0.1",
    dataDir: database.dataDir,
    databaseUrl: database.databaseUrl,
    snapshotMaxAgeMs: 0,
    baseUrl: "http://127.0.0.1:8080",
    gatewayUrl: "http://127.0.0.1:8080",
    orgName: "Test",
    orgDomain: "example.com",
    bootstrapToken: token,
    keyFile,
    previousKeyFile: undefined,
    smtp: undefined,
    defaultProvider: undefined,
    logFilesDir: undefined,
    role: "all",
    workers: undefined,
    egressAllow: parseAllowList("127.0.0.0/8,::1"),
    trustedProxies: [],
    connectionsPerAddress: 0,
    // The test's own work, and a machine that pauses it, also delay this event loop.
    maxEventLoopDelayMs: Number.POSITIVE_INFINITY,
    registryUrl: "http://127.0.0.1:1",
    registrySync: "off",
    localServersFile: undefined,
    localEnvironment: {},
    drainMs: 0,
    logLevel: "silent",
    traces: undefined,
    ...options.config,
  };
  const app = await buildApp({
    config,
    logger: options.logger ?? createLogger(config.logLevel),
    clock,
    random: systemRandom,
    newId: createIds(clock, systemRandom),
    undeclaredAnswers: "fails",
    appFolder: options.appFolder ?? new URL("no-app/", import.meta.url),
    passwordCost: CHEAP,
    ...(options.memoryShare ? { memoryShare: options.memoryShare } : {}),
    ...(options.responseMemoryBytes === undefined ? {} : { responseMemoryBytes: options.responseMemoryBytes }),
    ...(options.inFlightBytes === undefined ? {} : { inFlightBytes: options.inFlightBytes }),
    postgresTimeouts: options.postgresTimeouts ?? PATIENT_TIMEOUTS,
    sqliteDurability: FAST_DURABILITY,
    ...(options.connectorsFolder ? { connectorsFolder: options.connectorsFolder } : {}),
  });
  const url = `http://127.0.0.1:${await app.listen()}`;
  const metricsPort = await app.listenForMetrics();
  const agent = new Agent({ keepAlive: true, maxSockets: 256 });
  const http = (path: string, call: HttpCall = {}) => send(agent, `${url}${path}`, call);
  return {
    url,
    token,
    setupToken: app.setupToken,
    metricsUrl: metricsPort === undefined ? undefined : `http://127.0.0.1:${metricsPort}`,
    http,
    api(method, path, body, headers = {}) {
      const json = body === undefined ? {} : { "content-type": "application/json" };
      return http(path, {
        method,
        headers: { authorization: `Bearer ${token}`, ...json, ...headers },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
    },
    mcp: (credential, message, headers = {}) =>
      http("/mcp", {
        method: "POST",
        headers: {
          authorization: `Bearer ${credential}`,
          "content-type": "application/json",
          accept: "application/json, text/event-stream",
          ...headers,
        },
        body: typeof message === "string" ? message : JSON.stringify(message),
      }),
    drain: () => app.drain(),
    async close({ keepConnections = false } = {}) {
      if (!keepConnections) agent.destroy();
      await app.close();
      agent.destroy();
    },
  };
}

function send(agent: Agent, url: string, { method = "GET", headers = {}, body }: HttpCall): Promise<HttpAnswer> {
  return new Promise((resolve, reject) => {
    const request = httpRequest(url, { method, headers, agent }, (response) => {
      const chunks: Buffer[] = [];
      response.on("data", (chunk: Buffer) => chunks.push(chunk));
      response.on("error", reject);
      response.on("end", () => {
        const bytes = Buffer.concat(chunks);
        const text = bytes.toString("utf8");
        resolve({ status: response.statusCode ?? 0, headers: response.headers, text, bytes, body: parseJson(text) });
      });
    });
    request.on("error", reject);
    request.end(body);
  });
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
