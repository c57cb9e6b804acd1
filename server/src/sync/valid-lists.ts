import { UpstreamFault } from "#gateway/upstream/failure";
import type { Listed } from "#gateway/upstream/handshake/list";
import type { Logger } from "#lib/logger";
import type { SyncedItem } from "#records/server-items";
import type { SyncedTool } from "#records/server-tools";
import type { McpServerRow, ServerItemKind } from "#storage/server-tables";
import { sanitizeInstructions } from "./sanitize-instructions.ts";
import { type SanitizedItem, sanitizePrompt } from "./sanitize-prompt.ts";
import { sanitizeResource, sanitizeTemplate } from "./sanitize-resource.ts";
import { sanitizeTool } from "./sanitize-tool.ts";

/** Skips and logs invalid tools, and tools whose name or slug was already listed. */
export function validTools(server: McpServerRow, { tools, gatedTools }: Listed, logger: Logger): SyncedTool[] {
  const bySlug = new Map<string, SyncedTool>();
  const names = new Set<string>();
  if (gatedTools instanceof UpstreamFault)
    logger.warn({ err: gatedTools, server: server.slug }, "tools for clients with capabilities could not be synced");
  const gated = gatedTools instanceof UpstreamFault ? [] : gatedTools;
  for (const { text, requires } of [...tools.map((text) => ({ text, requires: [] })), ...gated]) {
    const result = sanitizeTool(text, server.slug.length);
    if ("refused" in result) {
      logger.warn({ server: server.slug, reason: result.refused }, "skipped an invalid tool");
    } else if (names.has(result.tool.upstream_name) || bySlug.has(result.tool.slug)) {
      logger.warn({ server: server.slug, tool: result.tool.upstream_name }, "skipped a duplicate tool");
    } else {
      names.add(result.tool.upstream_name);
      bySlug.set(result.tool.slug, { ...result.tool, required_capabilities: [...requires] });
    }
  }
  return [...bySlug.values()];
}

export type ValidItems = ReadonlyMap<ServerItemKind, readonly SyncedItem[]>;

/** Like `validTools`, for prompts, resources, templates, and the instructions. A kind that could not be synced keeps its stored items. */
export function validItems(server: McpServerRow, listed: Listed, logger: Logger): ValidItems {
  const items = new Map<ServerItemKind, readonly SyncedItem[]>();
  items.set("instructions", [sanitizeInstructions(listed.instructions)]);
  const lists = [
    { kind: "prompt", raw: listed.prompts, sanitize: sanitizePrompt },
    { kind: "resource", raw: listed.resources, sanitize: sanitizeResource },
    { kind: "resource_template", raw: listed.resourceTemplates, sanitize: sanitizeTemplate },
  ] as const;
  for (const { kind, raw, sanitize } of lists) {
    if (raw instanceof UpstreamFault)
      logger.warn({ err: raw, server: server.slug, kind }, "a list could not be synced");
    else items.set(kind, validItemsOf(server, kind, raw, sanitize, logger));
  }
  return items;
}

function validItemsOf(
  server: McpServerRow,
  kind: ServerItemKind,
  raw: readonly string[],
  sanitize: (text: string, serverSlugLength: number) => SanitizedItem,
  logger: Logger,
): SyncedItem[] {
  const byName = new Map<string, SyncedItem>();
  const slugs = new Set<string>();
  for (const text of raw) {
    const result = sanitize(text, server.slug.length);
    if ("refused" in result) {
      logger.warn({ server: server.slug, kind, reason: result.refused }, "skipped an invalid item");
      continue;
    }
    const { upstream_name, slug } = result.item;
    if (byName.has(upstream_name) || slugs.has(slug)) {
      logger.warn({ server: server.slug, kind, name: upstream_name }, "skipped a duplicate item");
      continue;
    }
    byName.set(upstream_name, result.item);
    if (slug !== "") slugs.add(slug);
  }
  return [...byName.values()];
}
