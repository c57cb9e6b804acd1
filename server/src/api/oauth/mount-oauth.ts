import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { ApiContext } from "#api/kit/api-context";
import { renderError } from "#api/kit/render-error";
import { needsHttps, visitorOf } from "#api/kit/web-session";
import { html } from "#api/pages/html";
import { renderPage, sendErrorPage } from "#api/pages/page";
import { resourceMetadata, serverMetadata } from "#identity/oauth-server/metadata";
import type { ErrorPage } from "#identity/oauth-server/provider";
import type { OAuthEndpoint } from "#identity/oauth-server/server";
import { TOO_MANY } from "#identity/oauth-server/wrong-credentials";
import { FailedAttempts } from "#lib/failed-attempts";
import { createConsentLimit, type OAuthContext, showConsent, submitConsent } from "./consent.ts";
import { answerExchange, sendAnswer, WRONG_CREDENTIALS_PER_MINUTE } from "./exchange-grants.ts";
import { documentPage } from "./views.ts";

const BODY_LIMIT_BYTES = 56 * 1024;
/** The limit of client metadata documents. Registrations are stored for a day without authentication. */
const REGISTRATION_LIMIT_BYTES = 8 * 1024;
/** Requests per minute and IP address. Anyone can register, start a connection, and make us fetch a metadata document. */
const MAX_PER_MINUTE: Readonly<Partial<Record<OAuthEndpoint, number>>> = { register: 60, authorize: 600 };
const MAX_FETCHES_PER_MINUTE = 60;
const ENDPOINTS: Readonly<Record<string, OAuthEndpoint>> = {
  "GET /oauth/authorize": "authorize",
  "GET /oauth/authorize/:uid": "resume",
  "POST /oauth/token": "token",
  "POST /oauth/register": "register",
  "POST /oauth/revoke": "revoke",
};

type Urls = Pick<ApiContext, "baseUrl" | "gatewayUrl" | "orgName">;

/** RFC 9728. Also served by gateway processes, because clients know only the gateway URL. */
export function mountResourceMetadata(server: FastifyInstance, context: Urls): void {
  const known = "/.well-known/oauth-protected-resource";
  const send = (path: string, { headers }: FastifyRequest, reply: FastifyReply) => {
    const document = resourceMetadata(context, path, headers.host);
    return document ? sendDocument(reply, document) : reply.code(404).send({ error: "Not found" });
  };
  server.get(known, (request, reply) => send("/mcp", request, reply));
  server.get(`${known}/*`, (request, reply) => {
    return send(request.url.split("?")[0]?.slice(known.length).replace(/\/$/, "") ?? "", request, reply);
  });
}

export function errorPageOf(context: Pick<ApiContext, "baseUrl" | "orgName">): ErrorPage {
  return ({ sentence, document }) => {
    if (document) return renderPage(context, "/oauth/authorize", documentPage(document));
    const body = html`<p role="alert">The MCP client sent an invalid request: ${sentence}. Start again in your MCP client.</p>`;
    return renderPage(context, "/oauth/authorize", { title: "Request failed", body });
  };
}

/** Serves the OAuth server for people's MCP clients. Its endpoints require no authentication. */
export function mountOAuth(server: FastifyInstance, context: OAuthContext): void {
  const { pathname } = new URL(context.baseUrl);
  const known = "/.well-known/oauth-authorization-server";
  for (const path of new Set([known, `${known}${pathname.replace(/\/$/, "")}`])) {
    server.get(path, async (_request, reply) => {
      const readsDocuments = (await context.documents.status()).isAdvertised;
      // Not cached: a client that tries again after a failed document must see that it can register instead.
      return reply.header("cache-control", "no-cache").send(serverMetadata(context, { readsDocuments }));
    });
  }
  server.register(async (scope) => mountEndpoints(scope, context));
  server.register(async (scope) => mountConsent(scope, context));
}

function mountEndpoints(scope: FastifyInstance, context: OAuthContext): void {
  const fetches = new FailedAttempts(context.clock, MAX_FETCHES_PER_MINUTE);
  const wrongCredentials = new FailedAttempts(context.clock, WRONG_CREDENTIALS_PER_MINUTE);
  scope.removeAllContentTypeParsers();
  const bytes = { parseAs: "buffer", bodyLimit: BODY_LIMIT_BYTES } as const;
  for (const type of ["application/json", "application/x-www-form-urlencoded"]) {
    scope.addContentTypeParser(type, bytes, (_request, body, done) => done(null, body));
  }
  scope.setErrorHandler((error, request, reply) => {
    const { status, body, headers, isCrash } = renderError(error, "The request failed");
    if (isCrash) context.logger.error({ err: error, requestId: request.id }, "OAuth server failed");
    const description = "message" in body ? body.message : body.error;
    return reply
      .code(status)
      .headers(headers)
      .send({ error: status < 500 ? "invalid_request" : "server_error", error_description: description });
  });
  for (const [route, endpoint] of Object.entries(ENDPOINTS)) {
    const [method = "", url = ""] = route.split(" ");
    const limit = MAX_PER_MINUTE[endpoint];
    const attempts = limit === undefined ? undefined : new FailedAttempts(context.clock, limit);
    const handler = (request: FastifyRequest, reply: FastifyReply) =>
      respond(context, { attempts, fetches, wrongCredentials }, endpoint, request, reply);
    const bodyLimit = endpoint === "register" ? REGISTRATION_LIMIT_BYTES : BODY_LIMIT_BYTES;
    scope.route({ method, url, bodyLimit, handler });
  }
}

interface Limits {
  readonly attempts: FailedAttempts | undefined;
  readonly fetches: FailedAttempts;
  readonly wrongCredentials: FailedAttempts;
}

async function respond(
  context: OAuthContext,
  { attempts, fetches, wrongCredentials }: Limits,
  endpoint: OAuthEndpoint,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const limited = attempts?.retryAfter(request.ip);
  // Strangers must not keep the clients of signed-in people from connecting.
  const isExempt = limited !== undefined && endpoint === "authorize" && (await visitorOf(context, request));
  const seconds = isExempt ? undefined : limited;
  if (seconds !== undefined) return reply.code(429).header("retry-after", seconds).send(TOO_MANY);
  attempts?.failed(request.ip);
  if (needsHttps(context, request)) {
    return sendErrorPage(context, reply, 400, "HTTPS required", "MCP clients can connect only over HTTPS.");
  }
  const exchanged = await answerExchange(context, wrongCredentials, endpoint, request);
  if (exchanged.kind === "answer") return sendAnswer(reply, exchanged);
  await context.oauthServer.ready();
  reply.raw.setHeader("x-request-id", request.id);
  reply.raw.setHeader("x-content-type-options", "nosniff");
  const mayFetch = () => {
    if (fetches.retryAfter(request.ip) !== undefined) return false;
    fetches.failed(request.ip);
    return true;
  };
  const countWrong = () => wrongCredentials.countFailure(request.ip);
  const exchange = { request: request.raw, response: reply.raw, mayFetch, countWrong, caller: exchanged.caller };
  reply.hijack();
  await context.oauthServer.handle(endpoint, exchange, request.body instanceof Buffer ? request.body : undefined);
  return reply;
}

function mountConsent(scope: FastifyInstance, context: OAuthContext): void {
  const consents = createConsentLimit(context);
  scope.removeAllContentTypeParsers();
  const form = { parseAs: "string", bodyLimit: BODY_LIMIT_BYTES } as const;
  scope.addContentTypeParser("application/x-www-form-urlencoded", form, (_request, body, done) => {
    done(null, new URLSearchParams(String(body)));
  });
  scope.setErrorHandler((error, request, reply) => {
    const { status, body, headers, isCrash } = renderError(error, "Something went wrong. Try again.");
    if (isCrash) context.logger.error({ err: error, requestId: request.id }, "failed to render a page");
    const sentence = "message" in body ? body.message : body.error;
    return sendErrorPage(context, reply.headers(headers), status, "Request failed", sentence);
  });
  scope.get("/oauth/consent/:uid", (request, reply) => showConsent(context, request, reply));
  scope.post("/oauth/consent/:uid", (request, reply) => submitConsent(context, consents, request, reply));
}

function sendDocument(reply: FastifyReply, document: object): FastifyReply {
  return reply.header("cache-control", "public, max-age=300").send(document);
}
