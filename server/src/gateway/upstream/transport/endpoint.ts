import type { Egress, Wire } from "#egress/egress";
import type { Clock } from "#lib/clock";
import type { ReadLane } from "#lib/read-pacer";
import type { UpstreamCredential } from "../../ports.ts";
import type { UpstreamEntry } from "../../snapshot/shape.ts";

/** Where an upstream is, and what every request to it needs. */
export interface Endpoint {
  readonly url: string;
  readonly origin: string;
  readonly path: string;
  readonly wire: () => Wire;
  readonly clock: Clock;
  /** For large messages of this upstream. */
  readonly lane: ReadLane;
  /** Returns the JSON-RPC id of the next request. */
  readonly nextId: () => number;
  /** Headers of every request, such as a credential, as a flat list of names and values. Replaced when the credential is renewed. */
  extraHeaders: readonly string[];
}

export interface EndpointOptions {
  readonly egress: Egress;
  readonly clock: Clock;
  readonly nextId: () => number;
}

export function createEndpoint(
  url: string,
  { egress, clock, nextId }: EndpointOptions,
  extraHeaders: readonly string[] = [],
): Endpoint {
  const { origin, pathname, search } = new URL(url);
  const place = { url, origin, path: pathname + search, wire: () => egress.wire(origin) };
  return { ...place, clock, lane: egress.pacer.lane(), nextId, extraHeaders };
}

/** Whether both entries lead to the same place with the same shared credential. */
export function isSameDestination(one: UpstreamEntry, other: UpstreamEntry): boolean {
  const [mine, others] = [one.headers ?? [], other.headers ?? []];
  return (
    one.url === other.url &&
    one.transport === other.transport &&
    mine.length === others.length &&
    mine.every((text, at) => text === others[at])
  );
}

/** A copy for one user: requests through it carry the user's credential. */
export function withCredential(endpoint: Endpoint, credential: UpstreamCredential | undefined): Endpoint {
  return credential ? { ...endpoint, extraHeaders: credential.headers } : endpoint;
}
