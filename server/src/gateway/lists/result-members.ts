import { META_SERVER_INFO, META_SERVERS } from "../envelope/meta-keys.ts";
import type { ServerInfo } from "../request.ts";
import type { Era } from "../snapshot/shape.ts";

/** Lists change with the organization's settings, and differ from caller to caller: asked for again soon, never shared. */
const LIST_TTL_MS = 30_000;

/**
 * The members that every result of ours carries in the caller's era, as JSON text that begins with a comma: nothing
 * for legacy callers, who never heard of them. `warnings` is what is wrong with servers that a list goes over, if anything.
 */
export function resultTail(era: Era, serverInfo: ServerInfo, cacheable: boolean, warnings = ""): string {
  const servers = warnings === "" ? "" : `"${META_SERVERS}":[${warnings}]`;
  if (era === "legacy") return servers && `,"_meta":{${servers}}`;
  const caching = cacheable ? `,"ttlMs":${LIST_TTL_MS},"cacheScope":"private"` : "";
  const info = `${JSON.stringify(META_SERVER_INFO)}:${JSON.stringify(serverInfo)}`;
  return `,"resultType":"complete"${caching},"_meta":{${info}${servers && `,${servers}`}}`;
}
