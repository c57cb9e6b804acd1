/** `group A`, `groups A and B`, `groups A, B, and C`. */
export function joinNames(one: string, many: string, names: readonly string[]): string {
  const last = names.at(-1) ?? "";
  if (names.length < 2) return `${one} ${last}`;
  return `${many} ${names.slice(0, -1).join(", ")}${names.length > 2 ? "," : ""} and ${last}`;
}
