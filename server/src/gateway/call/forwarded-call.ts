import { ByteSource } from "#lib/json/byte-source";
import { removedTexts } from "#lib/json/removed-texts";
import { splice } from "#lib/json/splice";
import type { ForwardedCall } from "../exchange.ts";
import type { Call } from "./call.ts";

/** The caller's arguments as guards left them. */
export function forwardedCall({ request, requestEdits }: Pick<Call, "request" | "requestEdits">): ForwardedCall {
  const { source, params } = request.call;
  const range = params?.arguments;
  if (!range) return { arguments: "{}", removed: [] };
  const given = source.slice(range.start, range.end);
  const edits = requestEdits
    .filter((edit) => edit.start >= range.start && edit.end <= range.end)
    .map((edit) => ({ ...edit, start: edit.start - range.start, end: edit.end - range.start }));
  if (edits.length === 0) return { arguments: given.toString("utf8"), removed: [] };
  return {
    arguments: splice(new ByteSource(given), edits).toString("utf8"),
    removed: removedTexts(given, edits),
  };
}
