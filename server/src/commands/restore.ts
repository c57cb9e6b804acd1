import { existsSync, mkdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { type Config, keyFileOf, readConfig } from "#config/config";
import { readWrappingKeys } from "#config/wrapping-keys";
import { systemClock } from "#lib/clock";
import { countOf } from "#lib/count-of";
import { createLogger } from "#lib/logger";
import { verifyChain } from "#records/audit";
import { BadBackup, type Manifest } from "#storage/backup/archive";
import { restoreBackup, verifyBackup } from "#storage/backup/restore-backup";
import { asOnlyRestore, claimTarget, clearTarget, completeTarget } from "#storage/backup/restore-target";
import type { Databases } from "#storage/database";
import { BadKeyFile } from "#storage/key-file";
import { openDatabases } from "#storage/open-databases";
import { openVault } from "#storage/open-vault";
import { assertRequiredRows } from "#storage/required-rows";
import { BadUsage, readingArguments } from "./bad-usage.ts";
import { interruptible } from "./interruption.ts";
import { Progress } from "./progress.ts";

/** Restores a backup into an empty installation, on either database, and verifies the audit log. */
export async function restore(args: readonly string[]): Promise<void> {
  const path = readPath(args);
  const config = readConfig();
  const progress = new Progress();
  try {
    await interruptible("Interrupted. Nothing was restored.", (signal) =>
      restoreFile(path, config, { progress, signal }),
    );
  } finally {
    progress.end();
  }
}

function readPath(args: readonly string[]): string {
  const { positionals } = readingArguments(() => parseArgs({ args: [...args], options: {}, allowPositionals: true }));
  const [path, ...more] = positionals;
  if (!path || more.length > 0) throw new BadUsage("restore requires one file");
  const stats = path === "-" ? undefined : statSync(path, { throwIfNoEntry: false });
  if (stats?.isDirectory()) throw new BadUsage(`${path} is a folder, not a backup`);
  // The checksums are verified before anything is written.
  if (path === "-" || (stats && !stats.isFile())) {
    throw new BadUsage("restore reads the backup several times, so it needs a file instead of stdin or a pipe");
  }
  return path;
}

interface Run {
  readonly progress: Progress;
  readonly signal: AbortSignal;
}

async function restoreFile(path: string, config: Config, run: Run): Promise<void> {
  const { progress, signal } = run;
  const report = (line: string) => progress.report(line);
  report(`Verifying ${path}`);
  const onRows = (table: string, rows: number) => progress.update(`Verifying ${table}: ${countOf(rows, "row")} so far`);
  const manifest = await verifyBackup(path, { signal, onRows });
  let removesKey = createKey(config, manifest);
  try {
    assertKey(config, manifest);
    await withTarget(config, progress, async (databases) => {
      await claimTarget(databases, config.databaseUrl === undefined ? config.dataDir : "The database", report);
      try {
        await fillTarget(databases, path, config, { ...run, manifest });
        removesKey = false;
      } catch (error) {
        const isEmpty = await emptied(databases, progress);
        // Without its key, a start would create another one next to data that is left.
        removesKey &&= isEmpty;
        throw error;
      }
    });
  } catch (error) {
    if (removesKey) rmSync(keyFileOf(config));
    throw error;
  }
  const where = config.databaseUrl === undefined ? config.dataDir : "Postgres";
  report(
    `Restored the state of ${manifest.created_at} into ${where}. The audit log is valid up to entry ${manifest.audit.seq}.`,
  );
}

async function withTarget(
  config: Config,
  progress: Progress,
  work: (databases: Databases) => Promise<void>,
): Promise<void> {
  const { dataDir, databaseUrl } = config;
  const logger = createLogger(config.logLevel, progress);
  const databases = await openDatabases({ dataDir, databaseUrl, logger, isService: true });
  try {
    await asOnlyRestore(databases, () => work(databases));
  } finally {
    await databases.close();
  }
}

interface Filling extends Run {
  readonly manifest: Manifest;
}

/** The target has a marker until it is complete, because this process can be killed. */
async function fillTarget(databases: Databases, path: string, config: Config, filling: Filling): Promise<void> {
  const { manifest, progress, signal } = filling;
  const report = (line: string) => progress.report(line);
  const onRows = (table: string, rows: number) => progress.update(`${table}: ${countOf(rows, "row")} so far`);
  await restoreBackup(databases, path, manifest, { clock: systemClock, report, onRows, signal });
  report(`Verifying the audit log up to entry ${manifest.audit.seq}`);
  await assertSameAudit(databases, config, filling);
  await assertRequiredRows(databases);
  await completeTarget(databases);
}

async function emptied(databases: Databases, progress: Progress): Promise<boolean> {
  try {
    await clearTarget(databases);
    return true;
  } catch {
    progress.report(
      "The incomplete data could not be deleted. Gatehouse does not start with it, and the next restore deletes it.",
    );
    return false;
  }
}

/** A key in the backup is used if there is no key file. Returns whether it created one. */
function createKey(config: Config, { key }: Manifest): boolean {
  const path = keyFileOf(config);
  if (key === undefined || existsSync(path)) return false;
  mkdirSync(config.dataDir, { recursive: true, mode: 0o700 });
  writeFileSync(path, `${key}\n`, { mode: 0o600, flag: "wx" });
  return true;
}

/** Without the key, the restored secrets could never be read. */
function assertKey(config: Config, { key_ids: needed }: Manifest): void {
  const isMissing = !existsSync(keyFileOf(config));
  const held = new Set(isMissing ? [] : readWrappingKeys(config).map(({ id }) => id));
  const missing = needed.find((id) => !held.has(id));
  if (missing === undefined) return;
  throw new BadKeyFile(
    `The backup needs the key file ${missing}. Copy it to ${keyFileOf(config)}, or set GATEHOUSE_KEY_FILE to it, and try again.`,
  );
}

/** The last entry of the restored audit log must be the one of the backup, and every hash must be valid. */
async function assertSameAudit(
  { main }: Databases,
  config: Config,
  { manifest, progress, signal }: Filling,
): Promise<void> {
  const needs = { clock: systemClock, logger: createLogger("silent") };
  const vault = await openVault(main, readWrappingKeys(config), needs);
  const { problem, last } = await verifyChain(main, vault, {
    onProgress(entries, total) {
      signal.throwIfAborted();
      progress.update(`Verified ${entries} of ${total} audit entries`);
    },
  });
  if (problem) throw new BadBackup(`The restored audit log is not valid: ${problem.message}`);
  if (last.seq !== manifest.audit.seq || last.hash !== manifest.audit.hash) {
    throw new BadBackup(`The restored audit log ends at entry ${last.seq}, not at entry ${manifest.audit.seq}.`);
  }
}
