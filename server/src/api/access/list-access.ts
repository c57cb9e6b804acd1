import { z } from "zod";
import { CursorPagination, totalCount } from "#api/kit/answers";
import { read } from "#api/kit/operation";
import { limitParameter, offsetParameter, targetParameter } from "#api/kit/parameters";
import { resolve } from "#gateway/snapshot/resolve";
import { ALL_SERVERS } from "#gateway/snapshot/scope";
import type { NamedItem, ServerEntry } from "#gateway/snapshot/shape";
import { tokensOfView } from "#gateway/snapshot/tool-tokens";
import type { View } from "#gateway/snapshot/view";
import { notFound } from "#lib/errors";
import { ALL_CAPABILITIES } from "#lib/gating-capabilities";
import { groupNames } from "#records/groups";
import { findUser } from "#records/users";
import { joinNames } from "./join-names.ts";
import { AccessibleTool, AccessSummary } from "./schema.ts";

/** D22: uses this process's snapshot and the functions behind the gateway's lists (AZ-2). */
export const listAccess = read({
  id: "listAccess",
  route: "GET /api/access",
  tag: "Access",
  summary: "List the tools that a user can call, and why",
  description:
    "Returns what `tools/list` returns to that user or machine user with a client that declares all capabilities, in the same order.",
  scope: "admin:read",
  query: {
    email: targetParameter("The user's email", "ada@example.com"),
    cursor: offsetParameter("Zero-based offset of the first entry"),
    limit: limitParameter,
  },
  answers: {
    200: z.object({
      data: z.array(AccessibleTool),
      summary: AccessSummary,
      pagination: CursorPagination,
      totalCount,
    }),
  },
  refusals: [400, 404],
  onCrash: "Failed to retrieve access",
  async run({ db, query, context }) {
    const { email, cursor, limit } = query;
    const row = await findUser(db, email);
    const snapshot = context.snapshots.current();
    const user = row && snapshot.usersById.get(row.id);
    if (!user) throw notFound.user(email);
    const view = context.snapshots.viewFor({ user }, ALL_SERVERS, () => ALL_CAPABILITIES);
    const resolution = resolve(snapshot, { user });
    const page = toolsBetween(view, cursor, cursor + limit).map(({ server, tool }) => {
      const through = resolution.groupsThrough(server, tool.upstreamName).map((group) => group.id);
      return { server, tool, through };
    });
    const names = await groupNames(db, [...new Set(page.flatMap(({ through }) => through))]);
    const data = page.map(({ server, tool, through }) =>
      presentTool(server, tool, through.flatMap((id) => names.get(id) ?? []).sort()),
    );
    const tools = view.count("tools");
    const hasMore = cursor + limit < tools;
    return {
      status: 200,
      body: {
        data,
        summary: {
          email: user.email,
          disabled: user.disabled,
          servers: view.servers.length,
          tools,
          prompts: view.count("prompts"),
          resources: view.count("resources"),
          resource_templates: view.count("resourceTemplates"),
          ...tokensOfView(view),
        },
        pagination: { cursor, limit, hasMore, nextCursor: hasMore ? cursor + limit : null },
        totalCount: tools,
      },
    };
  },
});

interface ServedTool {
  readonly server: ServerEntry;
  readonly tool: NamedItem;
}

/** Skips whole servers by their counts, so that every page costs the same. */
function toolsBetween(view: View, start: number, end: number): ServedTool[] {
  const found: ServedTool[] = [];
  let at = 0;
  for (const server of view.servers) {
    const { items } = view.named(server, "tools");
    const first = at;
    at += items.length;
    if (at <= start) continue;
    if (first >= end) break;
    const wanted = items.slice(Math.max(0, start - first), end - first);
    found.push(...wanted.map((tool) => ({ server, tool })));
  }
  return found;
}

function presentTool(server: ServerEntry, tool: NamedItem, groups: string[]): z.input<typeof AccessibleTool> {
  const through = joinNames("group", "groups", groups);
  return {
    tool: `${server.slug}__${tool.slug}`,
    server: server.slug,
    upstream_name: tool.upstreamName,
    draft: !server.active,
    groups,
    why: server.active ? `Access through ${through}` : `Draft server, visible through ${through}`,
  };
}
