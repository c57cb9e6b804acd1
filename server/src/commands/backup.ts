import { existsSync, readFileSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { type Config, keyFileOf, readConfig } from "#config/config";
import { readWrappingKeys } from "#config/wrapping-keys";
import { systemClock } from "#lib/clock";
import { createLogger } from "#lib/logger";
import { VERSION } from "#lib/version";
import { writeBackup } from "#storage/backup/write-backup";
import { openDatabases } from "#storage/open-databases";
import { assertWrappingKey, hasVaultKeys } from "#storage/open-vault";
import { BadUsage } from "./bad-usage.ts";

/** Copies a running installation into one file. bin/gatehouse.mjs gives it the lowest priority. */
export async function backup(args: readonly string[]): Promise<void> {
  const { path, withKey } = readOptions(args);
  const config = readConfig();
  const keys = readWrappingKeys(config);
  if (existsSync(path)) throw new BadUsage(`${path} already exists, and backups are never overwritten`);
  if (!hasDatabase(config)) throw new BadUsage("There is no database yet. Start Gatehouse once first");
  const report = (line: string) => void process.stderr.write(`${line}\n`);
  const logger = createLogger(config.logLevel, process.stderr);
  const databases = await openDatabases({ dataDir: config.dataDir, databaseUrl: config.databaseUrl, logger });
  // The file gets its name only when it is complete.
  const partial = `${path}.partial`;
  try {
    if (!(await hasVaultKeys(databases.main)))
      throw new BadUsage("There is no database yet. Start Gatehouse once first");
    await assertWrappingKey(databases.main, keys);
    const key = withKey ? readFileSync(keyFileOf(config), "utf8").trim() : undefined;
    const now = systemClock.now();
    const { manifest, tables, rows } = await writeBackup(databases, {
      path: partial,
      version: VERSION,
      now,
      key,
      report,
    });
    renameSync(partial, path);
    report(`Copied ${rows} rows of ${tables} tables to ${path}, up to audit entry ${manifest.audit.seq}.`);
    report(
      withKey
        ? "The backup contains the key file: anyone who has it can read every secret. Store it encrypted."
        : `The backup does not contain the key file (${manifest.key_ids.join(", ")}). Keep a copy of it in another place.`,
    );
  } finally {
    rmSync(partial, { force: true });
    await databases.close();
  }
}

function hasDatabase({ databaseUrl, dataDir }: Config): boolean {
  return databaseUrl !== undefined || existsSync(join(dataDir, "gatehouse.db"));
}

function readOptions(args: readonly string[]): { path: string; withKey: boolean } {
  try {
    const options = { "with-key": { type: "boolean" } } as const;
    const { values, positionals } = parseArgs({ args: [...args], options, allowPositionals: true });
    const [path, ...more] = positionals;
    if (path === undefined || more.length > 0) throw new BadUsage("backup requires one file");
    return { path, withKey: values["with-key"] ?? false };
  } catch (error) {
    throw error instanceof BadUsage ? error : new BadUsage(error instanceof Error ? error.message : String(error));
  }
}
