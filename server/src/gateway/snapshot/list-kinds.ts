/** The lists that clients keep and are told about. Templates count as resources. */
export const LIST_KINDS = ["tools", "prompts", "resources"] as const;
export type ListKind = (typeof LIST_KINDS)[number];

const LIST_CHANGED = /^notifications\/(?:tools|prompts|resources)\/list_changed$/;

/** Which list a notification says has changed; undefined: it is another notification. */
export function changedList(method: string): ListKind | undefined {
  return LIST_CHANGED.test(method) ? LIST_KINDS.find((kind) => method.includes(`/${kind}/`)) : undefined;
}
