/** `GET /plugins/marketplace.json`, and the read-only git repositories of plugins and marketplaces. */
import { createHash } from "node:crypto";
import { promisify } from "node:util";
import { gunzip } from "node:zlib";
import type { Exchange } from "../../exchange.ts";
import type { ServedRepository } from "../../ports.ts";
import { type GatewayContext, JSON_HEADERS } from "../../request.ts";
import type { Principal } from "../../snapshot/authenticate.ts";
import { pathOf } from "../../snapshot/scope.ts";
import { logDownload } from "../log-download.ts";
import { MARKETPLACE_JSON, type RepositoryPath, repositoryPathOf } from "./plugin-paths.ts";

const ADVERTISEMENT = ["content-type", "application/x-git-upload-pack-advertisement"] as const;
const RESULT = ["content-type", "application/x-git-upload-pack-result"] as const;
const NO_CACHE = ["cache-control", "no-cache"] as const;
const PRIVATE = ["cache-control", "private, no-cache"] as const;
/** More than the lines that a request can have. */
const BODY_LIMIT_BYTES = 1024 * 1024;
/** A complete history can be larger than what one caller may take of the memory. */
const MAX_PACK_BYTES = 64 * 1024 * 1024;
const NOT_FOUND = "Plugin not found";
const TOO_LARGE = "the history is too large for one response; use --depth 1";

const decompress = promisify(gunzip);

export function answerPluginRequest(exchange: Exchange, principal: Principal, context: GatewayContext): void {
  const path = pathOf(exchange.target);
  const repository = repositoryPathOf(path);
  // A credential of one toolkit is not for everything that the user has.
  if (principal.toolkit !== undefined) return refuse(exchange, 404, NOT_FOUND);
  if (path === MARKETPLACE_JSON) {
    if (exchange.method !== "GET") return refuseMethod(exchange, "GET");
    orFail(exchange, context, answerMarketplace(exchange, principal, context));
  } else if (repository) answerRepository(exchange, principal, context, repository);
  else refuse(exchange, 404, NOT_FOUND);
}

function answerRepository(
  exchange: Exchange,
  principal: Principal,
  context: GatewayContext,
  { name, service }: RepositoryPath,
): void {
  const wanted = new URLSearchParams(exchange.target.slice(exchange.target.indexOf("?") + 1)).get("service");
  const isPush = service === "git-receive-pack" || (service === "info/refs" && wanted === "git-receive-pack");
  if (isPush) return refuse(exchange, 403, "Plugins are read-only: publish a plugin in Gatehouse instead");
  if (service === "info/refs") {
    if (exchange.method !== "GET") return refuseMethod(exchange, "GET");
    if (wanted !== "git-upload-pack") return refuse(exchange, 403, "This repository needs git's smart HTTP protocol");
    return orFail(exchange, context, advertise(exchange, principal, context, name));
  }
  if (exchange.method !== "POST") return refuseMethod(exchange, "POST");
  exchange.readBody(BODY_LIMIT_BYTES, {
    done: (chunks) => orFail(exchange, context, upload(exchange, principal, context, name, Buffer.concat(chunks))),
    tooLarge: () => refuse(exchange, 413, "The request is larger than 1 MiB"),
    noRoom: () => refuseBusy(exchange),
  });
}

async function answerMarketplace(exchange: Exchange, principal: Principal, context: GatewayContext): Promise<void> {
  const startedAt = context.clock.monotonic();
  const body = await context.plugins.marketplace(principal.userId);
  const etag = `"sha256:${createHash("sha256").update(body).digest("hex")}"`;
  if (exchange.header("if-none-match") === etag) return exchange.answer(304, [...PRIVATE, "etag", etag], []);
  if (!exchange.hold(body.length)) return refuseBusy(exchange);
  const download = {
    method: "plugin.fetch",
    name: "marketplace.json",
    requestBytes: 0,
    body: [body],
    startedAt,
  } as const;
  logDownload(exchange, principal, context, download, () =>
    exchange.answer(200, [...JSON_HEADERS, ...PRIVATE, "etag", etag], [body]),
  );
}

async function advertise(exchange: Exchange, principal: Principal, context: GatewayContext, name: string) {
  const repository = await context.plugins.repository(principal.userId, name);
  // The same for a plugin that does not exist and for one out of reach (D26).
  if (!repository) return refuse(exchange, 404, NOT_FOUND);
  const body = repository.advertisement();
  if (!exchange.hold(body.length)) return refuseBusy(exchange);
  exchange.answer(200, [...ADVERTISEMENT, ...NO_CACHE], [body]);
}

async function upload(
  exchange: Exchange,
  principal: Principal,
  context: GatewayContext,
  name: string,
  sent: Buffer,
): Promise<void> {
  const startedAt = context.clock.monotonic();
  const request = await requestOf(exchange, sent);
  if (!request) return refuse(exchange, 400, "The body is not a compressed request of git, or it is larger than 1 MiB");
  const repository = await context.plugins.repository(principal.userId, name);
  if (!repository) return refuse(exchange, 404, NOT_FOUND);
  const { hasPack, parts } = repository.upload(request, (digest) => context.skillFiles.read(digest));
  const body = await collect(exchange, repository, parts);
  if (!body) return refuseBusy(exchange);
  const answer = () => exchange.answer(200, [...RESULT, ...NO_CACHE], body);
  if (!hasPack) return answer();
  const fetched = { method: "plugin.fetch", name: `${name}@${repository.version}` } as const;
  logDownload(exchange, principal, context, { ...fetched, requestBytes: sent.length, body, startedAt }, answer);
}

/** Git compresses long requests. Undefined: malformed or too large. */
async function requestOf(exchange: Exchange, body: Buffer): Promise<Buffer | undefined> {
  const encoding = exchange.header("content-encoding");
  if (encoding === undefined || encoding === "identity") return body;
  if (encoding !== "gzip" && encoding !== "x-gzip") return undefined;
  return decompress(body, { maxOutputLength: BODY_LIMIT_BYTES }).catch(() => undefined);
}

/** Undefined if no memory is left, or the caller has disconnected. */
async function collect(
  exchange: Exchange,
  repository: ServedRepository,
  parts: AsyncIterable<Buffer>,
): Promise<Buffer[] | undefined> {
  const body: Buffer[] = [];
  let bytes = 0;
  for await (const part of parts) {
    bytes += part.length;
    if (bytes > MAX_PACK_BYTES) return [repository.refusal(TOO_LARGE)];
    if (!exchange.hold(part.length)) return undefined;
    body.push(part);
  }
  return body;
}

function orFail(exchange: Exchange, { logger }: GatewayContext, work: Promise<void>): void {
  work.catch((error: unknown) => {
    logger.error({ err: error, requestId: exchange.requestId }, "a plugin could not be served");
    exchange.fail(500, JSON_HEADERS, [Buffer.from('{"error":"The plugin could not be read; try again"}')]);
  });
}

function refuse(exchange: Exchange, status: number, error: string, headers: readonly string[] = []): void {
  exchange.answer(status, [...JSON_HEADERS, ...headers], [Buffer.from(JSON.stringify({ error }))]);
}

function refuseMethod(exchange: Exchange, allowed: string): void {
  refuse(exchange, 405, "Method not allowed", ["allow", allowed]);
}

function refuseBusy(exchange: Exchange): void {
  refuse(exchange, 503, "The gateway is busy; try again", ["retry-after", "1"]);
}
