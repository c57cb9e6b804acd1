import { isObject } from "#lib/is-object";
import { META_SUBSCRIPTION_ID } from "../../envelope/meta-keys.ts";
import type { UpstreamNotification } from "../../envelope/read-response.ts";
import { changedList, type ListKind } from "../../snapshot/list-kinds.ts";

const UPDATED = "notifications/resources/updated";
const ACKNOWLEDGED = "notifications/subscriptions/acknowledged";

/** A notification of an upstream about its lists or resources. */
export interface ListNotification {
  readonly changed: ListKind | undefined;
  /** The URI of a resource. */
  readonly updated: string | undefined;
  /** Modern: the notifications that the upstream agreed to send. */
  readonly granted: Readonly<Record<string, unknown>> | undefined;
  /** Modern: the id of the `subscriptions/listen` request. */
  readonly subscription: unknown;
}

/** Undefined when it is about something else. */
export function readListNotification({ method, params, source }: UpstreamNotification): ListNotification | undefined {
  const changed = changedList(method);
  if (!changed && method !== UPDATED && method !== ACKNOWLEDGED) return undefined;
  const parsed: unknown = params && JSON.parse(source.text(params)); // `readResponse` checked that it is well-formed
  const { uri, notifications, _meta } = isObject(parsed) ? parsed : {};
  return {
    changed,
    updated: method === UPDATED && typeof uri === "string" ? uri : undefined,
    granted: method !== ACKNOWLEDGED ? undefined : isObject(notifications) ? notifications : {},
    subscription: isObject(_meta) ? _meta[META_SUBSCRIPTION_ID] : undefined,
  };
}
