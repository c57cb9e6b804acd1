import { errorBody, INVALID_PARAMS } from "../envelope/errors.ts";
import type { View } from "../snapshot/holder.ts";
import { canBeRead, FIRST_SYNC_WAIT_MS } from "./first-sync.ts";
import { endCall, JSON_HEADERS, type McpRequest, type Methods } from "./request.ts";
import { resultTail } from "./results.ts";

/** No `nextCursor` below this: clients exist that ignore it. */
const TOOLS_PER_PAGE = 1_000;
const COMMA = Buffer.from(",");

/** Spec 4.5: the tools that the caller reaches. Served from memory; no upstream is contacted. */
export function toolsList(request: McpRequest, methods: Methods): void {
  const view = methods.holder.viewFor(request.principal.user, request.scope);
  const unread = view.servers.filter((server) => !server.synced && canBeRead(server)).map((server) => server.id);
  if (unread.length === 0) {
    answerList(request, methods, view);
    return;
  }
  // A server that was just created has no tools yet: its first reader waits for them, but not for long.
  methods.firstSync.wait(unread, FIRST_SYNC_WAIT_MS).then(
    () => answerList(request, methods, methods.holder.viewFor(request.principal.user, request.scope)),
    (error: unknown) => {
      methods.logger.warn({ err: error }, "waiting for a first sync failed");
      answerList(request, methods, view);
    },
  );
}

function answerList(request: McpRequest, methods: Methods, view: View): void {
  const page = pageOf(view, request.call.params?.cursor);
  if (!page) {
    const body = errorBody(request.call.rawId, INVALID_PARAMS, "Invalid cursor");
    finish(request, methods, [body], "denied", "invalid cursor");
    return;
  }
  const next = page.nextCursor === undefined ? "" : `,"nextCursor":"${page.nextCursor}"`;
  const tail = `]${next}${resultTail(request.era, methods.serverInfo, true)}}}`;
  const head = `{"jsonrpc":"2.0","id":${request.call.rawId},"result":{"tools":[`;
  finish(request, methods, [Buffer.from(head), page.fragment, Buffer.from(tail)], "ok", undefined);
}

function finish(
  request: McpRequest,
  methods: Methods,
  body: readonly Buffer[],
  outcome: "ok" | "denied",
  error: string | undefined,
): void {
  const responseBytes = body.reduce((sum, part) => sum + part.length, 0);
  endCall(request, methods, "tools/list", { outcome, responseBytes, error }, () => {
    request.exchange.answer(200, JSON_HEADERS, body);
  });
}

interface Page {
  readonly fragment: Buffer;
  readonly nextCursor: string | undefined;
}

/** Pages end between servers: the cursor is the slug of the last server told, so a list that changes loses nothing. */
function pageOf(view: View, cursor: string | undefined): Page | undefined {
  if (cursor === undefined && view.toolCount <= TOOLS_PER_PAGE) {
    return { fragment: view.toolsFragment(), nextCursor: undefined };
  }
  const after = cursor === undefined ? "" : Buffer.from(cursor, "base64url").toString("utf8");
  if (cursor !== undefined && Buffer.from(after).toString("base64url") !== cursor) return undefined;
  const rest = view.servers.filter((server) => server.slug > after && server.toolCount > 0);
  let count = 0;
  let taken = 0;
  for (const server of rest) {
    if (taken > 0 && count + server.toolCount > TOOLS_PER_PAGE) break;
    count += server.toolCount;
    taken++;
  }
  const last = taken < rest.length ? rest[taken - 1] : undefined;
  const parts = rest
    .slice(0, taken)
    .flatMap((server, at) => (at > 0 ? [COMMA, view.toolsOf(server)] : [view.toolsOf(server)]));
  return { fragment: Buffer.concat(parts), nextCursor: last && Buffer.from(last.slug).toString("base64url") };
}
