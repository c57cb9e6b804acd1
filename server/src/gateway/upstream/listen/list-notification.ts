import { isObject } from "#lib/is-object";
import { META_SUBSCRIPTION_ID } from "../../envelope/meta-keys.ts";
import type { UpstreamNotification } from "../../envelope/read-response.ts";
import { changedList, type ListKind } from "../../snapshot/list-kinds.ts";

const UPDATED = "notifications/resources/updated";
const ACKNOWLEDGED = "notifications/subscriptions/acknowledged";

/** What an upstream says by itself of its lists and resources. */
export interface ListNotification {
  readonly changed: ListKind | undefined;
  /** The address of a resource. */
  readonly updated: string | undefined;
  /** Modern: what of our wishes it grants. */
  readonly granted: Readonly<Record<string, unknown>> | undefined;
  /** Modern: the id of the request in which we asked for it. */
  readonly subscription: unknown;
}

/** Undefined: it is about something else. */
export function readListNotification({ method, params, source }: UpstreamNotification): ListNotification | undefined {
  const changed = changedList(method);
  if (!changed && method !== UPDATED && method !== ACKNOWLEDGED) return undefined;
  const given: unknown = params && JSON.parse(source.text(params)); // the reader has found it well formed
  const { uri, notifications, _meta } = isObject(given) ? given : {};
  return {
    changed,
    updated: method === UPDATED && typeof uri === "string" ? uri : undefined,
    granted: method !== ACKNOWLEDGED ? undefined : isObject(notifications) ? notifications : {},
    subscription: isObject(_meta) ? _meta[META_SUBSCRIPTION_ID] : undefined,
  };
}
