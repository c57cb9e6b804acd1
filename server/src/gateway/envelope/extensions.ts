/**
 * Protocol extensions that a caller declares. An upstream may return results that only an extension defines, such as a
 * task, so the gateway forwards only the extensions that work through it.
 */
import type { ByteSource } from "#lib/json/byte-source";
import type { Member } from "#lib/json/scan";

/**
 * MCP Apps: a page from an upstream calls tools by their original names, which are only valid at a single-server URL.
 */
const WITHOUT_PREFIX: ReadonlySet<string> = new Set(["io.modelcontextprotocol/ui"]);
const WITH_PREFIX: ReadonlySet<string> = new Set();

export function supportedExtensions(prefixed: boolean): ReadonlySet<string> {
  return prefixed ? WITH_PREFIX : WITHOUT_PREFIX;
}

const MIN_LENGTH = '{"extensions":{}}'.length;

/** JSON text of the capabilities to forward; undefined means forward them unchanged. */
export function filterExtensions(
  supported: ReadonlySet<string>,
  source: ByteSource,
  capabilities: Member | undefined,
): string | undefined {
  if (capabilities?.kind !== "object" || capabilities.end - capabilities.start < MIN_LENGTH) return undefined;
  const text = source.text(capabilities);
  // Keys may contain escape sequences.
  if (!text.includes("extensions") && !text.includes("\\")) return undefined;
  const { extensions, ...rest }: { extensions?: unknown } = JSON.parse(text); // verified by the scanner
  const kept = Object.entries(extensions ?? {}).filter(([name]) => supported.has(name));
  return JSON.stringify(kept.length > 0 ? { ...rest, extensions: Object.fromEntries(kept) } : rest);
}
