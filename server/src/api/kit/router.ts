import { isUtf8 } from "node:buffer";
import { createHash } from "node:crypto";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { invalid, Refusal } from "#lib/errors";
import type { FailedAttempts } from "#lib/failed-attempts";
import type { MainDb } from "#storage/database";
import type { ApiContext } from "./api-context.ts";
import { authenticate } from "./authenticate.ts";
import { authenticateJwt } from "./bearer.ts";
import { ANYONE, type Caller } from "./caller.ts";
import { checkedText, type Undeclared } from "./checked-text.ts";
import { ContentCheck } from "./content-check.ts";
import { decompressBody } from "./decompress-body.ts";
import { Deprecation } from "./deprecation.ts";
import { createInvoke } from "./invoke.ts";
import type { MemberChanges } from "./member-changes.ts";
import type { Download, Operation, SignedRequest, WriteInput, WrittenAnswer } from "./operation.ts";
import { type Parameters, readParameters } from "./parameters.ts";
import { readBody } from "./read-body.ts";
import { type Answer, readIdempotencyKey, runWrite } from "./run-write.ts";
import { allows, isScope, type NeededScope, type Scope } from "./scopes.ts";
import { sendDownload } from "./send-download.ts";

export interface RouterOptions {
  readonly undeclared: Undeclared;
  readonly attempts: FailedAttempts;
  readonly memberChanges: MemberChanges;
  /** Rejects a request that changes something that files manage. Operations that others run are not checked. */
  readonly refuseManaged?: RefuseManaged | undefined;
}

export type RefuseManaged = (
  db: MainDb,
  operation: string,
  input: { readonly path: object; readonly query: object; readonly body: unknown; readonly prepared: unknown },
) => Promise<void>;

declare module "fastify" {
  interface FastifyContextConfig {
    operation?: Operation;
  }
  interface FastifyRequest {
    /** Set after the caller, the scope and the parameters have been checked. */
    admission?: Admission;
  }
}

interface Admission {
  readonly caller: Caller;
  readonly jwt: string | undefined;
  readonly path: Record<string, unknown>;
  readonly query: Record<string, unknown>;
  readonly headers: Record<string, unknown>;
}

export const SUPPORTED_VERSION = "1";
const NO_BYTES = Buffer.alloc(0);
const EMPTY_OBJECT = Buffer.from("{}");

/** The error of Fastify for a body without a parser. `renderError` finds the response by its code. */
class UnsupportedMediaType extends Error {
  readonly code = "FST_ERR_CTP_INVALID_MEDIA_TYPE";
}

/** Mounts every operation. The order of checks is 401, 403, parameters, body, 404, references. */
export function mountOperations(
  server: FastifyInstance,
  operations: readonly Operation[],
  context: ApiContext,
  options: RouterOptions,
): void {
  assertPermitted(operations);
  for (const operation of operations) {
    const { method, url } = routeOf(operation);
    server.route({
      method,
      url: url.replace(/\{(\w+)\}/g, (_, name: string) => segmentOf(name, operation.path)),
      config: { operation },
      ...(operation.bodyLimitBytes !== undefined && { bodyLimit: operation.bodyLimitBytes }),
      onRequest: async (request, reply) => {
        setDeprecationHeaders(operation, request, reply);
        request.admission = await admit(operation, request, context, options);
        const { caller } = request.admission;
        if (caller !== ANYONE) request.payer = caller.actor.id;
      },
      handler: (request, reply) => serve(operation, request, reply, context, { ...options, operations }),
    });
  }
}

/** AZ-1: an operation with a scope outside the permission table would be closed to everyone or open to everyone. */
function assertPermitted(operations: readonly Operation[]): void {
  const ids = new Set<string>();
  for (const { id, scope } of operations) {
    if (scope !== "any" && !isScope(scope)) throw new Error(`${id} needs a scope that the permission table lacks`);
    if (ids.has(id)) throw new Error(`two operations are called ${id}`);
    ids.add(id);
  }
}

export function routeOf(operation: Operation): { method: string; url: string } {
  const [method = "", url = ""] = operation.route.split(" ");
  return { method, url };
}

/** Fastify's pattern for a path segment. Without an expression it also matches an empty segment. */
function segmentOf(name: string, parameters: Parameters = {}): string {
  return parameters[name]?.refusesEmptySegment ? `:${name}([^]+)` : `:${name}`;
}

export function isArchive(request: FastifyRequest): boolean {
  return /^application\/zip\s*(?:;|$)/i.test(request.headers["content-type"] ?? "");
}

async function admit(
  operation: Operation,
  request: FastifyRequest,
  context: ApiContext,
  { attempts, memberChanges }: RouterOptions,
): Promise<Admission> {
  const { caller, jwt } = await identify(operation, request, context, attempts);
  if (operation.callers === "people" && !caller.visitor) {
    throw new Refusal("forbidden", "Insufficient permissions: requires a web session");
  }
  if (caller !== ANYONE) requireScope(caller, operation.scope);
  if (isArchive(request) && operation.archive === undefined) throw new UnsupportedMediaType();
  memberChanges.admit(caller, operation);
  const header = (name: string) => headerValues(request, name);
  checkVersion(header("service-api-version"));
  // Parsing a URL takes longer than everything else here.
  const given = operation.query && queryOf(request);
  const params = request.params as Record<string, string | undefined>; // Fastify's path parameters are text
  return {
    caller,
    jwt,
    path: readParameters(operation.path ?? {}, (name) => [params[name] ?? ""]),
    query: readParameters(operation.query ?? {}, (name) => given?.getAll(name) ?? []),
    headers: readParameters(operation.headers ?? {}, (name) => header(name).map(headerText)),
  };
}

async function identify(
  { callers }: Operation,
  request: FastifyRequest,
  context: ApiContext,
  attempts: FailedAttempts,
): Promise<Pick<Admission, "caller" | "jwt">> {
  if (callers === "anyone") return { caller: ANYONE, jwt: undefined };
  if (callers !== "jwt") return { caller: await authenticate(context, attempts, request), jwt: undefined };
  const [authorization] = headerValues(request, "authorization");
  const keys = headerValues(request, "x-api-key");
  if (keys.length > 1) throw new Refusal("unauthenticated", "several API keys");
  return authenticateJwt(context, attempts, { authorization, apiKey: keys[0] }, request.ip);
}

async function readmit(
  operation: Operation,
  request: FastifyRequest,
  context: ApiContext,
  attempts: FailedAttempts,
): Promise<void> {
  const { caller } = await identify(operation, request, context, attempts);
  requireScope(caller, operation.scope);
}

function requireScope({ scopes }: Caller, scope: NeededScope, reason?: string): void {
  if (allows(scopes, scope)) return;
  const because = reason === undefined ? "" : `, because ${reason}`;
  throw new Refusal("forbidden", `Insufficient permissions: requires ${scope}${because}`);
}

/** Reads the raw header list, because Node joins or drops repeated headers and repetition must be detected. */
function headerValues(request: FastifyRequest, name: string): string[] {
  const raw = request.raw.rawHeaders;
  const values: string[] = [];
  for (let i = 0; i < raw.length; i += 2) {
    if (raw[i]?.toLowerCase() === name.toLowerCase()) values.push(raw[i + 1] ?? "");
  }
  return values;
}

/** Node decodes header bytes as Latin-1. Most clients send non-ASCII names as UTF-8, browsers as Latin-1. */
function headerText(value: string): string {
  const bytes = Buffer.from(value, "latin1");
  return isUtf8(bytes) ? bytes.toString("utf8") : value;
}

function checkVersion(versions: readonly string[]): void {
  if (versions.length > 1) throw invalid("Service-API-Version", "must be given once");
  const version = versions[0];
  if (version !== undefined && version !== SUPPORTED_VERSION) {
    throw invalid("Service-API-Version", `unsupported version "${version}", supported: ${SUPPORTED_VERSION}`);
  }
}

async function serve(
  operation: Operation,
  request: FastifyRequest,
  reply: FastifyReply,
  context: ApiContext,
  { undeclared, attempts, operations, refuseManaged }: RouterOptions & { readonly operations: readonly Operation[] },
): Promise<FastifyReply> {
  const { admission } = request;
  if (!admission) throw new Error(`${operation.id} ran without admission`);
  const sent = request.body as Buffer | undefined; // the only content-type parser returns bytes
  const bytes = operation.acceptsGzip && sent ? await decompressBody(request, sent) : sent;
  await requireSignature(operation, { ...admission, bytes: bytes ?? NO_BYTES, context }, attempts, request.ip);
  const archive = isArchive(request) ? bytes : undefined;
  const body = archive ? undefined : parsedBody(operation, bytes);
  const afterCommit: (() => void)[] = [];
  const given = {
    ...{ path: admission.path, query: admission.query, headers: admission.headers },
    body,
    archive,
    bytes: bytes ?? NO_BYTES,
    actor: admission.caller.actor,
    jwt: admission.jwt,
    visitor: admission.caller.visitor,
    requestId: request.id,
    address: request.ip,
    context,
    db: context.databases.main,
    requireScope: (scope: Scope, reason?: string) => requireScope(admission.caller, scope, reason),
    wrongCredential: () => countWrong(attempts, request.ip),
    afterCommit: (task: () => void) => afterCommit.push(task),
  };
  const { requireScope: needs } = given;
  const input = { ...given, invoke: createInvoke({ operations, input: given, kinds: ["read"], requireScope: needs }) };
  // The types of the declaration guarantee that `run` accepts exactly this input; the same holds below.
  if (operation.kind === "download") {
    const found = await (operation.run as (input: unknown) => Promise<Download>)(input);
    return sendDownload(reply, found, context.clock, () => readmit(operation, request, context, attempts));
  }
  const run = operation.run as (input: unknown) => Promise<Answer>;
  const prepare = operation.prepare as ((input: unknown) => Promise<unknown>) | undefined;
  const prepared = await prepare?.(input);
  const contents = new ContentCheck(context.contentGuards);
  const written =
    operation.kind === "write"
      ? await runWrite({
          operation,
          actor: admission.caller.actor,
          requestId: request.id,
          address: request.ip,
          context,
          idempotencyKey:
            request.method === "POST" ? readIdempotencyKey(headerValues(request, "idempotency-key")) : undefined,
          requestHash: hashRequest(request, bytes),
          contents,
          run: async (tx, trail) => {
            afterCommit.length = 0;
            await refuseManaged?.(tx, operation.id, { ...input, prepared });
            const checkContent: WriteInput<object, object, object, unknown>["checkContent"] = (type, content) =>
              contents.check(tx, type, content);
            const writing = { ...input, db: tx, tx, trail, checkContent };
            const kinds = ["read", "write"] as const;
            const invoke = createInvoke({ operations, input: writing, kinds, requireScope: needs });
            return run({ ...input, prepared, tx, trail, checkContent, invoke });
          },
        })
      : await (operation.run as (input: unknown) => Promise<Answer | WrittenAnswer>)(input);
  runTasks(operation, afterCommit);
  const finish = operation.finish as ((answer: typeof written, input: unknown) => Promise<Answer>) | undefined;
  const answer = finish ? await finish(written, input) : written;
  if (isUnchanged(request, reply, answer)) return reply.code(304).send();
  const text = await checkedText(operation, answer, undeclared, context.nextTurn);
  return reply.code(answer.status).type("application/json; charset=utf-8").send(text);
}

/** A trial commits nothing, so its tasks have no reason. */
function runTasks({ isTrial }: Operation, afterCommit: readonly (() => void)[]): void {
  if (isTrial) return;
  for (const task of afterCommit) task();
}

function countWrong(attempts: FailedAttempts, address: string): { readonly retryAfterSeconds?: number } {
  const retryAfterSeconds = attempts.countFailure(address);
  return retryAfterSeconds === undefined ? {} : { retryAfterSeconds };
}

/** Before the body is read: strangers do not learn what it should contain. The limit never applies to a valid signature. */
async function requireSignature(
  { isSigned }: Operation,
  signed: Omit<SignedRequest, "db">,
  attempts: FailedAttempts,
  address: string,
): Promise<void> {
  const { path, headers, bytes, context } = signed;
  const db = context.databases.main;
  if (!isSigned || (await isSigned({ path, headers, bytes, context, db }))) return;
  const retryAfterSeconds = attempts.retryAfter(address);
  if (retryAfterSeconds !== undefined) throw new Refusal("too-many", "Too many requests", { retryAfterSeconds });
  attempts.failed(address);
  throw new Refusal("invalid-signature", "invalid_signature");
}

/** Whether the caller has this answer already, by its ETag. */
function isUnchanged(request: FastifyRequest, reply: FastifyReply, answer: Answer | WrittenAnswer): boolean {
  const etag = "etag" in answer ? answer.etag : undefined;
  if (etag === undefined) return false;
  reply.header("etag", etag);
  return headerValues(request, "if-none-match").includes(etag);
}

function parsedBody({ body, readsBytes, bodyIsOptional }: Operation, bytes: Buffer | undefined): unknown {
  if (!body || readsBytes) return undefined;
  return readBody(body, bodyIsOptional && !bytes?.length ? EMPTY_OBJECT : bytes);
}

function hashRequest(request: FastifyRequest, bytes: Buffer | undefined): string {
  const hash = createHash("sha256").update(`${request.method} ${request.raw.url}\n`);
  if (bytes) hash.update(bytes);
  return hash.digest("hex");
}

/** Spec 9.4, D13: sets the deprecation headers on any response, based on the declaration. */
function setDeprecationHeaders(operation: Operation, request: FastifyRequest, reply: FastifyReply): void {
  const used = [
    operation.deprecated,
    ...deprecatedOf(operation.query, (name) => queryOf(request).has(name)),
    ...deprecatedOf(operation.headers, (name) => headerValues(request, name).length > 0),
  ];
  const deprecation = Deprecation.soonest(used.filter((each) => each !== undefined));
  if (deprecation) reply.headers(deprecation.headers());
}

function deprecatedOf(parameters: Parameters = {}, isGiven: (name: string) => boolean): (Deprecation | undefined)[] {
  return Object.entries(parameters).map(([name, { deprecated }]) =>
    deprecated && isGiven(name) ? deprecated : undefined,
  );
}

function queryOf({ raw }: FastifyRequest): URLSearchParams {
  return new URL(raw.url ?? "", "http://any").searchParams;
}
