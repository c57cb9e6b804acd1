import { invalid } from "#lib/errors";
import type { ToolkitTool } from "#storage/toolkit-tables";

/** Rules of toolkit entries that need no stored data. Each function throws a Refusal for the first entry that breaks one. */

export const MAX_TOOLKIT_TOOLS = 500;
/** Prompts and resources, each. */
export const MAX_TOOLKIT_ITEMS = 500;
export const MAX_INSTRUCTIONS_BYTES = 8 * 1024;
/** All tool entries together, as JSON. */
export const MAX_TOOLS_BYTES = 512 * 1024;
export const ALL_TOOLS = "*";

const ALIAS = /^[A-Za-z0-9_-]{1,64}$/;

export function checkEntries(tools: readonly ToolkitTool[]): void {
  for (const [at, entry] of tools.entries()) {
    const field = `tools.${at}`;
    if (entry.tool === ALL_TOOLS) checkNoOverrides(field, entry);
    else checkAlias(field, entry.alias);
    checkArguments(`${field}.arguments`, entry.arguments ?? {});
  }
  if (Buffer.byteLength(JSON.stringify(tools)) > MAX_TOOLS_BYTES) {
    throw invalid("tools", `must be at most ${MAX_TOOLS_BYTES / 1024} KiB`);
  }
}

function checkNoOverrides(field: string, entry: ToolkitTool): void {
  for (const name of ["alias", "title", "description", "arguments"] as const) {
    if (entry[name] !== undefined) throw invalid(`${field}.${name}`, `not allowed with tool "${ALL_TOOLS}"`);
  }
}

function checkAlias(field: string, alias: string | undefined): void {
  if (alias === undefined) return;
  if (!ALIAS.test(alias)) {
    throw invalid(`${field}.alias`, "must be 1 to 64 letters, numbers, hyphens and underscores");
  }
  if (alias.includes("__")) throw invalid(`${field}.alias`, 'must not contain "__"');
}

function checkArguments(field: string, { fixed = {}, defaults = {} }: NonNullable<ToolkitTool["arguments"]>): void {
  for (const [kind, values] of Object.entries({ fixed, defaults })) {
    for (const [name, value] of Object.entries(values)) {
      if (!isExact(value)) {
        throw invalid(`${field}.${kind}.${name}`, "integers must be between -9007199254740991 and 9007199254740991");
      }
    }
  }
  const both = Object.keys(defaults).find((name) => Object.hasOwn(fixed, name));
  if (both !== undefined) throw invalid(`${field}.defaults.${both}`, "is fixed, so it cannot have a default");
}

/** Larger integers were rounded when the request was read, so the tool would receive another number. */
function isExact(value: unknown): boolean {
  if (typeof value === "number") return !Number.isInteger(value) || Number.isSafeInteger(value);
  return typeof value !== "object" || value === null || Object.values(value).every(isExact);
}

/** Null restores the server's value, and empty members are omitted, so that equal entries are stored equally. */
export interface GivenTool {
  readonly server: string;
  readonly tool: string;
  readonly alias?: string | null | undefined;
  readonly title?: string | null | undefined;
  readonly description?: string | null | undefined;
  readonly arguments?:
    | {
        readonly fixed?: Record<string, unknown> | null | undefined;
        readonly defaults?: Record<string, unknown> | null | undefined;
        readonly hidden?: readonly string[] | null | undefined;
      }
    | null
    | undefined;
}

export function toolkitTool({ server, tool, alias, title, description, arguments: given }: GivenTool): ToolkitTool {
  const { fixed, defaults, hidden } = given ?? {};
  const changes = {
    ...(fixed && Object.keys(fixed).length > 0 && { fixed }),
    ...(defaults && Object.keys(defaults).length > 0 && { defaults }),
    ...(hidden && hidden.length > 0 && { hidden: [...new Set(hidden)] }),
  };
  return {
    server,
    tool,
    ...(alias != null && { alias }),
    ...(title != null && { title }),
    ...(description != null && { description }),
    ...(Object.keys(changes).length > 0 && { arguments: changes }),
  };
}
