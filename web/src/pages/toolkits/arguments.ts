import type { SchemaRow } from "../mcp-servers/schema-rows.ts";
import type { Entry } from "./toolkits.ts";

export type Mode = "free" | "default" | "fixed" | "hidden";

/** How an entry changes one argument, as it is edited. */
export interface ArgumentEdit {
  readonly mode: Mode;
  /** As typed: plain text for text arguments, otherwise JSON. */
  readonly value: string;
}

export type ArgumentEdits = Readonly<Record<string, ArgumentEdit>>;

export const MODES: ReadonlyArray<{ readonly value: Mode; readonly label: string }> = [
  { value: "free", label: "Set by the caller" },
  { value: "default", label: "Default" },
  { value: "fixed", label: "Fixed" },
  { value: "hidden", label: "Hidden" },
];

export function isText(row: Pick<SchemaRow, "type" | "values"> | undefined): boolean {
  return row === undefined || (row.type === "string" && row.values.length === 0);
}

export function editsOf({ arguments: { fixed, defaults, hidden } }: Entry, rows: readonly SchemaRow[]): ArgumentEdits {
  const shown = (name: string, value: unknown) => {
    const row = rows.find((each) => each.name === name);
    return typeof value === "string" && isText(row) ? value : JSON.stringify(value);
  };
  const values = (given: Readonly<Record<string, unknown>>, mode: Mode) =>
    Object.entries(given).map(([name, value]) => [name, { mode, value: shown(name, value) }] as const);
  const without = hidden.map((name) => [name, { mode: "hidden", value: "" } as const] as const);
  return Object.fromEntries([...without, ...values(defaults, "default"), ...values(fixed, "fixed")]);
}

/** Undefined: the typed value is not valid. */
export function argumentsOf(edits: ArgumentEdits, rows: readonly SchemaRow[]): Entry["arguments"] | undefined {
  const fixed: Record<string, unknown> = {};
  const defaults: Record<string, unknown> = {};
  const hidden: string[] = [];
  for (const [name, { mode, value }] of Object.entries(edits)) {
    if (mode === "free") continue;
    if (mode === "hidden") {
      hidden.push(name);
      continue;
    }
    const read = readValue(
      value,
      rows.find((row) => row.name === name),
    );
    if (!read) return undefined;
    (mode === "fixed" ? fixed : defaults)[name] = read.value;
  }
  return { fixed, defaults, hidden };
}

/** Undefined if it is not valid. */
export function readValue(typed: string, row: SchemaRow | undefined): { readonly value: unknown } | undefined {
  if (isText(row)) return { value: typed };
  try {
    return { value: JSON.parse(typed) };
  } catch {
    return undefined;
  }
}
