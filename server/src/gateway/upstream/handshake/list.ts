/** Reads all that an upstream lists, for the sync room. Bounded in items, bytes, pages and time (GW-10). */
import type { Egress } from "#egress/egress";
import type { Clock } from "#lib/clock";
import { ByteSource } from "#lib/json/byte-source";
import { JsonScanner } from "#lib/json/scanner";
import { watchPlan } from "#lib/json/watch-plan";
import type { Logger } from "#lib/logger";
import { METHOD_NOT_FOUND } from "../../envelope/errors.ts";
import type { Era, UpstreamEntry } from "../../snapshot/shape.ts";
import { faultOfError, faultOfStatus, UpstreamFault } from "../failure.ts";
import { Channel } from "../transport/channel.ts";
import { legacyHeaders, modernHeaders, modernRequestHeaders } from "../transport/headers.ts";
import { jsonRpc } from "../transport/json-rpc.ts";
import type { LocalServers } from "../transport/local-servers.ts";
import { type Reply, sendRequest } from "../transport/request.ts";
import { openSseChannel, requestOverChannel } from "./channel-handshake.ts";
import {
  type Capabilities,
  discoverModern,
  type Endpoint,
  endLegacySession,
  HANDSHAKE_MS,
  MODERN_META,
  MODERN_VERSION,
  notSpoken,
  type OpenedSession,
  openLegacySession,
} from "./handshake.ts";

export interface ListParts {
  readonly egress: Egress;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly localServers: LocalServers;
}

/** Each item's JSON text, byte for byte, in the upstream's order. */
export type RawItems = readonly string[];

export interface Listed {
  readonly tools: RawItems;
  /** Empty where the upstream does not offer them; a fault where they could not be read though the tools could. */
  readonly prompts: RawItems | UpstreamFault;
  readonly resources: RawItems | UpstreamFault;
  readonly resourceTemplates: RawItems | UpstreamFault;
  /** All eras that the upstream speaks. */
  readonly eras: readonly Era[];
}

export interface ListOptions {
  readonly deadlineMs?: number;
  /** Sent with each request, such as a credential: names and values in turn. */
  readonly headers?: readonly string[];
}

const DEADLINE_MS = 30_000;
const MAX_ITEMS = 1000;
const MAX_BYTES = 4 << 20;
const MAX_PAGES = 100;
/** Only against exhaustion: an item that is too deep for clients is judged by itself and must not cost all others. */
const MAX_DEPTH = 1_000;
/** One list of an upstream: who is asked, under which capability, and in which member the answer stands. */
interface ListKind {
  readonly method: string;
  readonly capability: string;
  readonly member: string;
  readonly words: string;
}

const TOOLS: ListKind = { method: "tools/list", capability: "tools", member: "tools", words: "tools" };
const PROMPTS: ListKind = { method: "prompts/list", capability: "prompts", member: "prompts", words: "prompts" };
const RESOURCES: ListKind = {
  method: "resources/list",
  capability: "resources",
  member: "resources",
  words: "resources",
};
const TEMPLATES: ListKind = {
  method: "resources/templates/list",
  capability: "resources",
  member: "resourceTemplates",
  words: "resource templates",
};

const RESULT = watchPlan([["result"]]);
const ELEMENTS = watchPlan([], { elements: MAX_ITEMS + 1 });

/** Rejects with UpstreamFault; `fault.describe(slug)` words it. */
export async function listUpstream(
  parts: ListParts,
  upstream: Pick<UpstreamEntry, "url" | "transport">,
  options: ListOptions = {},
): Promise<Listed> {
  const url = new URL(upstream.url);
  let lastId = 0;
  const endpoint: Endpoint = {
    wire: () => parts.egress.wire(url.origin),
    clock: parts.clock,
    origin: url.origin,
    path: url.pathname + url.search,
    nextId: () => ++lastId,
    extraHeaders: options.headers ?? [],
  };
  const deadlineMs = options.deadlineMs ?? DEADLINE_MS;
  if (upstream.transport === "stdio") return listOverStdio(parts.localServers, upstream.url, endpoint, deadlineMs);
  const deadline = parts.clock.monotonic() + deadlineMs;
  try {
    const overHttp = upstream.transport === "sse" ? undefined : await listOverHttp(endpoint, deadline);
    if (overHttp) return overHttp;
    const overSse = upstream.transport === "http" ? undefined : await listOverSse(endpoint, deadline, parts.logger);
    if (overSse) return overSse;
    throw new UpstreamFault("bad-answer", notSpoken(upstream.transport));
  } catch (error) {
    throw faultOfError(error);
  }
}

/** Undefined when neither era is spoken. */
async function listOverHttp(endpoint: Endpoint, deadline: number): Promise<Listed | undefined> {
  const modern = await discoverModern(endpoint);
  // Where modern answers, trouble with the old handshake only means that it is not spoken.
  const session = await openLegacySession(endpoint).catch((error) =>
    modern.spoken ? undefined : Promise.reject(error),
  );
  const eras: Era[] = [...(modern.spoken ? (["modern"] as const) : []), ...(session ? (["legacy"] as const) : [])];
  if (eras.length === 0) return undefined;
  try {
    const reader = new ListReader(endpoint, modern.spoken ? undefined : session, deadline);
    return { ...(await reader.readAll(modern.capabilities ?? session?.capabilities)), eras };
  } finally {
    if (session?.sessionId !== undefined) {
      void endLegacySession(endpoint, [...legacyHeaders(session.version, session.sessionId), ...endpoint.extraHeaders]);
    }
  }
}

async function listOverSse(endpoint: Endpoint, deadline: number, logger: Logger): Promise<Listed | undefined> {
  const channel = await openSseChannel(endpoint, { logger, idleMs: HANDSHAKE_MS, maxBytes: MAX_BYTES });
  if (!channel) return undefined;
  try {
    return { ...(await new ListReader(endpoint, channel, deadline).readAll(channel.capabilities)), eras: ["legacy"] };
  } finally {
    channel.close();
  }
}

type Session = OpenedSession | Channel | undefined;

/** Over the process that calls go to as well; the time that it takes to start is not part of the deadline. */
async function listOverStdio(
  localServers: LocalServers,
  url: string,
  endpoint: Endpoint,
  deadlineMs: number,
): Promise<Listed> {
  const channel = await localServers.open(url);
  const deadline = endpoint.clock.monotonic() + deadlineMs;
  const reader = new ListReader({ ...endpoint, nextId: localServers.nextId }, channel, deadline);
  return { ...(await reader.readAll(channel.capabilities)), eras: [channel.era] };
}

function offers(capabilities: Capabilities, { capability }: ListKind): boolean {
  return capabilities?.[capability] !== undefined;
}

/** Reads one upstream's lists one after the other, in its newest era. */
class ListReader {
  readonly #endpoint: Endpoint;
  readonly #session: Session;
  readonly #deadline: number;

  /** `session`: undefined for an upstream that speaks modern. */
  constructor(endpoint: Endpoint, session: Session, deadline: number) {
    this.#endpoint = endpoint;
    this.#session = session;
    this.#deadline = deadline;
  }

  async readAll(capabilities: Capabilities): Promise<Omit<Listed, "eras">> {
    const tools = await this.#read(TOOLS, capabilities !== undefined && !offers(capabilities, TOOLS));
    return {
      tools,
      prompts: await this.#readOffered(PROMPTS, capabilities),
      resources: await this.#readOffered(RESOURCES, capabilities),
      // Many servers with resources have never heard of templates.
      resourceTemplates: await this.#readOffered(TEMPLATES, capabilities, true),
    };
  }

  /** What is not offered is not asked for, and trouble with it must not cost the tools. */
  async #readOffered(
    kind: ListKind,
    capabilities: Capabilities,
    mayBeUnknown = false,
  ): Promise<RawItems | UpstreamFault> {
    if (!offers(capabilities, kind)) return [];
    return this.#read(kind, mayBeUnknown).catch((error: unknown) => faultOfError(error));
  }

  /** `mayBeUnknown`: an upstream that does not know the method has nothing to list. */
  async #read(kind: ListKind, mayBeUnknown: boolean): Promise<RawItems> {
    const { words } = kind;
    const items: string[] = [];
    const cursors = new Set<string>();
    let bytes = 0;
    let cursor: string | undefined;
    for (let page = 0; page < MAX_PAGES; page++) {
      const reply = await this.#askPage(kind, cursor, MAX_BYTES - bytes);
      if (mayBeUnknown && reply.response?.error?.code === METHOD_NOT_FOUND) return [];
      const result = reply.response?.result;
      if (!result || !reply.text) throw new UpstreamFault("bad-answer", `did not answer with a list of ${words}`);
      bytes += reply.text.length;
      if (bytes > MAX_BYTES) throw new UpstreamFault("too-large", `sent a list of ${words} that is too large`);
      items.push(...rawItems(reply.text, kind));
      if (items.length > MAX_ITEMS) throw new UpstreamFault("too-large", `lists more than ${MAX_ITEMS} ${words}`);
      // An empty string is a cursor too.
      if (typeof result.nextCursor !== "string") return items;
      cursor = result.nextCursor;
      if (cursors.has(cursor)) throw new UpstreamFault("bad-answer", `repeats a page of its list of ${words}`);
      cursors.add(cursor);
    }
    throw new UpstreamFault("too-large", `lists its ${words} on more than ${MAX_PAGES} pages`);
  }

  async #askPage({ method, words }: ListKind, cursor: string | undefined, maxBytes: number): Promise<Reply> {
    const [endpoint, session] = [this.#endpoint, this.#session];
    const id = endpoint.nextId();
    const modern = !session || (session instanceof Channel && session.era === "modern");
    const params = { ...(cursor === undefined ? {} : { cursor }), ...(modern ? { _meta: MODERN_META } : {}) };
    const body = jsonRpc({ id, method, params });
    const left = this.#deadline - endpoint.clock.monotonic();
    if (left <= 0) throw new UpstreamFault("timeout", `did not list its ${words} in time`);
    if (session instanceof Channel) return requestOverChannel(session, endpoint.clock, id, body, left);
    const headers = session ? legacyHeaders(session.version, session.sessionId) : modernHeaders(MODERN_VERSION);
    const message = {
      method: "POST",
      path: endpoint.path,
      headers: [...headers, ...endpoint.extraHeaders],
      ownHeaders: session ? [] : modernRequestHeaders(method, undefined, []),
      body,
    } as const;
    const reply = await sendRequest(endpoint.wire(), message, {
      clock: endpoint.clock,
      id,
      deadlineMs: left,
      maxBytes,
    });
    if (!reply.response && (reply.status < 200 || reply.status > 299)) throw faultOfStatus(reply.status, reply.headers);
    return reply;
  }
}

/** The elements of the list as they stand in the text. */
function rawItems(text: Buffer, { member, words }: ListKind): string[] {
  const result = scan(text, RESULT, words).objects[0];
  const list = result?.members.get(member);
  if (list?.kind !== "array") throw new UpstreamFault("bad-answer", `did not answer with a list of ${words}`);
  const array = text.subarray(list.start, list.end);
  const source = new ByteSource(array);
  return scan(array, ELEMENTS, words).elements.map((element) => source.text(element));
}

function scan(text: Buffer, watch: ReturnType<typeof watchPlan>, words: string) {
  try {
    const scanner = new JsonScanner({ watch, maxDepth: MAX_DEPTH });
    scanner.push(text);
    return scanner.end();
  } catch (error) {
    throw new UpstreamFault("bad-answer", `sent a list of ${words} that is not well-formed`, { cause: error });
  }
}
