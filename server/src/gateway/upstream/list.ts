/** Reads an upstream's whole list of tools, for the sync room. Bounded in tools, bytes, pages and time (GW-10). */
import type { Egress } from "#egress/egress";
import type { Clock } from "#lib/clock";
import type { Logger } from "#lib/logger";
import { ByteSource } from "../json/byte-source.ts";
import { JsonScanner } from "../json/scanner.ts";
import { watchPlan } from "../json/watch-plan.ts";
import type { Era, UpstreamEntry } from "../snapshot/shape.ts";
import { ask, type Reply } from "./ask.ts";
import { Channel } from "./channel.ts";
import { askChannel, openSseChannel } from "./channel-session.ts";
import { faultOfError, faultOfStatus, UpstreamFault } from "./failure.ts";
import {
  endLegacySession,
  HANDSHAKE_MS,
  type Line,
  MODERN_META,
  MODERN_VERSION,
  notSpoken,
  type OpenedSession,
  openLegacySession,
  speaksModern,
} from "./handshake.ts";
import { legacyHeaders, modernHeaders, modernRequestHeaders } from "./headers.ts";
import { jsonRpc } from "./json-rpc.ts";

export interface ListParts {
  readonly egress: Egress;
  readonly clock: Clock;
  readonly logger: Logger;
}

export interface ListedTools {
  /** Each tool's JSON text, byte for byte, in the upstream's order. */
  readonly tools: readonly string[];
  /** All eras that the upstream speaks. */
  readonly eras: readonly Era[];
}

export interface ListOptions {
  readonly deadlineMs?: number;
  /** Sent with each request, such as a credential: names and values in turn. */
  readonly headers?: readonly string[];
}

const DEADLINE_MS = 30_000;
const MAX_TOOLS = 1000;
const MAX_BYTES = 4 << 20;
const MAX_PAGES = 100;
/** Only against exhaustion: a tool that is too deep for clients is judged by itself and must not cost all others. */
const MAX_DEPTH = 1_000;
const RESULT = watchPlan([["result"]]);
const ELEMENTS = watchPlan([], { elements: MAX_TOOLS + 1 });

/** Rejects with UpstreamFault; `fault.describe(slug)` words it. */
export async function listTools(
  parts: ListParts,
  upstream: Pick<UpstreamEntry, "url" | "transport">,
  options: ListOptions = {},
): Promise<ListedTools> {
  const url = new URL(upstream.url);
  let lastId = 0;
  const line: Line = {
    wire: () => parts.egress.wire(url.origin),
    clock: parts.clock,
    origin: url.origin,
    path: url.pathname + url.search,
    nextId: () => ++lastId,
    extraHeaders: options.headers ?? [],
  };
  const deadline = parts.clock.monotonic() + (options.deadlineMs ?? DEADLINE_MS);
  try {
    const overHttp = upstream.transport === "sse" ? undefined : await listOverHttp(line, deadline);
    if (overHttp) return overHttp;
    const overSse = upstream.transport === "http" ? undefined : await listOverSse(line, deadline, parts.logger);
    if (overSse) return overSse;
    throw new UpstreamFault("bad-answer", notSpoken(upstream.transport));
  } catch (error) {
    throw faultOfError(error);
  }
}

/** Undefined when neither era is spoken. */
async function listOverHttp(line: Line, deadline: number): Promise<ListedTools | undefined> {
  const modern = await speaksModern(line);
  // Where modern answers, trouble with the old handshake only means that it is not spoken.
  const session = await openLegacySession(line).catch((error) => (modern ? undefined : Promise.reject(error)));
  const eras: Era[] = [...(modern ? (["modern"] as const) : []), ...(session ? (["legacy"] as const) : [])];
  if (eras.length === 0) return undefined;
  try {
    return { tools: await readPages(line, modern ? undefined : session, deadline), eras };
  } finally {
    if (session?.sessionId !== undefined) {
      void endLegacySession(line, [...legacyHeaders(session.version, session.sessionId), ...line.extraHeaders]);
    }
  }
}

async function listOverSse(line: Line, deadline: number, logger: Logger): Promise<ListedTools | undefined> {
  const channel = await openSseChannel(line, { logger, idleMs: HANDSHAKE_MS, maxBytes: MAX_BYTES });
  if (!channel) return undefined;
  try {
    return { tools: await readPages(line, channel, deadline), eras: ["legacy"] };
  } finally {
    channel.close();
  }
}

type Session = OpenedSession | Channel | undefined;

async function readPages(line: Line, session: Session, deadline: number): Promise<string[]> {
  const tools: string[] = [];
  const cursors = new Set<string>();
  let bytes = 0;
  let cursor: string | undefined;
  for (let page = 0; page < MAX_PAGES; page++) {
    const reply = await askPage(line, session, cursor, deadline, MAX_BYTES - bytes);
    const result = reply.response?.result;
    if (!result || !reply.text) throw new UpstreamFault("bad-answer", "did not answer with a list of tools");
    bytes += reply.text.length;
    if (bytes > MAX_BYTES) throw new UpstreamFault("too-large", "sent a list of tools that is too large");
    tools.push(...rawTools(reply.text));
    if (tools.length > MAX_TOOLS) throw new UpstreamFault("too-large", `lists more than ${MAX_TOOLS} tools`);
    // An empty string is a cursor too.
    if (typeof result.nextCursor !== "string") return tools;
    cursor = result.nextCursor;
    if (cursors.has(cursor)) throw new UpstreamFault("bad-answer", "repeats a page of its list of tools");
    cursors.add(cursor);
  }
  throw new UpstreamFault("too-large", `lists its tools on more than ${MAX_PAGES} pages`);
}

async function askPage(
  line: Line,
  session: Session,
  cursor: string | undefined,
  deadline: number,
  maxBytes: number,
): Promise<Reply> {
  const id = line.nextId();
  const method = "tools/list";
  const params = { ...(cursor === undefined ? {} : { cursor }), ...(session ? {} : { _meta: MODERN_META }) };
  const body = jsonRpc({ id, method, params });
  const left = deadline - line.clock.monotonic();
  if (left <= 0) throw new UpstreamFault("timeout", "did not list its tools in time");
  if (session instanceof Channel) return askChannel(session, line.clock, id, body, left);
  const headers = session ? legacyHeaders(session.version, session.sessionId) : modernHeaders(MODERN_VERSION);
  const message = {
    method: "POST",
    path: line.path,
    headers: [...headers, ...line.extraHeaders],
    ownHeaders: session ? [] : modernRequestHeaders(method, undefined, []),
    body,
  } as const;
  const reply = await ask(line.wire(), message, { clock: line.clock, id, deadlineMs: left, maxBytes });
  if (!reply.response && (reply.status < 200 || reply.status > 299)) throw faultOfStatus(reply.status);
  return reply;
}

/** The elements of `result.tools` as they stand in the text. */
function rawTools(text: Buffer): string[] {
  const result = scan(text, RESULT).objects[0];
  const list = result?.members.get("tools");
  if (list?.kind !== "array") throw new UpstreamFault("bad-answer", "did not answer with a list of tools");
  const array = text.subarray(list.start, list.end);
  const source = new ByteSource(array);
  return scan(array, ELEMENTS).elements.map((element) => source.text(element));
}

function scan(text: Buffer, watch: ReturnType<typeof watchPlan>) {
  try {
    const scanner = new JsonScanner({ watch, maxDepth: MAX_DEPTH });
    scanner.push(text);
    return scanner.end();
  } catch (error) {
    throw new UpstreamFault("bad-answer", "sent a list of tools that is not well-formed", { cause: error });
  }
}
