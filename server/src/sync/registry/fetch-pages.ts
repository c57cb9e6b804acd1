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

/** For comparison: the public registry had about 20,000 servers, 200 pages, 30 MB. */
const LIMITS: RegistryLimits = {
  pages: 1_000,
  bytesPerPage: 2 * 1024 * 1024,
  bytes: 128 * 1024 * 1024,
  msPerPage: 30_000,
  ms: 10 * 60_000,
};
const SERVERS_PER_PAGE = 100; // the registry's maximum

export interface FetchPagesNeeds {
  readonly egress: Egress;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly registryUrl: string;
  readonly limits?: Partial<RegistryLimits>;
}

/** Yields all pages in sequence. Throws when a limit is exceeded or a page is invalid. */
export async function* fetchPages(needs: FetchPagesNeeds, since: number | undefined): AsyncGenerator<RegistryPage> {
  const { egress, clock, signal } = needs;
  const limits = { ...LIMITS, ...needs.limits };
  const startedAt = clock.monotonic();
  const seen = new Set<string>();
  let bytes = 0;
  for (let cursor: string | undefined; ; ) {
    const leftMs = limits.ms - (clock.monotonic() - startedAt);
    if (leftMs <= 0) throw new RegistryFault(`the sync took longer than ${limits.ms / 1000} s`);
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
    if (seen.has(cursor)) throw new RegistryFault("a page cursor repeats");
    seen.add(cursor);
    if (seen.size >= limits.pages) throw new RegistryFault(`more than ${limits.pages} pages`);
  }
}

function pageUrl(registryUrl: string, since: number | undefined, cursor: string | undefined): URL {
  const url = new URL(`${registryUrl}/v0.1/servers`);
  url.searchParams.set("version", "latest");
  url.searchParams.set("limit", String(SERVERS_PER_PAGE));
  if (since !== undefined) {
    url.searchParams.set("updated_since", new Date(since).toISOString());
    // Otherwise deleted entries would remain in the catalog.
    url.searchParams.set("include_deleted", "true");
  }
  if (cursor !== undefined) url.searchParams.set("cursor", cursor);
  return url;
}
