import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from "fastify";
import { FailedAttempts } from "#lib/failed-attempts";
import type { ApiContext } from "./api-context.ts";
import { authenticate } from "./authenticate.ts";
import { joinBodyChunks } from "./join-body-chunks.ts";
import { limitUnreadResponses } from "./limit-unread-responses.ts";
import { MemberChanges } from "./member-changes.ts";
import type { Operation } from "./operation.ts";
import { type RenderedError, renderError } from "./render-error.ts";
import { mountOperations, type RouterOptions, routeOf } from "./router.ts";

export interface ApiOptions {
  readonly undeclared: RouterOptions["undeclared"];
  readonly wrongCredentialsPerMinute: number;
  /** Called for each rejected credential, for metrics. */
  readonly credentialRefused?: () => void;
  readonly trustedProxies: readonly string[];
  readonly refuseManaged?: RouterOptions["refuseManaged"];
  /** Sends a page for an unknown URL outside the API; resolves to undefined if the request expects JSON. */
  readonly sendUnknownPage?: (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply | undefined>;
}

const BODY_LIMIT_BYTES = 1024 * 1024; // GW-5: 1 MiB for the administration API

/** The administration API as a Fastify server, mounted behind the shared listener. */
export function createApiServer(
  operations: readonly Operation[],
  context: ApiContext,
  options: ApiOptions,
): FastifyInstance {
  const attempts = new FailedAttempts(context.clock, options.wrongCredentialsPerMinute, options.credentialRefused);
  /** Unauthenticated callers must not learn which paths under /api/ exist. */
  const sendUnmatched = async (known: readonly Operation[], request: FastifyRequest, reply: FastifyReply) => {
    if (!request.url.startsWith("/api/")) {
      return (await options.sendUnknownPage?.(request, reply)) ?? reply.code(404).send({ error: "Not found" });
    }
    await authenticate(context, attempts, request);
    return sendOtherMethods(known, request, reply);
  };
  const server = fastify({
    bodyLimit: BODY_LIMIT_BYTES,
    trustProxy: options.trustedProxies.length > 0 ? [...options.trustedProxies] : false,
    genReqId: () => context.newId("req"),
    exposeHeadRoutes: false,
    routerOptions: { maxParamLength: 2_000, querystringParser: () => ({}) },
    // Paths that cannot be decoded or are too long. Fastify runs neither hooks nor handlers for them.
    frameworkErrors: (_error, request, reply) => {
      setCommonHeaders(request, reply);
      sendUnmatched([], request, reply).catch((error: unknown) => sendError(error, request, reply, context));
    },
    logger: false,
  });
  // AUTH-1: every route under /api/ is an operation, because operations authenticate their callers.
  server.addHook("onRoute", ({ url, config }) => {
    if (url.startsWith("/api/") && !config?.operation) throw new Error(`${url} is not an operation`);
  });
  joinBodyChunks(server);
  limitUnreadResponses(server);
  readBytesOnly(server);
  server.addHook("onSend", async (request, reply) => setCommonHeaders(request, reply));
  server.setErrorHandler((error, request, reply) => sendError(error, request, reply, context));
  server.setNotFoundHandler((request, reply) => sendUnmatched(operations, request, reply));
  mountOperations(server, operations, context, {
    undeclared: options.undeclared,
    attempts,
    memberChanges: new MemberChanges(context.clock),
    refuseManaged: options.refuseManaged,
  });
  return server;
}

function setCommonHeaders(request: FastifyRequest, reply: FastifyReply): void {
  reply.header("x-request-id", request.id);
  if (!reply.hasHeader("cache-control")) reply.header("cache-control", "no-store");
  reply.header("x-content-type-options", "nosniff");
}

/** Accepts JSON, and ZIP files for operations that declare them, and returns bytes, so that the same bytes are parsed and validated here (API-2). */
function readBytesOnly(server: FastifyInstance): void {
  server.removeAllContentTypeParsers();
  for (const type of [/^application\/json\s*(?:;|$)/i, /^application\/zip\s*(?:;|$)/i]) {
    server.addContentTypeParser(type, { parseAs: "buffer" }, (_request, body, done) => done(null, body));
  }
}

function sendError(error: unknown, request: FastifyRequest, reply: FastifyReply, context: ApiContext): FastifyReply {
  const operation = request.routeOptions.config?.operation;
  const onCrash = operation?.onCrash ?? "Failed to handle the request";
  const rendered: RenderedError = renderError(error, onCrash, request.routeOptions.bodyLimit);
  if (rendered.isCrash) {
    context.logger.error({ err: error, requestId: request.id, operation: operation?.id }, onCrash);
  }
  return reply.code(rendered.status).headers(rendered.headers).send(rendered.body);
}

/** D33: a path that exists under other methods lists them. */
function sendOtherMethods(
  operations: readonly Operation[],
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  const path = request.url.split("?")[0] ?? "";
  const methods = operations
    .map(routeOf)
    .filter(({ url }) => new RegExp(`^${url.replace(/\{\w+\}/g, "[^/]+")}$`).test(path))
    .map(({ method }) => method);
  if (methods.length === 0) return reply.code(404).send({ error: "Not found" });
  return reply
    .code(405)
    .header("allow", [...new Set(methods)].join(", "))
    .send({ error: "Method not allowed" });
}
