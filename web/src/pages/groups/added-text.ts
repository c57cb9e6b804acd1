/** "Added 2 members. 1 was already in the group." */
export function addedText(noun: string, added: number, existing: number): string {
  const count = (n: number) => `${n} ${noun}${n === 1 ? "" : "s"}`;
  if (existing <= 0) return `Added ${count(added)}`;
  return `Added ${count(added)}. ${existing} ${existing === 1 ? "was" : "were"} already in the group.`;
}
