import type { EffectivePolicy } from "#policy/policy-types";
import type { Report } from "#policy/types";
import { type Service, Unavailable } from "./service.ts";
import type { StateFolder } from "./state.ts";

const FILE = "policy.json";
/** An older policy is not enforced: an admin may have changed it since. */
export const MAX_AGE_MS = 7 * 24 * 3600 * 1000;

const DEVICE_FILE = "device.json";

/** The service can know a device under another ID, if two devices report the same one. */
export function rememberDevice(state: StateFolder, id: unknown): void {
  if (typeof id === "string" && id !== "") state.writeJson(DEVICE_FILE, { id });
}

export function deviceIdOf(state: StateFolder, { device }: Pick<Report, "device">): string {
  return state.readJson<{ id: string }>(DEVICE_FILE)?.id ?? device.id;
}

interface Cached {
  readonly policy: EffectivePolicy;
  readonly etag?: string;
  readonly confirmed_at: string;
}

export interface CurrentPolicy {
  readonly policy: EffectivePolicy;
  /** Since when the service did not confirm the policy, if that is too long ago to enforce it. */
  readonly staleSince: string | undefined;
  /** Why the stored policy is used instead of the service's. */
  readonly unavailable?: string;
}

/** Asks the service, and uses the stored policy while it is not reachable. Undefined if there is none. */
export async function currentPolicy(
  state: StateFolder,
  service: Service | undefined,
  deviceId: string,
  now: number,
): Promise<CurrentPolicy | undefined> {
  const cached = state.readJson<Cached>(FILE);
  if (service === undefined) return fromCache(cached, now);
  try {
    const fetched = await service.fetchPolicy(deviceId, cached?.etag);
    const policy = fetched?.policy ?? cached?.policy;
    if (policy === undefined) return undefined;
    const etag = fetched === undefined ? cached?.etag : fetched.etag;
    const next: Cached = { policy, ...(etag !== undefined && { etag }), confirmed_at: new Date(now).toISOString() };
    state.writeJson(FILE, next);
    return { policy, staleSince: undefined };
  } catch (error) {
    if (!(error instanceof Unavailable)) throw error;
    const current = fromCache(cached, now);
    return current && { ...current, unavailable: error.message };
  }
}

function fromCache(cached: Cached | undefined, now: number): CurrentPolicy | undefined {
  if (cached === undefined || cached.policy === undefined) return undefined;
  const confirmed = Date.parse(cached.confirmed_at);
  // A clock that was set back must not make a policy valid for longer.
  const isFresh = now - confirmed <= MAX_AGE_MS && confirmed - now <= MAX_AGE_MS;
  return { policy: cached.policy, staleSince: isFresh ? undefined : cached.confirmed_at };
}
