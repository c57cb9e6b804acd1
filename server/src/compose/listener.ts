import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { Logos } from "#api/logos/logos";
import { sendLogo } from "#api/logos/send-logo";
import { isSlug } from "#lib/slug";

/** Where a request goes, by its path. Everything that is not listed here belongs to the administration API's server. */
export interface Rooms {
  /** Undefined in a process whose role has no gateway. */
  readonly gateway: ((request: IncomingMessage, response: ServerResponse) => void) | undefined;
  readonly api: (request: IncomingMessage, response: ServerResponse) => void;
  readonly logos: Logos;
  /** Whether each answer is the last on its connection (OPS-1). */
  isDraining(): boolean;
  /** New work for the API is sent away; the gateway does that itself (GW-16). */
  isOverloaded(): boolean;
  /** Undefined: ready. Otherwise why not, in words that tell a stranger nothing (WEB-9). */
  notReadyBecause(): string | undefined;
  /** Ready, but not whole: what is missing, likewise in words (OPS-3). */
  degradedBecause(): string | undefined;
}

export interface ListenerOptions {
  /** Hosts that a request may name; undefined: any, because we do not listen on loopback alone. */
  readonly hosts: ReadonlySet<string> | undefined;
  readonly origins: ReadonlySet<string>;
}

const MCP = "/mcp";
const LOGOS = "/logos/";
const KEEP_ALIVE_MS = 65_000; // longer than the load balancers that keep connections for 60 s

export function createListener(rooms: Rooms, options: ListenerOptions): Server {
  const server = createServer({ keepAliveTimeout: KEEP_ALIVE_MS, maxHeaderSize: 16 * 1024 }, (request, response) => {
    const path = pathOf(request.url ?? "/");
    if (rooms.isDraining()) response.shouldKeepAlive = false;
    if (answersHealth(path, response, rooms)) return;
    if (isForeign(request, options)) return sendJson(response, 403, { error: "Forbidden host or origin" });
    if (rooms.gateway && isGatewayPath(path)) return rooms.gateway(request, response);
    if (path.startsWith(LOGOS)) return sendLogoAt(path, request, response, rooms);
    if (rooms.isOverloaded()) return sendBusy(response);
    return rooms.api(request, response);
  });
  return server;
}

/** `/mcp` or `/mcp/<slug>` (D27). Which slugs there are, the gateway tells to nobody without a credential. */
function isGatewayPath(path: string): boolean {
  return path === MCP || (path.startsWith(`${MCP}/`) && isSlug(path.slice(MCP.length + 1)));
}

function pathOf(url: string): string {
  const query = url.indexOf("?");
  return query === -1 ? url : url.slice(0, query);
}

/**
 * AUTH-9: a page in somebody's browser must not reach us under a name that it made point at us, nor from its own
 * origin. Programs send no Origin, so they are never concerned. Where hosts are checked, a page that we served under
 * any of them is our own.
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

function answersHealth(path: string, response: ServerResponse, rooms: Rooms): boolean {
  if (path === "/livez") sendJson(response, 200, { status: "alive" });
  else if (path === "/readyz") sendReadiness(response, rooms);
  else return false;
  return true;
}

function sendReadiness(response: ServerResponse, rooms: Rooms): void {
  const reason = rooms.notReadyBecause();
  const missing = rooms.isOverloaded() ? "too much to do" : rooms.degradedBecause();
  if (reason !== undefined) sendJson(response, 503, { status: "not ready", reason });
  else if (missing !== undefined) sendJson(response, 200, { status: "degraded", reason: missing });
  else sendJson(response, 200, { status: "ready" });
}

function sendLogoAt(path: string, request: IncomingMessage, response: ServerResponse, { logos }: Rooms): void {
  const logo = logos(path.slice(LOGOS.length));
  if (logo) sendLogo(request, response, logo);
  else sendJson(response, 404, { error: "Not found" });
}

function sendBusy(response: ServerResponse): void {
  response.setHeader("retry-after", "5");
  sendJson(response, 503, { error: "The service has too much to do; try again" });
}

function sendJson(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { "content-type": "application/json", "cache-control": "no-store" });
  response.end(JSON.stringify(body));
}
