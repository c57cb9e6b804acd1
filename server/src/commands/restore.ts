import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { type Config, keyFileOf, readConfig } from "#config/config";
import { readWrappingKeys } from "#config/wrapping-keys";
import { systemClock } from "#lib/clock";
import { createLogger } from "#lib/logger";
import { verifyChain } from "#records/audit";
import { BadBackup, type Manifest } from "#storage/backup/archive";
import { assertEmpty, dropTables, restoreBackup, verifyBackup } from "#storage/backup/restore-backup";
import type { Databases } from "#storage/database";
import { openDatabases } from "#storage/open-databases";
import { openVault } from "#storage/open-vault";
import { BadUsage } from "./bad-usage.ts";
import { interruptible } from "./interruption.ts";

/** Restores a backup into an empty installation, on either database, and verifies the audit log. */
export async function restore(args: readonly string[]): Promise<void> {
  const [path, ...more] = args;
  if (path === undefined || more.length > 0 || path.startsWith("-")) throw new BadUsage("restore requires one file");
  const config = readConfig();
  const report = (line: string) => void process.stderr.write(`${line}\n`);
  report(`Verifying ${path}`);
  const manifest = await verifyBackup(path);
  assertKey(config, manifest);
  const logger = createLogger(config.logLevel, process.stderr);
  const databases = await openDatabases({
    dataDir: config.dataDir,
    databaseUrl: config.databaseUrl,
    logger,
    isService: true,
  });
  try {
    await assertEmpty(databases, config.databaseUrl === undefined ? config.dataDir : "The database");
    try {
      await interruptible("Interrupted. Nothing was restored.", (signal) =>
        restoreBackup(databases, path, manifest, { clock: systemClock, report, signal }),
      );
      await assertSameAudit(databases, config, manifest);
    } catch (error) {
      await dropTables(databases);
      throw error;
    }
    const where = config.databaseUrl === undefined ? config.dataDir : "Postgres";
    report(
      `Restored the state of ${manifest.created_at} into ${where}. The audit log is valid up to entry ${manifest.audit.seq}.`,
    );
  } finally {
    await databases.close();
  }
}

/** Without the key, the restored secrets could never be read. A key in the backup is used if there is no key file. */
function assertKey(config: Config, { key, key_ids: needed }: Manifest): void {
  const path = keyFileOf(config);
  if (key !== undefined && !existsSync(path)) {
    mkdirSync(config.dataDir, { recursive: true, mode: 0o700 });
    writeFileSync(path, `${key}\n`, { mode: 0o600, flag: "wx" });
  }
  const held = new Set(readWrappingKeys(config).map(({ id }) => id));
  const missing = needed.find((id) => !held.has(id));
  if (missing === undefined) return;
  throw new BadBackup(
    `The backup needs the key file ${missing}. Copy it to ${path}, or set GATEHOUSE_KEY_FILE to it, and try again.`,
  );
}

/** The last entry of the restored audit log must be the one of the backup, and every hash must be valid. */
async function assertSameAudit({ main }: Databases, config: Config, manifest: Manifest): Promise<void> {
  const needs = { clock: systemClock, logger: createLogger("silent") };
  const vault = await openVault(main, readWrappingKeys(config), needs);
  const { problem, last } = await verifyChain(main, vault);
  if (problem) throw new BadBackup(`The restored audit log is not valid: ${problem.message}`);
  if (last.seq !== manifest.audit.seq || last.hash !== manifest.audit.hash) {
    throw new BadBackup(`The restored audit log ends at entry ${last.seq}, not at entry ${manifest.audit.seq}.`);
  }
}
