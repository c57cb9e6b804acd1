import { ALL_CAPABILITIES } from "#lib/gating-capabilities";
import type { Decision } from "./decision.ts";
import { SnapshotHolder } from "./holder.ts";
import { nextSnapshot } from "./next-snapshot.ts";
import { type Resolution, resolve } from "./resolve.ts";
import { ALL_SERVERS } from "./scope.ts";
import type { ServerEntry, Snapshot, UserEntry } from "./shape.ts";
import type { ToolkitEntry, ToolkitPart } from "./toolkits.ts";

export interface PreviewedTool {
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly inputSchema?: unknown;
  readonly source: { readonly server: string; readonly tool: string };
}

export const HIDDEN_REASONS = [
  "toolkit_not_granted",
  "user_disabled",
  "server_missing",
  "no_group",
  "server_draft",
  "no_upstream",
  "not_synced",
  "tool_missing",
  "not_selected",
  "not_in_toolkit",
] as const;
export type HiddenReason = (typeof HIDDEN_REASONS)[number];

export interface HiddenTool {
  readonly server: string;
  /** `*`: all tools that the entry means. */
  readonly tool: string;
  readonly reason: HiddenReason;
}

export interface ToolkitPreview {
  readonly tools: readonly PreviewedTool[];
  /** Entries of the toolkit that the user does not list, and why. */
  readonly hidden: readonly HiddenTool[];
}

/**
 * What the user lists with this toolkit and a client that declares all capabilities. The toolkit is treated as active, so
 * that a draft can be previewed. Uses the functions behind the gateway's lists (AZ-2).
 */
export function previewToolkit(snapshot: Snapshot, user: UserEntry, toolkit: ToolkitEntry): ToolkitPreview {
  const holder = new SnapshotHolder();
  const toolkits = new Map([[toolkit.id, toolkit]]);
  holder.swap(nextSnapshot(snapshot, { revision: snapshot.revision, toolkits }));
  const scope = { ...ALL_SERVERS, toolkit: toolkit.slug };
  const view = holder.viewFor({ user }, scope, () => ALL_CAPABILITIES);
  const tools = view.servers.flatMap((server) => {
    const { items, fragment } = view.named(server, "tools");
    const definitions: Omit<PreviewedTool, "source">[] = JSON.parse(`[${fragment}]`);
    return definitions.map(({ name, title, description, inputSchema }, at) => ({
      name,
      ...(title !== undefined && { title }),
      ...(description !== undefined && { description }),
      inputSchema,
      source: { server: server.slug, tool: items[at]?.upstreamName ?? "" },
    }));
  });
  return { tools, hidden: hiddenTools(holder.current(), resolve(holder.current(), { user }, scope), toolkit) };
}

function hiddenTools(snapshot: Snapshot, resolution: Resolution, { parts }: ToolkitEntry): HiddenTool[] {
  const isUsable = resolution.toolkit() !== null;
  return [...parts].flatMap(([slug, part]) => {
    const server = snapshot.serversById.get(snapshot.serverIdBySlug.get(slug) ?? "");
    return namesOf(part, server).flatMap(({ tool, exposed }): HiddenTool[] => {
      if (!server) return [{ server: slug, tool, reason: "server_missing" }];
      if (!isUsable) return [{ server: slug, tool, reason: "toolkit_not_granted" }];
      const reason = reasonOf(resolution.named("tools", `${slug}__${exposed}`));
      return reason ? [{ server: slug, tool, reason }] : [];
    });
  });
}

/** Every tool that the entries mean, with the name under which it is exposed. */
function namesOf({ tools, others, byTool }: ToolkitPart, server: ServerEntry | undefined) {
  const items = server?.tools.items ?? [];
  const slugs = new Map(items.map(({ upstreamName, slug }) => [upstreamName, slug]));
  const named = tools.map(({ tool, alias }) => ({ tool, exposed: alias ?? slugs.get(tool) ?? tool }));
  if (!others) return named;
  if (items.length === 0) return [...named, { tool: "*", exposed: "*" }];
  const rest = items.filter(({ upstreamName }) => !byTool.has(upstreamName));
  return [...named, ...rest.map(({ upstreamName, slug }) => ({ tool: upstreamName, exposed: slug }))];
}

const REASON = {
  "malformed-name": "tool_missing",
  "unknown-server": "server_missing",
  "user-disabled": "user_disabled",
  "no-group": "no_group",
  draft: "server_draft",
  "not-selected": "not_selected",
  "no-upstream": "no_upstream",
  "not-synced": "not_synced",
  "not-in-toolkit": "not_in_toolkit",
  "unknown-tool": "tool_missing",
} as const satisfies Record<Extract<Decision, { kind: "refused" }>["reason"], HiddenReason>;

function reasonOf(decision: Decision): HiddenReason | undefined {
  return decision.kind === "refused" ? REASON[decision.reason] : undefined;
}
