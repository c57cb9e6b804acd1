import type { Listing, ResourceEntry, ServerEntry, TemplateEntry } from "#gateway/snapshot/shape";
import { parseTemplate } from "#lib/uri-template";
import type { PublishedItem } from "./published-records.ts";

/** Shared by the many servers that list nothing of a kind. */
export const NOTHING: Listing<never> = { byKey: new Map<string, never>(), count: 0, fragment: Buffer.alloc(0) };

/** D37: under the upstream's own addresses; a view that holds two alike puts another one in front of `rest`. */
export function compileResources(
  items: readonly PublishedItem[],
): Pick<ServerEntry, "resources" | "resourceTemplates"> {
  return {
    resources: compileListing<ResourceEntry>(items, "resource", "uri", (entry) => entry),
    resourceTemplates: compileListing<TemplateEntry>(items, "resource_template", "uriTemplate", (entry) => {
      const parts = parseTemplate(entry.uri);
      return parts && { ...entry, parts };
    }),
  };
}

/** What `complete` refuses is not listed: it could not be read either. */
function compileListing<Entry extends ResourceEntry>(
  items: readonly PublishedItem[],
  kind: PublishedItem["kind"],
  member: "uri" | "uriTemplate",
  complete: (entry: ResourceEntry) => Entry | undefined,
): Listing<Entry> {
  const byKey = new Map<string, Entry>();
  const parts: Buffer[] = [];
  let length = 0;
  for (const { upstream_name: uri, definition } of items.filter((item) => item.kind === kind)) {
    const head = Buffer.from(`{"${member}":${JSON.stringify(uri)}`);
    const members = definition.trim().slice(1).trimStart();
    const tail = Buffer.from(`${members === "}" ? "" : ","}${members}`);
    const start = length + (byKey.size > 0 ? 1 : 0);
    const rest = start + head.length;
    const entry = complete({ uri, start, rest, end: rest + tail.length });
    if (!entry) continue;
    if (byKey.size > 0) parts.push(Buffer.from(","));
    parts.push(head, tail);
    byKey.set(uri, entry);
    length = entry.end;
  }
  return byKey.size === 0 ? NOTHING : { byKey, count: byKey.size, fragment: ownBuffer(parts, length) };
}

/** A small buffer from Node's pool would keep 64 KiB of short-lived neighbours alive with it. */
function ownBuffer(parts: readonly Buffer[], length: number): Buffer {
  const own = Buffer.allocUnsafeSlow(length);
  let at = 0;
  for (const part of parts) at += part.copy(own, at);
  return own;
}
