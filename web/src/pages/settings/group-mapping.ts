/** `eng-all = Engineering`, a line each. */
export function mappingText(mapping: Readonly<Record<string, string>>): string {
  return Object.entries(mapping)
    .map(([value, group]) => `${value} = ${group}`)
    .join("\n");
}

/** Undefined: a line is neither empty nor a pair. The last `=` divides, for values such as `cn=eng,dc=example`. */
export function readMapping(text: string): Record<string, string> | undefined {
  const mapping: Record<string, string> = {};
  for (const line of text.split("\n").filter((given) => given.trim() !== "")) {
    const at = line.lastIndexOf("=");
    const [value, group] = [line.slice(0, Math.max(at, 0)).trim(), line.slice(at + 1).trim()];
    if (value === "" || group === "") return undefined;
    mapping[value] = group;
  }
  return mapping;
}
