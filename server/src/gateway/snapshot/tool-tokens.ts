/** F14: how much of a model's context tool definitions take. */
import { exposedTools } from "./derived-lists.ts";
import { Exposure } from "./exposure.ts";
import type { Listing } from "./listing.ts";
import { grants, shows } from "./resolve.ts";
import type { NamedItem, ServerEntry, Snapshot } from "./shape.ts";
import type { ToolkitEntry } from "./toolkits.ts";
import type { View } from "./view.ts";

/** Approximate: tokenizers differ between models, and schemas are repetitive. */
const BYTES_PER_TOKEN = 4;
const MAX_LARGEST = 10;

export interface ToolTokens {
  readonly tokens_estimate: number;
  /** The largest contributors, largest first. */
  readonly largest: { readonly name: string; readonly tokens_estimate: number }[];
}

export const NO_TOKENS: ToolTokens = { tokens_estimate: 0, largest: [] };

export function estimateTokens(bytes: number): number {
  return Math.ceil(bytes / BYTES_PER_TOKEN);
}

/** By server, as the view lists their tools. */
export function tokensOfView(view: View): ToolTokens {
  return summarize(view.servers.map((server) => [server.slug, view.named(server, "tools").fragment.length]));
}

/** By tool. */
export function tokensOfTools({ items }: Listing<NamedItem>): ToolTokens {
  return summarize(items.map(({ slug, start, end }) => [slug, end - start]));
}

/** By server, for a member of only this group. */
export function tokensOfGroup({ groups, serversById }: Snapshot, groupId: string): ToolTokens {
  const group = groups.get(groupId);
  if (!group) return NO_TOKENS;
  const granted = ({ tools }: ServerEntry, isGranted: (tool: string) => boolean) =>
    tools.items.reduce((sum, item) => sum + (isGranted(item.upstreamName) ? item.end - item.start : 0), 0);
  const servers = group.serverIds.flatMap((id) => serversById.get(id) ?? []).filter((server) => shows(group, server));
  return summarize(
    servers.map((server) => [server.slug, granted(server, (tool) => grants(group, server, tool))] as const),
  );
}

/** By tool, for a user who can access all servers of the toolkit. */
export function tokensOfToolkit({ serversById, serverIdBySlug }: Snapshot, { parts }: ToolkitEntry): ToolTokens {
  return summarize(
    [...parts].flatMap(([slug, part]) => {
      const server = serversById.get(serverIdBySlug.get(slug) ?? "");
      const items = server ? exposedTools(server, new Exposure(server, [part])).items : [];
      return items.map((item) => [`${slug}__${item.slug}`, item.end - item.start] as const);
    }),
  );
}

function summarize(parts: readonly (readonly [name: string, bytes: number])[]): ToolTokens {
  const bytes = parts.reduce((sum, [, each]) => sum + each, 0);
  const sorted = parts.filter(([, each]) => each > 0).sort(([a, one], [b, other]) => other - one || (a < b ? -1 : 1));
  const largest = sorted.slice(0, MAX_LARGEST).map(([name, each]) => ({ name, tokens_estimate: estimateTokens(each) }));
  return { tokens_estimate: estimateTokens(bytes), largest };
}
