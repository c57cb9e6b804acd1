import { removeMembers } from "#lib/json/remove-members";
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
  const isKept = [...given.keys()].some((name) => !changes.hidden.has(name));
  const added = addedMembers(given, changes);
  const inside = offset + 1;
  const removed = removeMembers(given, (name) => changes.hidden.has(name));
  // The insertion comes first, because a removal can begin at the same byte.
  return [
    ...(added === "" ? [] : [{ start: inside, end: inside, text: added + (isKept ? "," : "") }]),
    ...removed.map(({ start, end, text }) => ({ start: offset + start, end: offset + end, text })),
  ];
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
