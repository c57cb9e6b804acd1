import { DiskFull, nameFullDisk } from "#config/full-disk";
import { BUILT_IN_GUARDS } from "#guards/builtins";
import { offerSetup } from "#identity/set-up";
import { registerLocalServers } from "#local-servers/register-local-servers";
import { ensureBuiltInGuards } from "#records/guards";
import type { Databases } from "#storage/database";
import type { World } from "./app-shape.ts";
import { ensureFirstToken } from "./bootstrap-token.ts";
import type { Release } from "./read-release.ts";

export interface FirstRecords {
  readonly adminTokenFile: string | undefined;
  readonly setupToken: string | undefined;
  /** The operator's local servers, which must be synced. */
  readonly localServerIds: readonly string[];
}

/** Records that every start makes sure of: the first token, the setup link, the built-in guards, and the operator's local servers. */
export async function ensureFirstRecords(
  world: World,
  databases: Databases,
  { localServers }: Release,
): Promise<FirstRecords> {
  const { config, clock, newId, random } = world;
  const db = databases.main;
  const token = { db, clock, newId, random, dataDir: config.dataDir, given: config.bootstrapToken };
  const adminTokenFile = await ensureFirstToken(token);
  // The publisher has not started, so there is nothing to wait for.
  const setupContext = { databases, clock, newId, random, waitUntilPublished: async () => {} };
  const setupToken =
    config.role === "gateway" ? undefined : await offerSetup(setupContext).catch(ignoreFullDisk(world));
  if (config.role !== "gateway") {
    await ensureBuiltInGuards({ db, clock, newId }, BUILT_IN_GUARDS).catch(ignoreFullDisk(world));
  }
  const localServerIds = localServers ? await registerLocalServers({ db, clock, newId }, localServers) : [];
  return { adminTokenFile, setupToken, localServerIds };
}

/** A start on a full disk serves what it can; the next start stores what is missing. */
function ignoreFullDisk({ logger, config }: World): (error: unknown) => undefined {
  return (error) => {
    if (!(nameFullDisk(error, config.dataDir) instanceof DiskFull)) throw error;
    logger.error({ err: error }, "the first records could not be stored because the disk is full");
  };
}
