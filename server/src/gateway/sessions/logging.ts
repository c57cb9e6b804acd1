import { readString } from "#lib/json/splice";
import { errorBody, INVALID_PARAMS, resultBody } from "../envelope/errors.ts";
import { META_LOG_LEVEL } from "../envelope/meta-keys.ts";
import type { RequestMessage } from "../envelope/read-request.ts";
import type { UpstreamNotification } from "../envelope/read-response.ts";
import { type GatewayContext, JSON_HEADERS, type McpRequest } from "../request.ts";
import type { McpSession } from "./sessions.ts";

const LEVELS = ["debug", "info", "notice", "warning", "error", "critical", "alert", "emergency"];

/**
 * Legacy: sets the level for the session, at each current and future upstream. Callers without a session get every
 * message.
 */
export function loggingSetLevel({ call, exchange, session }: McpRequest, context: GatewayContext): void {
  const member = call.params?.members.get("level");
  const level = member?.kind === "string" ? readString(call.source, member) : "";
  if (!LEVELS.includes(level)) {
    const problem = `params.level must be one of ${LEVELS.join(", ")}`;
    exchange.answer(200, JSON_HEADERS, [errorBody(call.rawId, INVALID_PARAMS, problem)]);
    return;
  }
  const stored = session ? setLevel(session, level, context) : Promise.resolve();
  void stored.finally(() => exchange.answer(200, JSON_HEADERS, [resultBody(call.rawId, "{}")]));
}

/**
 * Modern callers receive the messages of a request at the level they requested with it, whatever the upstream's era.
 */
export function wantsLog(
  { params, source }: RequestMessage,
  { params: message, source: line }: UpstreamNotification,
): boolean {
  const asked = params?.meta?.members.get(META_LOG_LEVEL);
  if (asked?.kind !== "string") return false;
  const { level } = message?.kind === "object" ? JSON.parse(line.text(message)) : {}; // the reader has found an object
  return LEVELS.indexOf(String(level)) >= LEVELS.indexOf(readString(source, asked));
}

async function setLevel(session: McpSession, level: string, context: GatewayContext): Promise<void> {
  const { upstreams, sessions, logger, clock } = context;
  const now = clock.now();
  const stored = sessions.records
    .setLogLevel(session.id, level, now)
    .catch((error: unknown) => logger.warn({ err: error }, "a log level could not be shared with other processes"));
  await Promise.all([upstreams.ofSession.setLogLevel(session, level, now), stored]);
}
