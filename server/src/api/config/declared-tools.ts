/** What files declare of a server's tools: which are disabled, and limits. Both by the server's names of the tools. */
import type { Invoke } from "#api/kit/invocation";
import { presentCallLimits } from "#api/presenters/call-limits";
import { invalid } from "#lib/errors";
import { isObject } from "#lib/is-object";
import { disabledToolsOf, toolLimitsOf } from "#records/server-tools";
import type { MainDb } from "#storage/database";
import { type ConfigObject, sortedMembers } from "./kind.ts";

const NO_LIMITS = { calls_per_minute: null, concurrent_calls: null };
/** The operation accepts so many in one request. */
const MOST_TOOLS = 1_000;

export async function readDeclaredTools(db: MainDb, serverId: string): Promise<ConfigObject> {
  const limits = await toolLimitsOf(db, serverId);
  return {
    disabled_tools: await disabledToolsOf(db, serverId),
    tool_limits: sortedMembers(Object.fromEntries(limits.map((row) => [row.tool_name, presentCallLimits(row)]))),
  };
}

/** The order of disabled tools is no change, and neither are limits that limit nothing. */
export function normalizedTools({ disabled_tools: disabled, tool_limits: limits }: ConfigObject): ConfigObject {
  const limited = isObject(limits) && Object.entries(limits).filter(([, limit]) => hasLimit(limit));
  return {
    ...(disabled === null && { disabled_tools: [] }),
    ...(Array.isArray(disabled) && { disabled_tools: [...new Set(disabled)].sort() }),
    ...(limits === null && { tool_limits: {} }),
    ...(limited && { tool_limits: Object.fromEntries(limited) }),
  };
}

function hasLimit(limit: unknown): boolean {
  return !isObject(limit) || Object.values(limit).some((value) => value !== null);
}

/** Names that the server does not list are stored for the sync that finds them. */
export async function changeTools(
  invoke: Invoke,
  { slug }: ConfigObject,
  changes: ConfigObject,
  before: ConfigObject = {},
): Promise<void> {
  const [old, next] = [disabledIn(before), disabledIn({ ...before, ...changes })];
  const disable = next.filter((name) => !old.includes(name));
  const enable = old.filter((name) => !next.includes(name));
  const limits = changes.tool_limits === undefined ? [] : limitChanges(limitsIn(before), limitsIn(changes));
  const longest = Math.max(disable.length, enable.length, limits.length);
  for (let start = 0; start < longest; start += MOST_TOOLS) {
    const part = <Item>(list: readonly Item[]) => list.slice(start, start + MOST_TOOLS);
    const body = { enable: part(enable), disable: part(disable), limits: part(limits), allow_unlisted: true };
    await invoke("updateMcpServerTools", { query: { slug: String(slug) }, body });
  }
}

function limitChanges(before: ConfigObject, next: ConfigObject): object[] {
  return [...new Set([...Object.keys(before), ...Object.keys(next)])].map((tool) => ({
    tool,
    ...NO_LIMITS,
    ...Object(next[tool]),
  }));
}

function disabledIn({ disabled_tools: names }: ConfigObject): readonly unknown[] {
  if (names == null) return [];
  if (!Array.isArray(names)) throw invalid("disabled_tools", "must be a list");
  return [...new Set<unknown>(names)];
}

function limitsIn({ tool_limits: limits }: ConfigObject): ConfigObject {
  if (limits == null) return {};
  if (!isObject(limits)) throw invalid("tool_limits", "must be an object");
  return limits;
}
