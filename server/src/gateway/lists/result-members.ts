import { META_SERVER_INFO, META_SERVERS } from "../envelope/meta-keys.ts";
import type { ServerInfo } from "../request.ts";
import type { Era } from "../snapshot/shape.ts";

/** Lists change with the organization's settings and differ between callers, so they are cached briefly and never shared. */
const LIST_TTL_MS = 30_000;

/**
 * The members that every result of the gateway has in the caller's era, as JSON text with a leading comma. Legacy results
 * have only `_meta`, if there are `warnings` about servers of a list or other members for it.
 */
export function resultTail(era: Era, serverInfo: ServerInfo, cacheable: boolean, warnings = "", meta = ""): string {
  const servers = warnings === "" ? meta : `"${META_SERVERS}":[${warnings}]${meta && `,${meta}`}`;
  if (era === "legacy") return servers && `,"_meta":{${servers}}`;
  const caching = cacheable ? `,"ttlMs":${LIST_TTL_MS},"cacheScope":"private"` : "";
  const info = `${JSON.stringify(META_SERVER_INFO)}:${JSON.stringify(serverInfo)}`;
  return `,"resultType":"complete"${caching},"_meta":{${info}${servers && `,${servers}`}}`;
}
