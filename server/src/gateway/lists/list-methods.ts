/**
 * `tools/list`, `prompts/list`, `resources/list` and `resources/templates/list`, answered from memory without an
 * upstream.
 */
import { canSync, FIRST_SYNC_WAIT_MS } from "../call/first-sync.ts";
import { endCall } from "../call/record.ts";
import { errorBody, INVALID_PARAMS } from "../envelope/errors.ts";
import { type GatewayContext, JSON_HEADERS, type McpRequest, type Method } from "../request.ts";
import type { ListingKind } from "../snapshot/listing.ts";
import type { View } from "../snapshot/view.ts";
import { declaredBy } from "./caller-capabilities.ts";
import { type Page, pageOf } from "./pager.ts";
import { resultTail } from "./result-members.ts";

/** Spec 4.5. The only list that the call log records. */
export const toolsList: Method = (request, context) =>
  withView(request, context, (view) => {
    const { page, body } = listBody(request, context, "tools", view);
    const responseBytes = body.reduce((sum, part) => sum + part.length, 0);
    const ending = page ? ({ outcome: "ok" } as const) : ({ outcome: "denied", error: "invalid cursor" } as const);
    endCall(request, context, "tools/list", { ...ending, responseBytes }, () => {
      request.exchange.answer(200, JSON_HEADERS, body);
    });
  });

export const promptsList = unloggedList("prompts");
export const resourcesList = unloggedList("resources");
export const resourceTemplatesList = unloggedList("resourceTemplates");

function unloggedList(kind: ListingKind): Method {
  return (request, context) =>
    withView(request, context, (view) => {
      request.exchange.answer(200, JSON_HEADERS, listBody(request, context, kind, view).body);
    });
}

/** A new server lists nothing yet, so its first reader waits briefly for its first sync. */
export function withView(request: McpRequest, context: GatewayContext, answer: (view: View) => void): void {
  const declared = () => declaredBy(request);
  const view = context.holder.viewFor(request.principal, request.scope, declared);
  const unsynced = view.servers.filter((server) => !server.synced && canSync(server));
  if (unsynced.length === 0) {
    answer(view);
    return;
  }
  context.firstSync.wait(unsynced, FIRST_SYNC_WAIT_MS, request.principal.userId).then(
    () => answer(context.holder.viewFor(request.principal, request.scope, declared)),
    (error: unknown) => {
      context.logger.warn({ err: error }, "waiting for a first sync failed");
      answer(view);
    },
  );
}

/** In the caller's era. Warnings are on the first page. If `page` is undefined, the cursor was invalid. */
function listBody(
  { call, era }: McpRequest,
  { serverInfo }: GatewayContext,
  kind: ListingKind,
  view: View,
): { readonly page: Page | undefined; readonly body: Buffer[] } {
  const cursor = call.params?.cursor;
  const page = pageOf(view, kind, cursor);
  if (!page) return { page, body: [errorBody(call.rawId, INVALID_PARAMS, "Invalid cursor")] };
  const warnings = cursor === undefined ? view.warnings : "";
  const next = page.nextCursor === undefined ? "" : `,"nextCursor":"${page.nextCursor}"`;
  const head = `{"jsonrpc":"2.0","id":${call.rawId},"result":{"${kind}":[`;
  const tail = `]${next}${resultTail(era, serverInfo, true, warnings)}}}`;
  return { page, body: [Buffer.from(head), page.fragment, Buffer.from(tail)] };
}
