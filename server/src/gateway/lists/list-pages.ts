import { canBeRead, FIRST_SYNC_WAIT_MS } from "../call/first-sync.ts";
import type { McpRequest, Methods } from "../call/request.ts";
import { errorBody, INVALID_PARAMS } from "../envelope/errors.ts";
import type { View } from "../snapshot/holder.ts";
import { resultTail } from "./results.ts";

/** No `nextCursor` below this: clients exist that ignore it. */
export const ITEMS_PER_PAGE = 1_000;
const COMMA = Buffer.from(",");

/** What one server adds to a list. */
export interface Portion {
  readonly slug: string;
  readonly count: number;
  /** Asked for only when it is on the page. */
  readonly fragment: () => Buffer;
}

export interface Page {
  readonly fragment: Buffer;
  readonly nextCursor: string | undefined;
}

/** A server that was just created lists nothing yet: its first reader waits for it, but not for long. */
export function withView(request: McpRequest, methods: Methods, answer: (view: View) => void): void {
  const view = methods.holder.viewFor(request.principal.user, request.scope);
  const unread = view.servers.filter((server) => !server.synced && canBeRead(server));
  if (unread.length === 0) {
    answer(view);
    return;
  }
  methods.firstSync.wait(unread, FIRST_SYNC_WAIT_MS, request.principal.userId).then(
    () => answer(methods.holder.viewFor(request.principal.user, request.scope)),
    (error: unknown) => {
      methods.logger.warn({ err: error }, "waiting for a first sync failed");
      answer(view);
    },
  );
}

/**
 * Pages end between servers: the cursor is the slug of the last server told, so a list that changes loses nothing.
 * Undefined: the cursor is none of ours.
 */
export function pageOf(portions: readonly Portion[], cursor: string | undefined): Page | undefined {
  const after = cursor === undefined ? "" : Buffer.from(cursor, "base64url").toString("utf8");
  if (cursor !== undefined && Buffer.from(after).toString("base64url") !== cursor) return undefined;
  const rest = portions.filter((portion) => portion.slug > after && portion.count > 0);
  let count = 0;
  let taken = 0;
  for (const portion of rest) {
    if (taken > 0 && count + portion.count > ITEMS_PER_PAGE) break;
    count += portion.count;
    taken++;
  }
  const last = taken < rest.length ? rest[taken - 1] : undefined;
  const parts = rest.slice(0, taken).flatMap(({ fragment }, at) => (at > 0 ? [COMMA, fragment()] : [fragment()]));
  return { fragment: Buffer.concat(parts), nextCursor: last && Buffer.from(last.slug).toString("base64url") };
}

/** The answer in the caller's era; `member` is what the protocol calls the list. Its first page tells what is wrong. */
export function listBody(request: McpRequest, methods: Methods, member: string, page: Page, view: View): Buffer[] {
  const warnings = request.call.params?.cursor === undefined ? view.warnings : "";
  const next = page.nextCursor === undefined ? "" : `,"nextCursor":"${page.nextCursor}"`;
  const tail = `]${next}${resultTail(request.era, methods.serverInfo, true, warnings)}}}`;
  const head = `{"jsonrpc":"2.0","id":${request.call.rawId},"result":{"${member}":[`;
  return [Buffer.from(head), page.fragment, Buffer.from(tail)];
}

export function invalidCursor(request: McpRequest): Buffer {
  return errorBody(request.call.rawId, INVALID_PARAMS, "Invalid cursor");
}
