import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Running, startUpstream } from "../processes.ts";
import { type Seeded, type Size, seed } from "../seed.ts";

export const LARGE: Size = {
  servers: 10_000,
  toolsPerServer: 20,
  toolBytes: 690, // 750 with the rest of the definition
  users: 100_000,
  groups: 500,
  serversOfFirstUser: 10,
};
export const SMALL: Size = { ...LARGE, servers: 10, users: 100, groups: 5 };

export interface Installation extends Seeded {
  readonly upstream: Running;
  remove(): Promise<void>;
}

/** On SQLite, or on Postgres if its URL is given. */
export async function install(size: Size, databaseUrl?: string): Promise<Installation> {
  const upstream = await startUpstream(200);
  const dataDir = mkdtempSync(join(tmpdir(), "gatehouse-bench-"));
  const seeded = await seed(dataDir, `http://127.0.0.1:${upstream.port}/mcp`, size, databaseUrl);
  return {
    ...seeded,
    upstream,
    async remove() {
      await upstream.stop();
      rmSync(dataDir, { recursive: true });
    },
  };
}
