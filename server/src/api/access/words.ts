/** `the group A`, `the groups A and B`, `the groups A, B and C`. */
export function listed(one: string, many: string, names: readonly string[]): string {
  const last = names.at(-1) ?? "";
  return names.length < 2 ? `${one} ${last}` : `${many} ${names.slice(0, -1).join(", ")} and ${last}`;
}
