import { mergeCallLimits, NO_CALL_LIMITS } from "#api/presenters/call-limits";
import { invalid } from "#lib/errors";
import { type ListedTool, type ToolLimits, toolLimitsOf } from "#records/server-tools";
import type { MainDb } from "#storage/database";
import type { CallLimitColumns } from "#storage/limit-tables";

type LimitChange = { readonly tool: string } & {
  readonly [Name in keyof CallLimitColumns]?: CallLimitColumns[Name] | undefined;
};

export interface ToolChanges {
  readonly enable: readonly string[];
  readonly disable: readonly string[];
  readonly limits: readonly LimitChange[];
}

/** Separates the changes of tools that the server lists from those that it does not list (yet). */
export function separateUnlisted(listed: readonly ListedTool[], { enable, disable, limits }: ToolChanges) {
  const names = new Set(listed.flatMap((tool) => [tool.upstream_name, tool.slug]));
  const part = (isListed: boolean): ToolChanges => {
    const isIn = (name: string) => names.has(name) === isListed;
    return {
      enable: enable.filter(isIn),
      disable: disable.filter(isIn),
      limits: limits.filter(({ tool }) => isIn(tool)),
    };
  };
  const unlisted = part(false);
  const both = unlisted.disable.find((name) => unlisted.enable.includes(name));
  if (both !== undefined) throw invalid("disable", `${both} is also in enable`);
  return { known: part(true), unlisted };
}

export async function limitsOfUnlisted(
  db: MainDb,
  serverId: string,
  limits: readonly LimitChange[],
): Promise<ToolLimits[]> {
  if (limits.length === 0) return [];
  const stored = new Map((await toolLimitsOf(db, serverId)).map((row) => [row.tool_name, row]));
  const next = new Map<string, ToolLimits>();
  for (const { tool, ...changes } of limits) {
    if (next.has(tool)) throw invalid("limits", `${tool} is listed twice`);
    next.set(tool, { tool_name: tool, ...mergeCallLimits(stored.get(tool) ?? NO_CALL_LIMITS, changes) });
  }
  return [...next.values()];
}
