import { JSON_HEADERS, type McpRequest, type Methods } from "../call/request.ts";
import { withoutPrefix } from "../snapshot/unprefixed.ts";
import { invalidCursor, listBody, pageOf, withView } from "./list-pages.ts";

/** The prompts that the caller reaches. Served from memory; no upstream is contacted. */
export function promptsList(request: McpRequest, methods: Methods): void {
  withView(request, methods, (view) => {
    const portions = view.servers.map(({ slug, prompts: { count, fragment } }) => {
      return { slug, count, fragment: () => (request.scope.prefixed ? fragment : withoutPrefix(fragment, slug)) };
    });
    const page = pageOf(portions, request.call.params?.cursor);
    const body = page ? listBody(request, methods, "prompts", page, view) : [invalidCursor(request)];
    request.exchange.answer(200, JSON_HEADERS, body);
  });
}
