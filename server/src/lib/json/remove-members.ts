import type { Member } from "./scan.ts";
import type { Edit } from "./splice.ts";

/** Edits that remove members of an object together with their commas. They do not overlap, and are in source order. */
export function removeMembers(members: ReadonlyMap<string, Member>, isRemoved: (name: string) => boolean): Edit[] {
  const listed = [...members].map(([name, member]) => ({ member, removed: isRemoved(name) }));
  const lastKept = listed.findLastIndex(({ removed }) => !removed);
  const edits: Edit[] = [];
  for (const [at, { member, removed }] of listed.entries()) {
    const next = listed[at + 1];
    if (removed && at < lastKept && next) edits.push({ start: member.keyStart, end: next.member.keyStart, text: "" });
  }
  const firstOfEnd = listed[lastKept + 1]?.member;
  const last = listed.at(-1)?.member;
  if (firstOfEnd && last) {
    edits.push({ start: listed[lastKept]?.member.end ?? firstOfEnd.keyStart, end: last.end, text: "" });
  }
  return edits;
}
