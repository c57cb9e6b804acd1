/** Relays what a caller sends besides requests: responses to upstreams' requests, and notifications. */

import { readString } from "#lib/json/splice";
import type { Methods } from "../call/request.ts";
import type { NotificationMessage, ResponseMessage } from "../envelope/read-request.ts";
import { rewriteCall, rewriteResponse } from "../envelope/rewrite-call.ts";
import type { Principal } from "../snapshot/authenticate.ts";
import { reaches } from "../snapshot/decide.ts";
import type { Question } from "./questions.ts";
import type { McpSession } from "./sessions.ts";

/** Resolves when the message was relayed or dropped: the caller gets the same response in both cases. */
export async function passOn(
  message: NotificationMessage | ResponseMessage,
  principal: Principal,
  session: McpSession,
  methods: Methods,
): Promise<void> {
  try {
    if (message.kind === "response") await relayResponse(message, principal, session, methods);
    else if (message.method === "notifications/cancelled") cancelCall(message, session, methods);
    else if (message.method === "notifications/progress") await relayProgress(message, principal, session, methods);
    else if (message.method === "notifications/roots/list_changed")
      await methods.upstreams.ofSession.notify(session, rewriteCall(message, { envelope: "keep" }));
  } catch (error) {
    methods.logger.error({ err: error }, "a message of a caller could not be relayed");
  }
}

async function relayResponse(
  message: ResponseMessage,
  principal: Principal,
  session: McpSession,
  methods: Methods,
): Promise<void> {
  if (message.id.kind !== "string") return;
  const token = readString(message.source, message.id);
  const question = methods.questions.take(token, principal.userId, session.id);
  if (question) await post(question, rewriteResponse(message, question.rawId), principal, methods);
}

/** The progress of a request of an upstream: its progress token is a sealed token too. */
async function relayProgress(
  message: NotificationMessage,
  principal: Principal,
  session: McpSession,
  methods: Methods,
): Promise<void> {
  const at = message.params?.members.get("progressToken");
  if (at?.kind !== "string") return;
  const question = methods.questions.find(readString(message.source, at), principal.userId, session.id);
  if (question)
    await post(question, rewriteCall(message, { envelope: "keep", progressOf: question.rawId }), principal, methods);
}

/** Posts to the upstream session that sent the request, if the caller still has access to the server. */
async function post(question: Question, body: Buffer, { user, userId }: Principal, methods: Methods): Promise<void> {
  const snapshot = methods.holder.current();
  const server = snapshot.serversById.get(question.serverId);
  if (!server || !reaches(snapshot, user, server).reached) return;
  await methods.upstreams.post(server, userId, question.from, body);
}

function cancelCall({ params, source }: NotificationMessage, session: McpSession, methods: Methods): void {
  const id = params?.members.get("requestId");
  if (!id) return;
  const rawId = source.text(id);
  if (!methods.sessionCalls.cancel(session, rawId)) methods.cancelElsewhere(session.id, rawId);
}
