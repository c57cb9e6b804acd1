/** The stored snapshot: kept up to date while the database is reachable, and used for a start while it is away. */
import { createHash } from "node:crypto";
import { join } from "node:path";
import type { Job } from "#jobs/runner";
import { parsePostgresUrl } from "#lib/postgres-url";
import { VERSION } from "#lib/version";
import type { PublishedKind } from "#publish/published-kind";
import { StoredSnapshot } from "#publish/stored-snapshot";
import type { Databases } from "#storage/database";
import type { Vault } from "#storage/vault";
import type { World } from "./app-shape.ts";

export const STORE_SNAPSHOT = "store-snapshot";
const MINUTE_MS = 60_000;
/** Storing reads every published record, so in a large organization with constant changes it must not run constantly. */
const PAUSE_PER_DURATION = 20;

/** Undefined if a process cannot start from it: with SQLite, without a gateway, or if the operator disabled it. */
export function storedSnapshotOf({ config, clock, logger }: World): StoredSnapshot | undefined {
  const { databaseUrl, role, snapshotMaxAgeMs, dataDir } = config;
  if (databaseUrl === undefined || role === "admin" || snapshotMaxAgeMs === 0) return undefined;
  return new StoredSnapshot({
    directory: join(dataDir, "snapshot"),
    release: VERSION,
    database: databaseId(databaseUrl),
    clock,
    logger,
  });
}

/** Without the password, which can be rotated. */
function databaseId(databaseUrl: string): string {
  const url = parsePostgresUrl(databaseUrl);
  return createHash("sha256").update(`${url?.host}${url?.pathname}${url?.search}`).digest("hex");
}

export interface StoreSnapshotNeeds {
  readonly databases: Databases;
  readonly kinds: readonly PublishedKind[];
  readonly vault: Vault;
}

export function storeSnapshotJob(
  { clock }: Pick<World, "clock">,
  stored: StoredSnapshot,
  { databases, kinds, vault }: StoreSnapshotNeeds,
): Job {
  let notBefore = Number.NEGATIVE_INFINITY;
  return {
    name: STORE_SNAPSHOT,
    everyMs: MINUTE_MS,
    atStart: true,
    oncePerOrganization: false,
    async run() {
      const startedAt = clock.monotonic();
      if (startedAt < notBefore) return;
      await stored.store(databases, kinds, vault);
      notBefore = clock.monotonic() + PAUSE_PER_DURATION * (clock.monotonic() - startedAt);
    },
  };
}
