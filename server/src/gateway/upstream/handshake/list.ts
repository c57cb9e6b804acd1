/** Reads everything an upstream lists, for `sync`. Limited in items, bytes, pages and time (GW-10). */
import type { Egress } from "#egress/egress";
import type { Clock } from "#lib/clock";
import { ByteSource } from "#lib/json/byte-source";
import { JsonScanner } from "#lib/json/scanner";
import { watchPlan } from "#lib/json/watch-plan";
import type { Logger } from "#lib/logger";
import { METHOD_NOT_FOUND } from "../../envelope/errors.ts";
import { META_CLIENT_CAPABILITIES } from "../../envelope/meta-keys.ts";
import type { Era, UpstreamEntry } from "../../snapshot/shape.ts";
import { faultOfError, faultOfStatus, UpstreamFault } from "../failure.ts";
import { createEndpoint, type Endpoint } from "../transport/endpoint.ts";
import type { LocalServers } from "../transport/local-servers.ts";
import type { Reply } from "../transport/request.ts";
import type { Transport, UpstreamConnection } from "../transport/transport.ts";
import { createTransports, notSpoken } from "../transport/transports.ts";
import { findGatedTools, type GatedTool, type ListToolsAs } from "./gated-tools.ts";
import { type Capabilities, HANDSHAKE_MS, MODERN_META } from "./handshake.ts";

export interface ListParts {
  readonly egress: Egress;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly localServers: LocalServers;
}

/** The JSON text of each item, byte for byte, in the upstream's order. */
export type RawItems = readonly string[];

export interface Listed {
  readonly tools: RawItems;
  /** Tools that only clients with certain capabilities get; a fault when they could not be read although the others could. */
  readonly gatedTools: readonly GatedTool[] | UpstreamFault;
  /** Empty when the upstream does not offer them; a fault when they could not be read although the tools could. */
  readonly prompts: RawItems | UpstreamFault;
  readonly resources: RawItems | UpstreamFault;
  readonly resourceTemplates: RawItems | UpstreamFault;
  /** The text for models; undefined if the upstream sends none. */
  readonly instructions: string | undefined;
  /** All eras that the upstream speaks. */
  readonly eras: readonly Era[];
}

export interface ListOptions {
  readonly deadlineMs?: number;
  /** Sent with each request, such as a credential, as a flat list of names and values. */
  readonly headers?: readonly string[];
}

const DEADLINE_MS = 30_000;
const MAX_ITEMS = 1000;
const MAX_BYTES = 4 << 20;
const MAX_PAGES = 100;
/** Only prevents exhaustion: an item that is too deep for clients is rejected later without losing the others. */
const MAX_DEPTH = 1_000;

interface ListKind {
  readonly method: string;
  readonly capability: string;
  /** The member of the result that holds the items. */
  readonly member: string;
  /** The name in error messages. */
  readonly label: string;
}

const TOOLS: ListKind = { method: "tools/list", capability: "tools", member: "tools", label: "tools" };
const PROMPTS: ListKind = { method: "prompts/list", capability: "prompts", member: "prompts", label: "prompts" };
const RESOURCES: ListKind = {
  method: "resources/list",
  capability: "resources",
  member: "resources",
  label: "resources",
};
const TEMPLATES: ListKind = {
  method: "resources/templates/list",
  capability: "resources",
  member: "resourceTemplates",
  label: "resource templates",
};

const RESULT = watchPlan([["result"]]);
const ELEMENTS = watchPlan([], { elements: MAX_ITEMS + 1 });

/** Rejects with UpstreamFault; `fault.describe(slug)` gives its message. */
export async function listUpstream(
  parts: ListParts,
  upstream: Pick<UpstreamEntry, "url" | "transport"> & Partial<Pick<UpstreamEntry, "eras">>,
  options: ListOptions = {},
): Promise<Listed> {
  const { egress, clock, logger } = parts;
  const transports = createTransports(parts)[upstream.transport];
  let lastId = 0;
  const endpoint = createEndpoint(upstream.url, { egress, clock, nextId: () => ++lastId }, options.headers);
  const deadlineMs = options.deadlineMs ?? DEADLINE_MS;
  const deadline = clock.monotonic() + deadlineMs;
  try {
    for (const transport of transports) {
      const listed = transport.isSharedByCallers
        ? await listOverShared(transport, endpoint, deadlineMs, logger)
        : await listOver(transport, endpoint, deadline, logger, upstream.eras ?? []);
      if (listed) return listed;
    }
    throw new UpstreamFault("bad-answer", notSpoken(transports));
  } catch (error) {
    throw faultOfError(error);
  }
}

function openOptions(logger: Logger) {
  return { logger, limits: { idleMs: HANDSHAKE_MS, maxBytes: MAX_BYTES } };
}

/** Opens a session, reads the lists in the newest era and closes the session. Undefined when no era is spoken. */
async function listOver(
  transport: Transport,
  endpoint: Endpoint,
  deadline: number,
  logger: Logger,
  knownEras: readonly Era[],
): Promise<Listed | undefined> {
  const { modern } = transport;
  const discovery = await modern?.discover(endpoint);
  const modernConnection = discovery?.spoken ? modern?.connect(endpoint) : undefined;
  // A modern server that has refused the legacy handshake is not asked again.
  const isModernOnly = modernConnection && knownEras.length === 1 && knownEras[0] === "modern";
  let keepsLegacy = false;
  const opening = isModernOnly ? Promise.resolve(undefined) : transport.open(endpoint, openOptions(logger));
  const session = await opening.catch((error) => {
    if (!modernConnection) throw error;
    // A handshake that failed for another reason changes nothing about a server that speaks both eras.
    keepsLegacy = knownEras.includes("legacy");
    return undefined;
  });
  const connection = modernConnection ?? session;
  if (!connection && discovery?.failure) throw discovery.failure;
  if (!connection) return undefined;
  const legacy: Era[] = session ? [session.era] : keepsLegacy ? ["legacy"] : [];
  const eras: Era[] = modernConnection ? ["modern", ...legacy] : legacy;
  try {
    const reader = new ListReader(connection, endpoint.clock, deadline);
    const listed = await reader.readAll(discovery?.capabilities ?? session?.capabilities);
    const listAs = modernConnection
      ? listModernAs(modernConnection, endpoint.clock, deadline)
      : listLegacyAs(transport, endpoint, deadline, logger);
    const gatedTools = await findGatedTools(listed.tools, listAs).catch((error: unknown) => faultOfError(error));
    return { ...listed, gatedTools, instructions: discovery?.instructions ?? session?.instructions, eras };
  } finally {
    void session?.close();
  }
}

function listModernAs(connection: UpstreamConnection, clock: Clock, deadline: number): ListToolsAs {
  return (capabilities) => {
    const meta = { ...MODERN_META, [META_CLIENT_CAPABILITIES]: capabilities };
    return new ListReader(connection, clock, deadline).readTools({ _meta: meta });
  };
}

/** In a separate session: a legacy client declares its capabilities when it opens one. */
function listLegacyAs(transport: Transport, endpoint: Endpoint, deadline: number, logger: Logger): ListToolsAs {
  return async (clientCapabilities) => {
    const session = await transport.open(endpoint, { ...openOptions(logger), clientCapabilities });
    if (!session) throw new UpstreamFault("bad-answer", notSpoken([transport]));
    try {
      return await new ListReader(session, endpoint.clock, deadline).readTools();
    } finally {
      void session.close();
    }
  };
}

/** Uses the connection that calls use, which declares no capabilities. The deadline starts after it is open: a local server may have to be started. */
async function listOverShared(
  transport: Transport,
  endpoint: Endpoint,
  deadlineMs: number,
  logger: Logger,
): Promise<Listed | undefined> {
  const connection = await transport.open(endpoint, openOptions(logger));
  if (!connection) return undefined;
  const reader = new ListReader(connection, endpoint.clock, endpoint.clock.monotonic() + deadlineMs);
  const listed = await reader.readAll(connection.capabilities);
  return { ...listed, gatedTools: [], instructions: connection.instructions, eras: [connection.era] };
}

function offers(capabilities: Capabilities, { capability }: ListKind): boolean {
  return capabilities?.[capability] !== undefined;
}

/** Reads the lists of one upstream in sequence. */
class ListReader {
  readonly #connection: UpstreamConnection;
  readonly #clock: Clock;
  readonly #deadline: number;
  #params: Readonly<Record<string, unknown>> = {};

  constructor(connection: UpstreamConnection, clock: Clock, deadline: number) {
    this.#connection = connection;
    this.#clock = clock;
    this.#deadline = deadline;
  }

  async readAll(capabilities: Capabilities): Promise<Omit<Listed, "eras" | "instructions" | "gatedTools">> {
    const tools = await this.#read(TOOLS, capabilities !== undefined && !offers(capabilities, TOOLS));
    return {
      tools,
      prompts: await this.#readOffered(PROMPTS, capabilities),
      resources: await this.#readOffered(RESOURCES, capabilities),
      // Many servers with resources do not implement templates.
      resourceTemplates: await this.#readOffered(TEMPLATES, capabilities, true),
    };
  }

  /** `params` of each request. */
  readTools(params: Readonly<Record<string, unknown>> = {}): Promise<RawItems> {
    this.#params = params;
    return this.#read(TOOLS, true);
  }

  /** Skips lists that are not offered. A failure does not discard the tools. */
  async #readOffered(
    kind: ListKind,
    capabilities: Capabilities,
    mayBeUnknown = false,
  ): Promise<RawItems | UpstreamFault> {
    if (!offers(capabilities, kind)) return [];
    return this.#read(kind, mayBeUnknown).catch((error: unknown) => faultOfError(error));
  }

  /** `mayBeUnknown`: an upstream that does not know the method has an empty list. */
  async #read(kind: ListKind, mayBeUnknown: boolean): Promise<RawItems> {
    const { label } = kind;
    const items: string[] = [];
    const cursors = new Set<string>();
    let bytes = 0;
    let cursor: string | undefined;
    for (let page = 0; page < MAX_PAGES; page++) {
      const reply = await this.#readPage(kind, cursor, MAX_BYTES - bytes);
      if (mayBeUnknown && reply.response?.error?.code === METHOD_NOT_FOUND) return [];
      const result = reply.response?.result;
      if (!result || !reply.text) throw new UpstreamFault("bad-answer", `did not respond with a list of ${label}`);
      bytes += reply.text.length;
      if (bytes > MAX_BYTES) throw new UpstreamFault("too-large", `sent a list of ${label} that is too large`);
      items.push(...rawItems(reply.text, kind));
      if (items.length > MAX_ITEMS) throw new UpstreamFault("too-large", `lists more than ${MAX_ITEMS} ${label}`);
      // An empty string is a cursor too.
      if (typeof result.nextCursor !== "string") return items;
      cursor = result.nextCursor;
      if (cursors.has(cursor)) throw new UpstreamFault("bad-answer", `repeats a page of its list of ${label}`);
      cursors.add(cursor);
    }
    throw new UpstreamFault("too-large", `lists its ${label} on more than ${MAX_PAGES} pages`);
  }

  async #readPage({ method, label }: ListKind, cursor: string | undefined, maxBytes: number): Promise<Reply> {
    const deadlineMs = this.#deadline - this.#clock.monotonic();
    if (deadlineMs <= 0) throw new UpstreamFault("timeout", `did not list its ${label} in time`);
    const params = cursor === undefined ? this.#params : { ...this.#params, cursor };
    const reply = await this.#connection.request(method, params, { deadlineMs, maxBytes });
    if (!reply.response && (reply.status < 200 || reply.status > 299)) throw faultOfStatus(reply.status, reply.headers);
    return reply;
  }
}

/** The elements of the list as they are in the text. */
function rawItems(text: Buffer, { member, label }: ListKind): string[] {
  const result = scan(text, RESULT, label).objects[0];
  const list = result?.members.get(member);
  if (list?.kind !== "array") throw new UpstreamFault("bad-answer", `did not respond with a list of ${label}`);
  const array = text.subarray(list.start, list.end);
  const source = new ByteSource(array);
  return scan(array, ELEMENTS, label).elements.map((element) => source.text(element));
}

function scan(text: Buffer, watch: ReturnType<typeof watchPlan>, label: string) {
  try {
    const scanner = new JsonScanner({ watch, maxDepth: MAX_DEPTH });
    scanner.push(text);
    return scanner.end();
  } catch (error) {
    throw new UpstreamFault("bad-answer", `sent a malformed list of ${label}`, { cause: error });
  }
}
