import { endCall, JSON_HEADERS, type McpRequest, type Methods } from "../call/request.ts";
import type { View } from "../snapshot/holder.ts";
import { ITEMS_PER_PAGE, invalidCursor, listBody, type Page, pageOf, withView } from "./list-pages.ts";

/** Spec 4.5: the tools that the caller reaches. Served from memory; no upstream is contacted. */
export function toolsList(request: McpRequest, methods: Methods): void {
  withView(request, methods, (view) => {
    const page = toolsPage(view, request.call.params?.cursor);
    const body = page ? listBody(request, methods, "tools", page, view) : [invalidCursor(request)];
    const ending = page ? ({ outcome: "ok" } as const) : ({ outcome: "denied", error: "invalid cursor" } as const);
    const responseBytes = body.reduce((sum, part) => sum + part.length, 0);
    endCall(request, methods, "tools/list", { ...ending, responseBytes }, () => {
      request.exchange.answer(200, JSON_HEADERS, body);
    });
  });
}

function toolsPage(view: View, cursor: string | undefined): Page | undefined {
  if (cursor === undefined && view.toolCount <= ITEMS_PER_PAGE) {
    return { fragment: view.toolsFragment(), nextCursor: undefined };
  }
  const listing = view.servers.filter((server) => server.toolCount > 0);
  const portions = listing.map((server) => {
    return { slug: server.slug, count: server.toolCount, fragment: () => view.toolsOf(server) };
  });
  return pageOf(portions, cursor);
}
