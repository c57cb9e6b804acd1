import type { Egress } from "#egress/egress";
import type { Clock } from "#lib/clock";
import { RegistryFault } from "./fault.ts";
import { type RegistryPage, readPage } from "./read-page.ts";

export interface RegistryLimits {
  readonly pages: number;
  readonly bytesPerPage: number;
  readonly bytes: number;
  readonly msPerPage: number;
  readonly ms: number;
}

/** The registry had some 20,000 servers when these were chosen: 200 pages, 30 MB. */
const LIMITS: RegistryLimits = {
  pages: 1_000,
  bytesPerPage: 2 * 1024 * 1024,
  bytes: 128 * 1024 * 1024,
  msPerPage: 30_000,
  ms: 10 * 60_000,
};
const SERVERS_PER_PAGE = 100; // the most that the registry gives

export interface FetchPagesNeeds {
  readonly egress: Egress;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly registryUrl: string;
  readonly limits?: Partial<RegistryLimits>;
}

/** Every page, one at a time, from the first to the last: whatever breaks a bound or a rule ends it with an error. */
export async function* fetchPages(needs: FetchPagesNeeds, since: number | undefined): AsyncGenerator<RegistryPage> {
  const { egress, clock, signal } = needs;
  const limits = { ...LIMITS, ...needs.limits };
  const startedAt = clock.monotonic();
  const seen = new Set<string>();
  let bytes = 0;
  for (let cursor: string | undefined; ; ) {
    const leftMs = limits.ms - (clock.monotonic() - startedAt);
    if (leftMs <= 0) throw new RegistryFault(`it took longer than ${limits.ms / 1000} s`);
    const { status, body } = await egress.request({
      method: "GET",
      url: pageUrl(needs.registryUrl, since, cursor),
      headers: { accept: "application/json", "user-agent": "gatehouse" },
      signal,
      maxBytes: Math.min(limits.bytesPerPage, limits.bytes - bytes),
      timeouts: { totalMs: Math.min(limits.msPerPage, leftMs) },
    });
    bytes += body.length;
    const page = readPage(status, body);
    yield page;
    cursor = page.nextCursor;
    if (cursor === undefined) return;
    if (seen.has(cursor)) throw new RegistryFault("its pages run in a circle");
    seen.add(cursor);
    if (seen.size >= limits.pages) throw new RegistryFault(`it has more than ${limits.pages} pages`);
  }
}

function pageUrl(registryUrl: string, since: number | undefined, cursor: string | undefined): URL {
  const url = new URL(`${registryUrl}/v0.1/servers`);
  url.searchParams.set("version", "latest");
  url.searchParams.set("limit", String(SERVERS_PER_PAGE));
  if (since !== undefined) {
    url.searchParams.set("updated_since", new Date(since).toISOString());
    // What was deleted since must be told, or it would stay with us.
    url.searchParams.set("include_deleted", "true");
  }
  if (cursor !== undefined) url.searchParams.set("cursor", cursor);
  return url;
}
