import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { ApiContext } from "#api/kit/api-context";
import { authenticateToken } from "#api/kit/bearer";
import type { Caller } from "#api/kit/caller";
import { renderError } from "#api/kit/render-error";
import { allows } from "#api/kit/scopes";
import { project, SCHEMAS } from "#identity/scim/resources";
import { notUnique, ScimError } from "#identity/scim/scim-error";
import { Refusal } from "#lib/errors";
import { FailedAttempts } from "#lib/failed-attempts";
import { noteScimRequest } from "#records/scim-state";
import { constraintName, unlessDiskFull } from "#storage/constraints";
import { ROUTES, type ScimAnswer } from "./handlers.ts";
import { readRequest, type ScimRequest } from "./scim-request.ts";

const PREFIX = "/scim/v2";
const MEDIA_TYPE = "application/scim+json; charset=utf-8";
const BODY_LIMIT_BYTES = 1024 * 1024;
const WRONG_TOKENS_PER_MINUTE = 100;
/** A provider sends many requests in a row; the page of the settings needs no more than this. */
const NOTED_EVERY_MS = 5_000;

declare module "fastify" {
  interface FastifyRequest {
    /** The API token of a SCIM request. */
    scimCaller?: Caller;
  }
}

/** SCIM 2.0 (RFC 7643 and 7644) for identity providers, with API tokens. Not part of the API document. */
export function mountScim(server: FastifyInstance, context: ApiContext): void {
  server.register(async (scope) => mountRoutes(scope, context), { prefix: PREFIX });
}

function mountRoutes(scope: FastifyInstance, context: ApiContext): void {
  const attempts = new FailedAttempts(context.clock, WRONG_TOKENS_PER_MINUTE);
  const notes = new RequestNotes(context);
  scope.removeAllContentTypeParsers();
  const bytes = { parseAs: "buffer", bodyLimit: BODY_LIMIT_BYTES } as const;
  for (const type of [/^application\/scim\+json\s*(?:;|$)/i, /^application\/json\s*(?:;|$)/i]) {
    scope.addContentTypeParser(type, bytes, (_request, body, done) => done(null, body));
  }
  scope.addHook("onRequest", async (request) => {
    request.scimCaller = await authenticate(context, attempts, request);
    request.payer = request.scimCaller.actor.id;
  });
  scope.setErrorHandler(async (error, request, reply) => {
    const scimError = asScimError(error, request, context);
    await notes.note(request, scimError);
    return sendError(reply, scimError);
  });
  scope.setNotFoundHandler((request, reply) => {
    return sendError(reply, new ScimError(404, `${request.method} ${request.url.slice(0, 200)} does not exist`));
  });
  for (const [route, handler] of Object.entries(ROUTES)) {
    const [method = "", url = ""] = route.split(" ");
    scope.route({
      method,
      url,
      bodyLimit: BODY_LIMIT_BYTES,
      handler: async (request, reply) => {
        const caller = request.scimCaller;
        if (!caller) throw new Error("a SCIM request ran without a caller");
        const scimRequest = readRequest(request);
        const answer = await handler({ api: context, caller, request: scimRequest });
        await notes.note(request, undefined, answer.status);
        return send(reply, scimRequest, answer);
      },
    });
  }
}

async function authenticate(context: ApiContext, attempts: FailedAttempts, request: FastifyRequest): Promise<Caller> {
  const { authorization } = request.headers;
  if (authorization === undefined) throw new Refusal("unauthenticated", "no credential");
  const caller = await authenticateToken(context, attempts, authorization, request.ip);
  if (!allows(caller.scopes, "admin:scim")) {
    throw new Refusal("forbidden", "Insufficient permissions: requires admin:scim");
  }
  return caller;
}

function send(reply: FastifyReply, request: ScimRequest, { status, resource, page, document }: ScimAnswer) {
  reply.type(MEDIA_TYPE);
  if (document) return reply.code(status).send(JSON.stringify(document));
  if (page) {
    const resources = page.resources.map((each) => project(each, request.projection));
    const { total: totalResults, startIndex } = page;
    const body = { schemas: [SCHEMAS.list], totalResults, itemsPerPage: resources.length, startIndex };
    return reply.code(status).send(JSON.stringify({ ...body, Resources: resources }));
  }
  if (!resource) return reply.code(status).removeHeader("content-type").send();
  const { version = "", location } = resource.meta;
  reply.header("etag", version);
  if (status === 200 && request.ifNoneMatch?.(version)) return reply.code(304).removeHeader("content-type").send();
  if (status === 201) reply.header("location", location);
  if (status === 204) return reply.code(status).removeHeader("content-type").send();
  return reply.code(status).send(JSON.stringify(project(resource, request.projection)));
}

function sendError(reply: FastifyReply, { status, scimType, message, retryAfter }: ScimError): FastifyReply {
  if (retryAfter !== undefined) reply.header("retry-after", retryAfter);
  if (status === 401) reply.header("www-authenticate", "Bearer");
  return reply
    .code(status)
    .type(MEDIA_TYPE)
    .send(
      JSON.stringify({
        schemas: [SCHEMAS.error],
        status: String(status),
        ...(scimType && { scimType }),
        detail: message,
      }),
    );
}

/** Two requests can pass the checks concurrently; the constraint rejects the second. */
const TAKEN: Readonly<Record<string, string>> = {
  users_email_key: "emails: the email belongs to another user",
  users_user_name_key: "userName: belongs to another person",
  users_external_id_key: "externalId: belongs to another person",
  groups_name_key: "displayName: the group already exists",
  groups_external_id_key: "externalId: belongs to another group",
};

function asScimError(error: unknown, request: FastifyRequest, context: ApiContext): ScimError {
  if (error instanceof ScimError) return error;
  const taken = TAKEN[constraintName(error) ?? ""];
  if (taken !== undefined) return notUnique(taken);
  const { status, body, headers, isCrash } = renderError(error, "Failed to handle the SCIM request");
  if (isCrash) context.logger.error({ err: error, requestId: request.id }, "SCIM request failed");
  const detail = "message" in body ? body.message : body.error;
  if (status === 415) return new ScimError(415, "Content-Type must be application/scim+json or application/json");
  return new ScimError(status, detail, undefined, headers["retry-after"]);
}

/** Keeps the last request of the provider, and its last error, for the page of the settings. */
class RequestNotes {
  readonly #context: ApiContext;
  #notedAt = Number.NEGATIVE_INFINITY;

  constructor(context: ApiContext) {
    this.#context = context;
  }

  async note(request: FastifyRequest, error: ScimError | undefined, status = error?.status ?? 500): Promise<void> {
    const { clock, databases, logger } = this.#context;
    const { scimCaller } = request;
    const isDue = clock.monotonic() - this.#notedAt >= NOTED_EVERY_MS;
    if (!scimCaller || (!isDue && !error)) return;
    this.#notedAt = clock.monotonic();
    const path = (request.url.split("?")[0] ?? "").slice(PREFIX.length, 200);
    const noted = noteScimRequest(databases.main, {
      at: clock.now(),
      request: `${request.method} ${path}`,
      status,
      token: scimCaller.actor.name,
      ...(error && { error: `${error.status}: ${error.message}`.slice(0, 500) }),
    });
    // The provider's request succeeded or failed for its own reason.
    await unlessDiskFull(noted).catch((reason: unknown) => logger.warn({ err: reason }, "SCIM request not noted"));
  }
}
