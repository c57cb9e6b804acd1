import type { Schemas } from "../../api/client.ts";

type Entry = Schemas["Toolkit"]["tools"][number];

/** `github__search` → server and tool. Slugs of servers have no underscore. */
export function splitName(name: string): { readonly server: string; readonly tool: string } {
  const at = name.indexOf("__");
  return { server: name.slice(0, at), tool: name.slice(at + 2) };
}

function isNamed({ server, tool }: Entry, name: string): boolean {
  return name === `${server}__${tool}`;
}

/** The names among `names` that the entries select. */
export function selectedNames(entries: readonly Entry[], names: readonly string[]): ReadonlySet<string> {
  return new Set(names.filter((name) => entries.some((entry) => isNamed(entry, name))));
}

/** Entries keep their changes, and stay if their tool is not listed now, because it may return. */
export function nextEntries(
  entries: readonly Entry[],
  names: readonly string[],
  selected: ReadonlySet<string>,
): { server: string; tool: string }[] {
  const kept = entries.filter((entry) => {
    const name = names.find((each) => isNamed(entry, each));
    return name === undefined || selected.has(name);
  });
  const added = names.filter((name) => selected.has(name) && !entries.some((entry) => isNamed(entry, name)));
  return [
    ...kept.map((entry) => (entry.tool === "*" ? { server: entry.server, tool: "*" } : entry)),
    ...added.map(splitName),
  ];
}
