/**
 * Remembers for an hour which server returned a link to a resource to a caller, so that the caller can read it at `/mcp`
 * although no list contains it. Links are stored too, because the next request may reach another process.
 */
import { createHash } from "node:crypto";
import type { Clock, Timer } from "#lib/clock";
import { ByteSource } from "#lib/json/byte-source";
import { JsonFault, type Member } from "#lib/json/scan";
import { scanJson } from "#lib/json/scanner";
import { readString } from "#lib/json/splice";
import { watchPlan } from "#lib/json/watch-plan";
import type { Logger } from "#lib/logger";
import { Lru } from "#lib/lru";
import type { UpstreamResult } from "../envelope/read-response.ts";
import type { CallerRecords, RememberedLink } from "../ports.ts";

export interface LinkedResourcesNeeds {
  readonly records: CallerRecords;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Whether every request of a caller reaches this process. */
  readonly alone: boolean;
}

const REMEMBERED_MS = 60 * 60_000;
/** Of all callers at this process; a link takes about 200 bytes. The records limit links per user. */
const MAX_LINKS = 50_000;
const MAX_LINKS_PER_RESULT = 100;
const MAX_URI_LENGTH = 2_048;
/** Larger results are not searched for links. */
const MAX_SEARCHED_BYTES = 1 << 20;
const SAVE_MS = 100;
const MAX_UNSAVED = 2_000;
/** Another process may still be storing the link. */
export const LINK_RETRY_MS = 400;
const MAX_LOOKUPS = 64;

/** In both `"resource_link"` and the type of an embedded resource. Most results do not contain it. */
const MARK = Buffer.from('"resource');
const ELEMENTS = watchPlan([], { elements: 1_000 });
const CONTENT_ITEM = watchPlan([[], ["resource"]]);

export class LinkedResources {
  readonly #needs: LinkedResourcesNeeds;
  readonly #links = new Lru<{ readonly serverId: string; readonly at: number }>(MAX_LINKS);
  #unsaved = new Map<string, RememberedLink>();
  #timer: Timer | undefined;
  #lookups = 0;

  constructor(needs: LinkedResourcesNeeds) {
    this.#needs = needs;
  }

  /** The newest link to a URI replaces earlier ones, also those of other servers. */
  note(userId: string, serverId: string, { content, source }: Pick<UpstreamResult, "content" | "source">): void {
    if (content?.kind !== "array" || content.end - content.start > MAX_SEARCHED_BYTES) return;
    if (!containsMark(source.chunks)) return;
    const bytes = source.slice(content.start, content.end);
    const at = this.#needs.clock.monotonic();
    for (const uri of linkedUris(bytes)) {
      const key = keyOf(userId, uri);
      const known = this.#links.get(key);
      this.#links.set(key, { serverId, at });
      // Tools often return the same links, which need not be stored again immediately.
      if (known?.serverId === serverId && at - known.at < REMEMBERED_MS / 4) continue;
      if (this.#unsaved.size < MAX_UNSAVED) this.#unsaved.set(key, { key, userId, serverId });
      this.#timer ??= this.#needs.clock.after(SAVE_MS, () => this.#save());
    }
  }

  /** The ID of the server that returned the link to this user; undefined if there is none. */
  async find(userId: string, uri: string): Promise<string | undefined> {
    const { clock, records, alone } = this.#needs;
    const key = keyOf(userId, uri);
    const known = this.#links.get(key);
    if (known && clock.monotonic() - known.at <= REMEMBERED_MS) return known.serverId;
    if (this.#lookups >= MAX_LOOKUPS) return undefined;
    this.#lookups++;
    try {
      const stored = await records.linkedServer(key, REMEMBERED_MS);
      if (stored !== undefined || alone) return stored;
      await new Promise<void>((resolve) => void clock.after(LINK_RETRY_MS, resolve));
      return await records.linkedServer(key, REMEMBERED_MS);
    } finally {
      this.#lookups--;
    }
  }

  close(): void {
    this.#timer?.cancel();
    this.#save();
  }

  #save(): void {
    this.#timer = undefined;
    const links = [...this.#unsaved.values()];
    this.#unsaved = new Map();
    if (links.length === 0) return;
    this.#needs.records.rememberLinks(links, REMEMBERED_MS).catch((error: unknown) => {
      this.#needs.logger.warn({ err: error, links: links.length }, "links to resources could not be stored");
    });
  }
}

/** Without joining the chunks, which would copy them. */
function containsMark(chunks: readonly Buffer[]): boolean {
  return chunks.some((chunk, at) => {
    if (chunk.includes(MARK)) return true;
    const next = chunks[at + 1];
    // A chunk that is shorter than the mark is rare, and then the result is searched.
    if (!next) return false;
    if (next.length < MARK.length) return true;
    return Buffer.concat([chunk.subarray(1 - MARK.length), next.subarray(0, MARK.length - 1)]).includes(MARK);
  });
}

function keyOf(userId: string, uri: string): string {
  return createHash("sha256")
    .update(JSON.stringify([userId, uri]))
    .digest("base64url");
}

/** The URIs in the content of a tool result, which the scanner has found to be valid JSON. */
function linkedUris(content: Buffer): Set<string> {
  const uris = new Set<string>();
  try {
    for (const { start, end } of scanJson([content], { watch: ELEMENTS }).elements) {
      const item = content.subarray(start, end);
      const uri = item.includes(MARK) ? uriOf(item) : undefined;
      if (uri !== undefined && uri.length <= MAX_URI_LENGTH) uris.add(uri);
      if (uris.size >= MAX_LINKS_PER_RESULT) break;
    }
  } catch (fault) {
    // More items than are searched, or the same key twice.
    if (!(fault instanceof JsonFault)) throw fault;
  }
  return uris;
}

/** Of `{"type":"resource_link","uri":…}` or `{"type":"resource","resource":{"uri":…}}`. */
function uriOf(item: Buffer): string | undefined {
  const source = new ByteSource(item);
  const [root, resource] = scanJson([item], { watch: CONTENT_ITEM }).objects;
  const text = (member: Member | undefined) => (member?.kind === "string" ? readString(source, member) : undefined);
  const type = text(root?.members.get("type"));
  if (type === "resource_link") return text(root?.members.get("uri"));
  return type === "resource" ? text(resource?.members.get("uri")) : undefined;
}
