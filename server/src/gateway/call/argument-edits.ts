import { JsonFault, type Member } from "#lib/json/scan";
import { scanJson } from "#lib/json/scanner";
import type { Edit } from "#lib/json/splice";
import { watchPlan } from "#lib/json/watch-plan";
import type { RequestMessage } from "../envelope/read-request.ts";
import { MAX_LOGGED_NAME } from "../request.ts";
import type { ArgumentChanges } from "../snapshot/toolkits.ts";

const TOP_LEVEL = watchPlan([[]]);

/** Edits that apply the changes to the caller's message, or why it is refused. */
export function argumentEdits({ source, params }: RequestMessage, changes: ArgumentChanges): Edit[] | string {
  if (!params) return [];
  const args = params.arguments;
  if (!args) {
    const added = addedMembers(new Map(), changes);
    const inside = params.start + 1;
    return added === "" ? [] : [{ start: inside, end: inside, text: `"arguments":{${added}},` }];
  }
  try {
    const { objects } = scanJson(source.parts(args.start, args.end), { watch: TOP_LEVEL });
    return editsWithin(args.start, objects[0]?.members ?? new Map(), changes);
  } catch (fault) {
    // The envelope was well formed, so the only possible fault is a duplicate key.
    if (fault instanceof JsonFault) return "Invalid params: an argument is given twice";
    throw fault;
  }
}

/** `offset` is where the arguments begin; the members' ranges are relative to it. */
function editsWithin(offset: number, given: ReadonlyMap<string, Member>, changes: ArgumentChanges): Edit[] | string {
  for (const [name, { toolkit }] of changes.fixed) {
    if (given.has(name)) return `Argument "${name.slice(0, MAX_LOGGED_NAME)}" is fixed by toolkit "${toolkit}"`;
  }
  const members = [...given].map(([name, member]) => ({ member, removed: changes.hidden.has(name) }));
  const lastKept = members.findLastIndex(({ removed }) => !removed);
  const added = addedMembers(given, changes);
  const inside = offset + 1;
  const comma = lastKept === -1 ? "" : ",";
  // The insertion comes first, because a removal can begin at the same byte.
  const edits: Edit[] = added === "" ? [] : [{ start: inside, end: inside, text: added + comma }];
  const remove = (start: number, end: number) => edits.push({ start: offset + start, end: offset + end, text: "" });
  for (const [at, { member, removed }] of members.entries()) {
    const next = members[at + 1];
    if (removed && at < lastKept && next) remove(member.keyStart, next.member.keyStart);
  }
  const firstOfEnd = members[lastKept + 1]?.member;
  const last = members.at(-1)?.member;
  if (firstOfEnd && last) remove(members[lastKept]?.member.end ?? firstOfEnd.keyStart, last.end);
  return edits;
}

/** Defaults for what the caller does not send or cannot send, and fixed arguments. */
function addedMembers(given: ReadonlyMap<string, unknown>, { fixed, defaults, hidden }: ArgumentChanges): string {
  const added: string[] = [];
  for (const [name, json] of defaults) {
    if (!fixed.has(name) && (!given.has(name) || hidden.has(name))) added.push(memberText(name, json));
  }
  for (const [name, { json }] of fixed) added.push(memberText(name, json));
  return added.join(",");
}

function memberText(name: string, json: string): string {
  return `${JSON.stringify(name)}:${json}`;
}
