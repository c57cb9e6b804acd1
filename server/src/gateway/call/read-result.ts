import { characterStart } from "#lib/first-bytes";
import { INVALID_PARAMS, resultBody } from "../envelope/errors.ts";
import { resultTail } from "../lists/result-members.ts";
import type { GatewayContext, McpRequest } from "../request.ts";
import { RESULTS_URI } from "./cut-result.ts";
import { deny } from "./deny.ts";
import { endOwnCall } from "./end-own-call.ts";

const METHOD = "resources/read";
const NAME = "(result)";
const RESULT_URI = /^gatehouse:\/\/results\/([A-Za-z0-9]{22})(?:\?([\w=&]*))?$/;

export function isResultUri(uri: string): boolean {
  return uri.startsWith(RESULTS_URI);
}

/** Returns the text of a result that was cut, or a part of it, to the user who received the result (F20). */
export function readResult(request: McpRequest, context: GatewayContext, uri: string, denied: () => void): void {
  const [, id, query = ""] = RESULT_URI.exec(uri) ?? [];
  if (id === undefined) return denied();
  const part = partOf(query);
  if (part === undefined) {
    const message = "offset and length must be numbers of bytes";
    return deny(request, context, { method: METHOD, name: NAME, message, code: INVALID_PARAMS });
  }
  const { principal, scope } = request;
  context.storedResults.find(principal.userId, id).then(
    (found) => {
      // Access may have changed since.
      const { servers } = context.holder.viewFor(principal, scope);
      const server = servers.find((each) => each.id === found?.serverId);
      if (found && server) answer(request, context, { uri, serverSlug: server.slug, text: textOf(found.text, part) });
      else denied();
    },
    (error: unknown) => {
      context.logger.warn({ err: error }, "the text of a result could not be read");
      denied();
    },
  );
}

interface Part {
  readonly offset: number;
  readonly length: number;
}

function partOf(query: string): Part | undefined {
  const parameters = new URLSearchParams(query);
  const numbers = ["offset", "length"].map((name) => parameters.get(name));
  if (numbers.some((text) => text !== null && !/^\d{1,10}$/.test(text))) return undefined;
  const [offset, length] = numbers;
  return { offset: Number(offset ?? 0), length: length == null ? Number.MAX_SAFE_INTEGER : Number(length) };
}

/** Both ends move to the start of a character, so that consecutive parts contain each character once. */
function textOf(text: string, { offset, length }: Part): string {
  if (offset === 0 && length >= text.length * 4) return text;
  const bytes = Buffer.from(text);
  return bytes.toString("utf8", characterStart(bytes, offset), characterStart(bytes, offset + length));
}

function answer(
  request: McpRequest,
  context: GatewayContext,
  { uri, serverSlug, text }: { readonly uri: string; readonly serverSlug: string; readonly text: string },
): void {
  const contents = JSON.stringify([{ uri, mimeType: "text/plain", text }]);
  const tail = resultTail(request.era, context.serverInfo, true);
  const body = resultBody(request.call.rawId, `{"contents":${contents}${tail}}`);
  endOwnCall(request, context, METHOD, body, { outcome: "ok", serverSlug, tool: NAME });
}
