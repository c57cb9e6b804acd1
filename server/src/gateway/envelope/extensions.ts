/**
 * Extensions of the protocol that a caller claims. An upstream that hears of one may answer with what only that extension
 * understands, such as a task, so it hears only of those that hold through the gateway.
 */
import type { ByteSource } from "#lib/json/byte-source";
import type { Member } from "#lib/json/scan";

/** MCP Apps: a page that an upstream shows calls tools by their own names, which only an address for one server has. */
const WITH_OWN_NAMES: ReadonlySet<string> = new Set(["io.modelcontextprotocol/ui"]);
const WITH_PREFIXES: ReadonlySet<string> = new Set();

export function heldExtensions(prefixed: boolean): ReadonlySet<string> {
  return prefixed ? WITH_PREFIXES : WITH_OWN_NAMES;
}

const SHORTEST = '{"extensions":{}}'.length;

/** JSON text of the capabilities for the upstream; undefined: they may go on as they are. */
export function capabilitiesWith(
  held: ReadonlySet<string>,
  source: ByteSource,
  capabilities: Member | undefined,
): string | undefined {
  if (capabilities?.kind !== "object" || capabilities.end - capabilities.start < SHORTEST) return undefined;
  const text = source.text(capabilities);
  // A key may also be written with escapes.
  if (!text.includes("extensions") && !text.includes("\\")) return undefined;
  const { extensions, ...rest }: { extensions?: unknown } = JSON.parse(text); // the scanner has found an object
  const claimed = Object.entries(extensions ?? {}).filter(([name]) => held.has(name));
  return JSON.stringify(claimed.length > 0 ? { ...rest, extensions: Object.fromEntries(claimed) } : rest);
}
