import { JsonFault, type Range } from "#lib/json/scan";
import { scanJson } from "#lib/json/scanner";
import type { Edit } from "#lib/json/splice";
import { watchPlan } from "#lib/json/watch-plan";
import type { RequestMessage } from "../envelope/read-request.ts";
import type { ArgumentChanges } from "../snapshot/shape.ts";

const TOP_LEVEL = watchPlan([[]]);

/** Edits that apply the changes to the caller's message. Undefined if an argument is given twice. */
export function argumentEdits({ source, params }: RequestMessage, changes: ArgumentChanges): Edit[] | undefined {
  if (!params) return [];
  const args = params.arguments;
  if (!args) {
    const added = [...new Map([...changes.defaults, ...changes.fixed])].map(memberText);
    const inside = params.start + 1;
    return added.length === 0 ? [] : [{ start: inside, end: inside, text: `"arguments":{${added.join(",")}},` }];
  }
  try {
    const { objects } = scanJson(source.parts(args.start, args.end), { watch: TOP_LEVEL });
    return editsWithin(args.start, objects[0]?.members ?? new Map(), changes);
  } catch (fault) {
    // The envelope was well formed, so the only possible fault is a duplicate key.
    if (fault instanceof JsonFault) return undefined;
    throw fault;
  }
}

/** `offset` is where the arguments begin; the members' ranges are relative to it. */
function editsWithin(
  offset: number,
  members: ReadonlyMap<string, Range>,
  { fixed, defaults }: ArgumentChanges,
): Edit[] {
  const edits: Edit[] = [];
  const added: string[] = [];
  for (const [name, json] of fixed) {
    const given = members.get(name);
    if (given) edits.push({ start: offset + given.start, end: offset + given.end, text: json });
    else added.push(memberText([name, json]));
  }
  for (const [name, json] of defaults) {
    if (!members.has(name) && !fixed.has(name)) added.push(memberText([name, json]));
  }
  const comma = members.size > 0 ? "," : "";
  if (added.length > 0) edits.push({ start: offset + 1, end: offset + 1, text: `${added.join(",")}${comma}` });
  return edits;
}

function memberText([name, json]: readonly [string, string]): string {
  return `${JSON.stringify(name)}:${json}`;
}
