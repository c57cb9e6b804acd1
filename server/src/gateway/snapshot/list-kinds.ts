/** The lists that clients cache and receive change notifications for. Templates count as resources. */
export const LIST_KINDS = ["tools", "prompts", "resources"] as const;
export type ListKind = (typeof LIST_KINDS)[number];

const LIST_CHANGED = /^notifications\/(?:tools|prompts|resources)\/list_changed$/;

/** The list that a notification reports as changed; undefined for other notifications. */
export function changedList(method: string): ListKind | undefined {
  return LIST_CHANGED.test(method) ? LIST_KINDS.find((kind) => method.includes(`/${kind}/`)) : undefined;
}
