import { errorBody, INTERNAL_ERROR, INVALID_PARAMS } from "../envelope/errors.ts";
import { META_SERVER_INFO, META_SUBSCRIPTION_ID } from "../envelope/meta-keys.ts";
import { CallerStream } from "../sessions/caller-stream.ts";
import { LIST_KINDS } from "../snapshot/list-kinds.ts";
import { JSON_HEADERS, type McpRequest, type Methods } from "./request.ts";

/** The request stays in memory for as long as the stream is open. */
const LARGEST_REQUEST_BYTES = 64 * 1024;

/**
 * The modern way to hear of changes: a stream that begins with what of the wishes is granted, and whose every message
 * names the subscription by the request's id.
 */
export function subscriptionsListen(request: McpRequest, { watchers, serverInfoJson }: Methods): void {
  const { exchange, principal, scope, call } = request;
  const wishes = call.params?.members.get("notifications");
  if (wishes?.kind !== "object" || call.source.length > LARGEST_REQUEST_BYTES) {
    const problem = wishes?.kind === "object" ? "too large" : "params.notifications must be an object";
    exchange.answer(200, JSON_HEADERS, [errorBody(call.rawId, INVALID_PARAMS, `Invalid params: ${problem}`)]);
    return;
  }
  // The scanner has found it well formed.
  const asked = JSON.parse(call.source.text(wishes)) as Readonly<Record<string, unknown>>;
  const wanted = LIST_KINDS.filter((kind) => asked[`${kind}ListChanged`] === true);
  const tag = `${JSON.stringify(META_SUBSCRIPTION_ID)}:${call.rawId}`;
  const notification = (method: string, more = "") =>
    Buffer.from(`{"jsonrpc":"2.0","method":"notifications/${method}","params":{"_meta":{${tag}}${more}}}`);
  const granted = wanted.map((kind) => `"${kind}ListChanged":true`).join(",");
  const meta = `{${tag},${JSON.stringify(META_SERVER_INFO)}:${serverInfoJson}}`;
  const stream = new CallerStream({
    exchange,
    principal,
    scope,
    watchers,
    listChanged: new Map(wanted.map((kind) => [kind, notification(`${kind}/list_changed`)])),
    farewell: Buffer.from(`{"jsonrpc":"2.0","id":${call.rawId},"result":{"resultType":"complete","_meta":${meta}}}`),
  });
  const acknowledgement = notification("subscriptions/acknowledged", `,"notifications":{${granted}}`);
  if (stream.open((events) => void events.send(acknowledgement))) return;
  const body = errorBody(call.rawId, INTERNAL_ERROR, "Too many open streams; close one first");
  exchange.answer(429, [...JSON_HEADERS, "retry-after", "5"], [body]);
}
