import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { ApiContext } from "#api/kit/api-context";
import { FailedAttempts } from "#api/kit/failed-attempts";
import { renderError } from "#api/kit/render-error";
import { needsHttps } from "#api/kit/web-session";
import { html } from "#api/pages/html";
import { renderPage, sendErrorPage } from "#api/pages/page";
import { resourceMetadata, serverMetadata } from "#identity/oauth-server/metadata";
import type { ErrorPage } from "#identity/oauth-server/provider";
import type { OAuthEndpoint } from "#identity/oauth-server/server";
import { type OAuthContext, showConsent, takeConsent } from "./consent.ts";

const BODY_LIMIT_BYTES = 56 * 1024;
/** As much as a client's document may say: it is stored for a day, whoever sends it. */
const REGISTRATION_LIMIT_BYTES = 8 * 1024;
/** Of one address: strangers may register and begin to connect, and whatever they ask may have us read their documents. */
const A_MINUTE: Readonly<Partial<Record<OAuthEndpoint, number>>> = { register: 60, authorize: 600 };
const FETCHED_A_MINUTE = 60;
const ENDPOINTS: Readonly<Record<string, OAuthEndpoint>> = {
  "GET /oauth/authorize": "authorize",
  "GET /oauth/authorize/:uid": "resume",
  "POST /oauth/token": "token",
  "POST /oauth/register": "register",
  "POST /oauth/revoke": "revoke",
};

type Addresses = Pick<ApiContext, "baseUrl" | "gatewayUrl" | "orgName">;

/** RFC 9728: also where there is a gateway only, because that is the address that clients know. */
export function mountResourceMetadata(server: FastifyInstance, context: Addresses): void {
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
  return ({ sentence }) => {
    const body = html`<p role="alert">The client that sent you here asked for something that cannot be: ${sentence}.</p>`;
    return renderPage(context, "/oauth/authorize", { title: "That did not work", body });
  };
}

/** The OAuth server for people's MCP clients: its addresses by list, open to all like every page that leads to signing in. */
export function mountOAuth(server: FastifyInstance, context: OAuthContext): void {
  const { pathname } = new URL(context.baseUrl);
  const known = "/.well-known/oauth-authorization-server";
  const document = serverMetadata(context);
  for (const path of new Set([known, `${known}${pathname.replace(/\/$/, "")}`])) {
    server.get(path, (_request, reply) => sendDocument(reply, document));
  }
  server.register(async (scope) => mountEndpoints(scope, context));
  server.register(async (scope) => mountConsent(scope, context));
}

function mountEndpoints(scope: FastifyInstance, context: OAuthContext): void {
  const fetched = new FailedAttempts(context.clock, FETCHED_A_MINUTE);
  scope.removeAllContentTypeParsers();
  const bytes = { parseAs: "buffer", bodyLimit: BODY_LIMIT_BYTES } as const;
  for (const type of ["application/json", "application/x-www-form-urlencoded"]) {
    scope.addContentTypeParser(type, bytes, (_request, body, done) => done(null, body));
  }
  scope.setErrorHandler((error, request, reply) => {
    const { status, body, headers, isCrash } = renderError(error, "The request failed");
    if (isCrash) context.logger.error({ err: error, requestId: request.id }, "The OAuth server failed");
    const description = "message" in body ? body.message : body.error;
    return reply
      .code(status)
      .headers(headers)
      .send({ error: status < 500 ? "invalid_request" : "server_error", error_description: description });
  });
  for (const [route, endpoint] of Object.entries(ENDPOINTS)) {
    const [method = "", url = ""] = route.split(" ");
    const most = A_MINUTE[endpoint];
    const taken = most === undefined ? undefined : new FailedAttempts(context.clock, most);
    const handler = (request: FastifyRequest, reply: FastifyReply) =>
      answer(context, { taken, fetched }, endpoint, request, reply);
    const bodyLimit = endpoint === "register" ? REGISTRATION_LIMIT_BYTES : BODY_LIMIT_BYTES;
    scope.route({ method, url, bodyLimit, handler });
  }
}

async function answer(
  context: OAuthContext,
  { taken, fetched }: { readonly taken: FailedAttempts | undefined; readonly fetched: FailedAttempts },
  endpoint: OAuthEndpoint,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const seconds = taken?.retryAfter(request.ip);
  const error = { error: "temporarily_unavailable", error_description: "Too many requests; try again later" };
  if (seconds !== undefined) return reply.code(429).header("retry-after", seconds).send(error);
  taken?.failed(request.ip);
  if (needsHttps(context, request)) {
    return sendErrorPage(context, reply, 400, "https is needed", "Clients can be connected over https only.");
  }
  await context.oauthServer.ready();
  reply.raw.setHeader("x-request-id", request.id);
  reply.raw.setHeader("x-content-type-options", "nosniff");
  const mayFetch = () => {
    if (fetched.retryAfter(request.ip) !== undefined) return false;
    fetched.failed(request.ip);
    return true;
  };
  const exchange = { request: request.raw, response: reply.raw, mayFetch };
  reply.hijack();
  await context.oauthServer.answer(endpoint, exchange, request.body instanceof Buffer ? request.body : undefined);
  return reply;
}

function mountConsent(scope: FastifyInstance, context: OAuthContext): void {
  scope.removeAllContentTypeParsers();
  const form = { parseAs: "string", bodyLimit: BODY_LIMIT_BYTES } as const;
  scope.addContentTypeParser("application/x-www-form-urlencoded", form, (_request, body, done) => {
    done(null, new URLSearchParams(String(body)));
  });
  scope.setErrorHandler((error, request, reply) => {
    const { status, body, headers, isCrash } = renderError(error, "Something went wrong here. Please try again.");
    if (isCrash) context.logger.error({ err: error, requestId: request.id }, "A page could not be made");
    const sentence = "message" in body ? body.message : body.error;
    return sendErrorPage(context, reply.headers(headers), status, "That did not work", sentence);
  });
  scope.get("/oauth/consent/:uid", (request, reply) => showConsent(context, request, reply));
  scope.post("/oauth/consent/:uid", (request, reply) => takeConsent(context, request, reply));
}

function sendDocument(reply: FastifyReply, document: object): FastifyReply {
  return reply.header("cache-control", "public, max-age=300").send(document);
}
