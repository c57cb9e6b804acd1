import { JsonFault } from "#lib/json/scan";
import { scanJson } from "#lib/json/scanner";
import { watchPlan } from "#lib/json/watch-plan";
import type { View } from "../snapshot/view.ts";
import { toolListings } from "./tool-indexes.ts";

const TOP_LEVEL = watchPlan([[]]);
/** The members of a found tool. Others, such as output schemas, are for clients and not for models. */
const FOUND_MEMBERS = ["name", "title", "description", "inputSchema"];

/** The definitions at these positions of the view's tools, as the view lists them. */
export function definitionsAt(view: View, positions: readonly number[]): Buffer[] {
  const listings = toolListings(view);
  return positions.flatMap((position) => {
    let at = position;
    for (const { items, fragment } of listings) {
      const item = items[at];
      if (item) return [fragment.subarray(item.start, item.end)];
      at -= items.length;
    }
    return [];
  });
}

/** The definition that the view lists under a name. */
export function definitionOf(view: View, name: string): Buffer | undefined {
  const head = Buffer.from(`{"name":${JSON.stringify(name)}`);
  for (const { items, fragment } of toolListings(view)) {
    for (const { start, rest, end } of items) {
      const isNamed = rest - start === head.length && fragment.compare(head, 0, head.length, start, rest) === 0;
      if (isNamed) return fragment.subarray(start, end);
    }
  }
  return undefined;
}

/** What a model needs to call the tool, as JSON text with the server's bytes. */
export function foundTool(definition: Buffer): string {
  try {
    const members = scanJson([definition], { watch: TOP_LEVEL }).objects[0]?.members;
    const kept = FOUND_MEMBERS.flatMap((key) => {
      const member = members?.get(key);
      return member ? [`"${key}":${definition.toString("utf8", member.start, member.end)}`] : [];
    });
    return `{${kept.join(",")}}`;
  } catch (fault) {
    // Only a member that the server sent twice can fail here. The complete definition is then returned as it is listed.
    if (fault instanceof JsonFault) return definition.toString("utf8");
    throw fault;
  }
}
