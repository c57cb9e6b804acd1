import { mountApp, sendUnknownPage } from "#api/app/mount-app";
import { mountAgentHooks } from "#api/background-agents/mount-agent-hooks";
import { refuseManaged } from "#api/config/managed";
import { mountConnect } from "#api/connect/mount-connect";
import { mountDocs } from "#api/docs/mount-docs";
import { mountDownloads } from "#api/downloads/mount-downloads";
import type { ApiContext } from "#api/kit/api-context";
import { createApiServer } from "#api/kit/server";
import { mountResourceMetadata } from "#api/oauth/mount-oauth";
import { operations } from "#api/operations";
import { mountScim } from "#api/scim/mount-scim";
import { mountSignIn } from "#api/sign-in/mount-sign-in";
import { tryConnection } from "#connect/try-connection";
import { AuthExchange } from "#identity/exchange/auth-exchange";
import { IssuerKeys } from "#identity/exchange/issuer-keys";
import { createPasswords } from "#identity/passwords";
import { createSsoClient } from "#identity/sso-client";
import { VERSION } from "#lib/version";
import type { Databases } from "#storage/database";
import type { Vault } from "#storage/vault";
import type { World } from "./app-shape.ts";
import type { DataPlane } from "./data-plane.ts";
import { mountOAuthServer } from "./oauth-server.ts";
import type { ProxyWarning } from "./proxy-warning.ts";
import type { Release } from "./read-release.ts";

const WRONG_CREDENTIALS_PER_MINUTE = 100;
const SCAN_AGENT = new URL("../../../scan/dist/", import.meta.url);

/** The control plane: the admin API, the sign-in, connect and docs pages, and the admin app. */
export function buildControlPlane(
  world: World,
  databases: Databases,
  vault: Vault,
  { plane, discovery, documents }: { readonly plane: DataPlane } & Pick<ApiContext, "discovery" | "documents">,
  { connectors, app }: Release,
  proxyWarning: Pick<ProxyWarning, "message">,
) {
  const { config, logger, clock, newId, random } = world;
  const { waitUntilPublished } = plane;
  const keys = new IssuerKeys({ request: plane.egress.request, clock });
  const apiContext: ApiContext = {
    databases,
    vault,
    clock,
    newId,
    random,
    logger,
    baseUrl: config.baseUrl,
    gatewayUrl: config.gatewayUrl,
    orgName: config.orgName,
    orgDomain: config.orgDomain,
    version: VERSION,
    waitUntilPublished,
    exchange: new AuthExchange({ databases, clock, newId, random, vault, keys, waitUntilPublished }),
    passwords: createPasswords(random, world.passwordCost),
    sso: createSsoClient({ fetch: plane.egress.fetch, baseUrl: config.baseUrl, clock }),
    connectors,
    snapshots: plane.holder,
    connect: plane.connect,
    syncSoon: (serverId, userId) => plane.sync.soon(serverId, userId),
    tryConnection: (server, userId) =>
      tryConnection({ credentials: plane.credentials, sync: plane.sync, holder: plane.holder, vault }, server, userId),
    tryHeaders: (server, headers) => plane.sync.tryHeaders(server, headers),
    syncNow: (serverId) => plane.sync.again(serverId),
    callsStored: async () => void (await Promise.all([plane.callsStored(), world.worker?.storeCallsElsewhere()])),
    webhooks: plane.webhooks,
    emails: plane.emails,
    logShipping: plane.logShipper,
    agents: plane.agents,
    guards: plane.guards.engine,
    contentGuards: plane.guards.content,
    assertReachableUrl: (url) => plane.egress.assertReachableUrl(url),
    nextTurn: () => plane.egress.pacer.nextTurn(),
    proxyWarning: proxyWarning.message,
    documents,
    discovery,
  };
  const hasApi = config.role !== "gateway";
  const server = createApiServer(hasApi ? operations : [], apiContext, {
    undeclared: world.undeclaredAnswers ?? "is-cut",
    wrongCredentialsPerMinute: WRONG_CREDENTIALS_PER_MINUTE,
    credentialRefused: () => plane.refusals.apiCredentials++,
    trustedProxies: config.trustedProxies,
    refuseManaged,
    ...(hasApi && { sendUnknownPage: (request, reply) => sendUnknownPage(apiContext, app, request, reply) }),
  });
  mountResourceMetadata(server, config);
  if (hasApi) {
    mountDocs(server, operations, config.baseUrl);
    mountSignIn(server, apiContext);
    mountConnect(server, apiContext);
    mountOAuthServer(server, apiContext);
    mountScim(server, apiContext);
    mountDownloads(server, { folder: SCAN_AGENT, baseUrl: config.baseUrl });
    mountAgentHooks(server, apiContext);
    mountApp(server, apiContext, app);
  }
  return server;
}
