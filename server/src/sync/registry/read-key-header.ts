import { z } from "zod";
import { isKeyHeaderName, isKeyHeaderPrefix } from "#records/mcp-servers";
import type { RegistryEntryRow } from "#storage/server-tables";

type KeyHeader = Pick<RegistryEntryRow, "auth_types" | "header_name" | "header_prefix">;

const HeaderShape = z.object({
  name: z.string(),
  value: z.string().nullish().catch(null),
  isSecret: z.boolean().nullish().catch(null),
});
/** Not every publisher marks a secret as one. */
const SAYS_KEY = /^authorization$|api-?key/i;

/**
 * A header that wants a secret means that users bring a key. Which header, and what stands before the key, can be said
 * when there is one such header; `Bearer {token}` shows it. Without any, nothing is known about authentication.
 */
export function readKeyHeader(headers: readonly unknown[]): KeyHeader {
  const keys = headers
    .flatMap((header) => HeaderShape.safeParse(header).data ?? [])
    .filter(({ name, isSecret }) => isSecret === true || SAYS_KEY.test(name));
  const [key, ...others] = keys;
  if (!key) return { auth_types: [], header_name: null, header_prefix: null };
  const unsaid: KeyHeader = { auth_types: ["proxy-api-key"], header_name: null, header_prefix: null };
  if (others.length > 0 || !isKeyHeaderName(key.name)) return unsaid;
  const prefix = /^([^{}]*)\{[^{}]*\}$/.exec(key.value ?? "")?.[1];
  if (prefix !== undefined && isKeyHeaderPrefix(prefix)) {
    return { ...unsaid, header_name: key.name, header_prefix: prefix };
  }
  // Only `Authorization` has a custom of what stands before the key (D6).
  const custom = key.name.toLowerCase() === "authorization";
  return custom ? unsaid : { ...unsaid, header_name: key.name, header_prefix: "" };
}
