import { META_SERVER_INFO } from "../envelope/meta-keys.ts";
import type { Era } from "../snapshot/shape.ts";
import type { ServerInfo } from "./request.ts";

/** Lists change with the organization's settings, and differ from caller to caller: asked for again soon, never shared. */
const LIST_TTL_MS = 30_000;

/**
 * The members that every result of ours carries in the caller's era, as JSON text that begins with a comma: nothing
 * for legacy callers, who never heard of them.
 */
export function resultTail(era: Era, serverInfo: ServerInfo, cacheable: boolean): string {
  if (era === "legacy") return "";
  const caching = cacheable ? `,"ttlMs":${LIST_TTL_MS},"cacheScope":"private"` : "";
  return `,"resultType":"complete"${caching},"_meta":{${JSON.stringify(META_SERVER_INFO)}:${JSON.stringify(serverInfo)}}`;
}
