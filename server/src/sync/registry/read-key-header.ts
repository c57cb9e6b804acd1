import { z } from "zod";
import { isKeyHeaderName, isKeyHeaderPrefix } from "#records/mcp-servers";
import type { RegistryEntryRow } from "#storage/server-tables";

type KeyHeader = Pick<RegistryEntryRow, "auth_types" | "header_name" | "header_prefix">;

const HeaderShape = z.object({
  name: z.string(),
  value: z.string().nullish().catch(null),
  isSecret: z.boolean().nullish().catch(null),
});
/** Not every publisher sets `isSecret`. */
const KEY_HEADER = /^authorization$|api-?key/i;

/**
 * A secret header means that users need an API key. Its name and prefix, as in `Bearer {token}`, are known only if there
 * is exactly one such header. Without any, the authentication type is unknown.
 */
export function readKeyHeader(headers: readonly unknown[]): KeyHeader {
  const keys = headers
    .flatMap((header) => HeaderShape.safeParse(header).data ?? [])
    .filter(({ name, isSecret }) => isSecret === true || KEY_HEADER.test(name));
  const [key, ...others] = keys;
  if (!key) return { auth_types: [], header_name: null, header_prefix: null };
  const unknownHeader: KeyHeader = { auth_types: ["proxy-api-key"], header_name: null, header_prefix: null };
  if (others.length > 0 || !isKeyHeaderName(key.name)) return unknownHeader;
  const prefix = /^([^{}]*)\{[^{}]*\}$/.exec(key.value ?? "")?.[1];
  if (prefix !== undefined && isKeyHeaderPrefix(prefix)) {
    return { ...unknownHeader, header_name: key.name, header_prefix: prefix };
  }
  // Only `Authorization` has a default prefix (D6).
  const hasDefaultPrefix = key.name.toLowerCase() === "authorization";
  return hasDefaultPrefix ? unknownHeader : { ...unknownHeader, header_name: key.name, header_prefix: "" };
}
