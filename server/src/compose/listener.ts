import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { Logos } from "#api/logos/logos";
import { sendLogo } from "#api/logos/send-logo";
import { isPluginPath } from "#gateway/own/plugins/plugin-paths";
import { isSkillPath } from "#gateway/own/skills/download-skills";
import type { ClosedConnections } from "#lib/closed-connections";
import { isSlug } from "#lib/slug";
import { disconnectStalledReader } from "#lib/stalled-reader";
import { CoalescedRequest } from "./coalesced-request.ts";
import { type ConnectionLimit, limitConnections } from "./limit-connections.ts";
import { createPipeliningLimit } from "./limit-pipelining.ts";

/** The handlers of requests by path. Other paths go to the server of the administration API. */
export interface RequestHandlers {
  /** Undefined in a process whose role has no gateway. */
  readonly gateway: ((request: IncomingMessage, response: ServerResponse) => void) | undefined;
  readonly api: (request: IncomingMessage, response: ServerResponse) => void;
  readonly logos: Logos;
  /** Whether to close each connection after its response (OPS-1). */
  isDraining(): boolean;
  /** Rejects new API requests; the gateway rejects its own (GW-16). */
  isOverloaded(): boolean;
  /** Why the service is not ready, without details for unauthenticated readers (WEB-9); undefined if it is ready. */
  notReadyBecause(): string | undefined;
  /** Why the service is degraded although it is ready, likewise without details (OPS-3). */
  degradedBecause(): string | undefined;
}

export interface ListenerOptions {
  /** Allowed Host values; undefined for any, if the service does not listen only on loopback. */
  readonly hosts: ReadonlySet<string> | undefined;
  readonly origins: ReadonlySet<string>;
  readonly connections: ConnectionLimit;
  readonly closed: Pick<ClosedConnections, "add">;
  /** Called for each request except those of health checks. */
  readonly observe: (request: IncomingMessage) => void;
}

const MCP = "/mcp";
const LOGOS = "/logos/";
const KEEP_ALIVE_MS = 65_000; // longer than the load balancers that keep connections for 60 s
const HEADERS_TIMEOUT_MS = 20_000;
/** For headers and body. Requests without a credential have shorter limits where their body is parsed. */
const REQUEST_TIMEOUT_MS = 120_000;

export function createListener(handlers: RequestHandlers, options: ListenerOptions): Server {
  const http = {
    IncomingMessage: CoalescedRequest,
    keepAliveTimeout: KEEP_ALIVE_MS,
    maxHeaderSize: 16 * 1024,
    headersTimeout: HEADERS_TIMEOUT_MS,
    requestTimeout: REQUEST_TIMEOUT_MS,
  };
  const admitsPipelined = createPipeliningLimit(options.closed);
  const server = createServer(http, (request, response) => {
    if (!admitsPipelined(request, response)) return;
    const path = pathOf(request.url ?? "/");
    if (handlers.isDraining()) response.shouldKeepAlive = false;
    if (answersHealth(path, response, handlers)) return;
    options.observe(request);
    const refusal = refusalOf(request, options);
    if (refusal) return sendJson(response, refusal.status, { error: refusal.error });
    return route(path, request, response, handlers, options.closed);
  });
  limitConnections(server, options.connections, options.closed);
  return server;
}

function route(
  path: string,
  request: IncomingMessage,
  response: ServerResponse,
  handlers: RequestHandlers,
  closed: ListenerOptions["closed"],
): void {
  if (handlers.gateway && isGatewayPath(path)) return handlers.gateway(request, response);
  disconnectStalledReader(response, closed);
  if (path.startsWith(LOGOS)) return sendLogoAt(path, request, response, handlers);
  if (handlers.isOverloaded()) return sendBusy(response);
  handlers.api(request, response);
}

function refusalOf(request: IncomingMessage, options: ListenerOptions) {
  if (hasRepeatedHeader(request)) return { status: 400, error: "Host or Authorization header repeated" };
  return isForeign(request, options) ? { status: 403, error: "Forbidden host or origin" } : undefined;
}

const HOST_LENGTH = "host".length;
const AUTHORIZATION_LENGTH = "authorization".length;

/** Node keeps only the first of several; a proxy may have checked another one (AUTH-4). */
function hasRepeatedHeader({ rawHeaders }: IncomingMessage): boolean {
  let hosts = 0;
  let authorizations = 0;
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i] ?? "";
    if (name.length === HOST_LENGTH && name.toLowerCase() === "host") hosts++;
    else if (name.length === AUTHORIZATION_LENGTH && name.toLowerCase() === "authorization") authorizations++;
  }
  return hosts > 1 || authorizations > 1;
}

/** `/mcp`, `/mcp/<slug>` (D27), or a download of a skill or a plugin. Without a credential, the gateway does not reveal which slugs exist. */
function isGatewayPath(path: string): boolean {
  if (isSkillPath(path) || isPluginPath(path)) return true;
  return path === MCP || (path.startsWith(`${MCP}/`) && isSlug(path.slice(MCP.length + 1)));
}

function pathOf(url: string): string {
  const query = url.indexOf("?");
  return query === -1 ? url : url.slice(0, query);
}

/**
 * AUTH-9: a page in a browser must not access the service through a host name that it rebound, nor from its own origin.
 * Other clients send no Origin and are not affected. If hosts are checked, the origins of those hosts are allowed.
 */
function isForeign(request: IncomingMessage, { hosts, origins }: ListenerOptions): boolean {
  const { host, origin } = request.headers;
  if (hosts && !hosts.has(hostName(host ?? ""))) return true;
  if (origin === undefined || origins.has(origin)) return false;
  return hosts === undefined || origin !== `http://${host}`;
}

function hostName(host: string): string {
  const bracket = host.indexOf("]");
  const colon = host.indexOf(":", bracket + 1);
  return (colon === -1 ? host : host.slice(0, colon)).toLowerCase();
}

function answersHealth(path: string, response: ServerResponse, handlers: RequestHandlers): boolean {
  if (path === "/livez") sendJson(response, 200, { status: "alive" });
  else if (path === "/readyz") sendReadiness(response, handlers);
  else return false;
  return true;
}

function sendReadiness(response: ServerResponse, handlers: RequestHandlers): void {
  const reason = handlers.notReadyBecause();
  const missing = handlers.isOverloaded() ? "overloaded" : handlers.degradedBecause();
  if (reason !== undefined) sendJson(response, 503, { status: "not ready", reason });
  else if (missing !== undefined) sendJson(response, 200, { status: "degraded", reason: missing });
  else sendJson(response, 200, { status: "ready" });
}

function sendLogoAt(
  path: string,
  request: IncomingMessage,
  response: ServerResponse,
  { logos }: RequestHandlers,
): void {
  const logo = logos(path.slice(LOGOS.length));
  if (logo) sendLogo(request, response, logo);
  else sendJson(response, 404, { error: "Not found" });
}

function sendBusy(response: ServerResponse): void {
  response.setHeader("retry-after", "5");
  sendJson(response, 503, { error: "The service is overloaded; try again later" });
}

function sendJson(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { "content-type": "application/json", "cache-control": "no-store" });
  response.end(JSON.stringify(body));
}
