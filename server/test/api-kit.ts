import type { FastifyInstance } from "fastify";
import { createPlatforms } from "#agents/platforms/platforms";
import { REPORT_WORKER } from "#api/ai-discovery/thread/program";
import type { ApiContext } from "#api/kit/api-context";
import type { Operation } from "#api/kit/operation";
import { createApiServer } from "#api/kit/server";
import { presentCall } from "#api/presenters/log-entry";
import { createConnect } from "#connect/connect";
import { Discovery } from "#discovery/discovery";
import { createEgress, LOOPBACK_ALLOW, parseAllowList } from "#egress/egress";
import { EmailDeliverer } from "#email/deliverer";
import { SnapshotHolder } from "#gateway/snapshot/holder";
import { AuthExchange } from "#identity/exchange/auth-exchange";
import { IssuerKeys } from "#identity/exchange/issuer-keys";
import { DocumentReachability } from "#identity/oauth-server/document-reachability";
import { createPasswords } from "#identity/passwords";
import { createSsoClient } from "#identity/sso-client";
import { type Clock, systemClock } from "#lib/clock";
import { createIds } from "#lib/ids";
import { createLogger } from "#lib/logger";
import { systemRandom } from "#lib/random";
import { LogShipper } from "#log-shipping/shipper";
import { apiTokenHash } from "#records/api-tokens";
import { BuiltInConnectors } from "#records/connectors";
import { readOrCreateKeyFile } from "#storage/key-file";
import { openVault } from "#storage/open-vault";
import { ContentGuards } from "#sync/content-guards";
import { WebhookDeliverer } from "#webhooks/deliverer";
import { openTestSqlite } from "./databases.ts";
import { patientEngine } from "./guard-kit.ts";
import { CHEAP } from "./passwords.ts";
import { noStepGuards } from "./step-guards.ts";

/** The API kit with operations defined by a test, for behavior that no real operation has. */
export interface ApiKit {
  /** An unrestricted token. */
  readonly token: string;
  serve(operations: readonly Operation[], undeclared?: "fails" | "is-cut"): FastifyInstance;
  deleteToken(): Promise<void>;
  close(): Promise<void>;
}

export async function openApiKit(clock: Clock = systemClock): Promise<ApiKit> {
  const database = await openTestSqlite();
  const { databases } = database;
  const key = readOrCreateKeyFile(`${database.dataDir}/gatehouse.key`);
  const logger = createLogger("silent");
  const egress = createEgress({ allow: parseAllowList(LOOPBACK_ALLOW) });
  const common = {
    vault: await openVault(databases.main, [key], { clock: systemClock, logger }),
    clock,
    newId: createIds(clock, systemRandom),
    random: systemRandom,
    passwords: createPasswords(systemRandom, CHEAP),
    sso: createSsoClient({ fetch, baseUrl: "http://localhost", clock: systemClock }),
    logger,
    baseUrl: "http://localhost",
    orgName: "Test",
  };
  const engine = patientEngine();
  const context: ApiContext = {
    ...common,
    databases,
    connect: createConnect({
      ...{ ...common, db: databases.main, egress, waitUntilPublished: async () => {}, connected: () => {} },
      tryHeaders: async () => ({ verdict: "accepted", toolsCount: 0 }),
    }),
    gatewayUrl: "http://127.0.0.1:8080",
    orgDomain: "example.com",
    version: "0.0.0",
    connectors: new BuiltInConnectors([]),
    snapshots: new SnapshotHolder(),
    waitUntilPublished: async () => {},
    exchange: new AuthExchange({
      ...{ ...common, databases, waitUntilPublished: async () => {} },
      keys: new IssuerKeys({ request: egress.request, clock: systemClock }),
    }),
    syncSoon: () => {},
    tryConnection: async () => "not_connected",
    tryHeaders: async () => ({ verdict: "accepted", toolsCount: 0 }),
    syncNow: async () => ({ error: undefined }),
    callsStored: async () => {},
    nextTurn: () => egress.pacer.nextTurn(),
    proxyWarning: () => undefined,
    discovery: new Discovery({
      ...{ ...common, databases, connectors: new BuiltInConnectors([]), gatewayUrl: "http://127.0.0.1:8080" },
      reportWorker: REPORT_WORKER,
      nextTurn: () => egress.pacer.nextTurn(),
    }),
    agents: {
      wake: () => undefined,
      stopped: new AbortController().signal,
      defaultProvider: undefined,
      platforms: createPlatforms({ ...common, fetch: egress.fetch, gatewayUrl: "http://127.0.0.1:8080" }),
      stepGuards: noStepGuards(),
    },
    emails: new EmailDeliverer({ ...common, db: databases.main, egress, holder: "kit", smtp: undefined }),
    webhooks: new WebhookDeliverer({ ...common, db: databases.main, egress, holder: "kit" }),
    logShipping: new LogShipper({
      ...{ ...common, databases, egress, holder: "kit", filesFolder: undefined, presentCall },
      nextTurn: () => egress.pacer.nextTurn(),
    }),
    guards: engine,
    contentGuards: new ContentGuards({ ...common, engine, evaluated: () => {} }),
    assertReachableUrl: egress.assertReachableUrl,
    documents: new DocumentReachability({
      db: databases.main,
      clock: systemClock,
      logger,
      fetch: egress.fetch,
      registryUrl: undefined,
    }),
  };
  const token = "a-token-of-the-kit";
  await databases.main
    .insertInto("api_tokens")
    .values({
      id: "tok_test",
      name: "test",
      token_hash: apiTokenHash(token),
      prefix: null,
      scopes: ["all"],
      expires_at: null,
      last_used_at: null,
      created_by: null,
      created_at: 0,
    })
    .execute();
  const servers: FastifyInstance[] = [];
  return {
    token,
    serve(operations, undeclared = "fails") {
      const options = { undeclared, wrongCredentialsPerMinute: 100, trustedProxies: [] };
      const server = createApiServer(operations, context, options);
      servers.push(server);
      return server;
    },
    async deleteToken() {
      await databases.main.deleteFrom("api_tokens").execute();
    },
    async close() {
      for (const server of servers) await server.close();
      egress.close();
      await database.close();
    },
  };
}
