/** Relays what a caller sends besides requests: responses to upstreams' requests, and notifications. */

import { isObject } from "#lib/is-object";
import { readString } from "#lib/json/splice";
import type { NotificationMessage, ResponseMessage } from "../envelope/read-request.ts";
import { rewriteCall, rewriteResponse } from "../envelope/rewrite-call.ts";
import type { GatewayContext } from "../request.ts";
import type { Principal } from "../snapshot/authenticate.ts";
import { resolve } from "../snapshot/resolve.ts";
import type { CallerResponse, CallQuestion, Question } from "./questions.ts";
import type { McpSession } from "./sessions.ts";

/** Longer error messages of clients are truncated. */
const MAX_REASON = 300;

/** Resolves when the message was relayed or dropped: the caller gets the same response in both cases. */
export async function passOn(
  message: NotificationMessage | ResponseMessage,
  principal: Principal,
  session: McpSession,
  context: GatewayContext,
): Promise<void> {
  try {
    if (message.kind === "response") await relayResponse(message, principal, session, context);
    else if (message.method === "notifications/cancelled") cancelCall(message, session, context);
    else if (message.method === "notifications/progress") await relayProgress(message, principal, session, context);
    else if (message.method === "notifications/roots/list_changed")
      await context.upstreams.ofSession.notify(session, rewriteCall(message, { envelope: "keep" }));
  } catch (error) {
    context.logger.error({ err: error }, "a message of a caller could not be relayed");
  }
}

async function relayResponse(
  message: ResponseMessage,
  principal: Principal,
  session: McpSession,
  context: GatewayContext,
): Promise<void> {
  if (message.id.kind !== "string") return;
  const token = readString(message.source, message.id);
  const { questions } = context.sessions;
  const question = questions.take(token, principal.userId, session.id);
  if (question) return post(question, rewriteResponse(message, question.rawId), principal, context);
  const ofCall = questions.takeOfCall(token, principal.userId, session.id);
  // The call checks the access when it continues.
  if (ofCall) await sendToCall(ofCall, message, context);
}

/** The call waits for it at this or another process. */
async function sendToCall(
  { mailbox, key, round }: CallQuestion,
  { source, result, error }: ResponseMessage,
  context: GatewayContext,
): Promise<void> {
  const parsed: unknown = error && JSON.parse(source.text(error)); // the reader checked that it is JSON
  const reason = isObject(parsed) ? String(parsed.message).slice(0, MAX_REASON) : undefined;
  const response: CallerResponse = result
    ? { key, round, result: source.text(result) }
    : { key, round, error: reason ?? "unknown error" };
  await context.sessions.mailboxes.sendOnce(mailbox, JSON.stringify(response));
}

/** The progress of a request of an upstream: its progress token is a sealed token too. */
async function relayProgress(
  message: NotificationMessage,
  principal: Principal,
  session: McpSession,
  context: GatewayContext,
): Promise<void> {
  const at = message.params?.members.get("progressToken");
  if (at?.kind !== "string") return;
  const question = context.sessions.questions.find(readString(message.source, at), principal.userId, session.id);
  if (question)
    await post(question, rewriteCall(message, { envelope: "keep", progressOf: question.rawId }), principal, context);
}

/** Posts to the upstream session that sent the request, if the caller still has access to the server. */
async function post(question: Question, body: Buffer, principal: Principal, context: GatewayContext): Promise<void> {
  const snapshot = context.holder.current();
  const server = snapshot.serversById.get(question.serverId);
  if (!server || !resolve(snapshot, principal).reach(server).reached) return;
  await context.upstreams.post(server, principal.userId, question.from, body);
}

function cancelCall({ params, source }: NotificationMessage, session: McpSession, context: GatewayContext): void {
  const id = params?.members.get("requestId");
  if (!id) return;
  const rawId = source.text(id);
  if (!context.sessions.calls.cancel(session, rawId)) context.sessions.cancelElsewhere(session.id, rawId);
}
