import { existsSync, readFileSync, renameSync } from "node:fs";
import { dirname } from "node:path";
import { parseArgs } from "node:util";
import { keyFileOf, readConfig } from "#config/config";
import { readWrappingKeys } from "#config/wrapping-keys";
import { systemClock } from "#lib/clock";
import { countOf } from "#lib/count-of";
import { createLogger } from "#lib/logger";
import { VERSION } from "#lib/version";
import { writeBackup } from "#storage/backup/write-backup";
import { openDatabases } from "#storage/open-databases";
import { assertUsable } from "#storage/open-vault";
import { assertRequiredRows } from "#storage/required-rows";
import { assertDatabaseFile, assertTables } from "./assert-database.ts";
import { BadUsage, readingArguments } from "./bad-usage.ts";
import { interruptible } from "./interruption.ts";
import { Progress } from "./progress.ts";

/** Copies a running installation into one file. Unless it is urgent, bin/gatehouse.mjs gives it the lowest priority. */
export async function backup(args: readonly string[]): Promise<void> {
  const { path, withKey, isUrgent } = readOptions(args);
  const config = readConfig();
  const keys = readWrappingKeys(config);
  // The file gets its name only when it is complete.
  const partial = `${path}.partial`;
  assertFree(path, partial);
  assertDatabaseFile(config);
  const progress = new Progress();
  const report = (line: string) => progress.report(line);
  const logger = createLogger(config.logLevel, progress);
  const databases = await openDatabases({ dataDir: config.dataDir, databaseUrl: config.databaseUrl, logger });
  try {
    await assertUsable(databases.main, keys);
    await assertTables(config, databases.main);
    await assertRequiredRows(databases);
    const key = withKey ? readFileSync(keyFileOf(config), "utf8").trim() : undefined;
    const onRows = (table: string, rows: number) => progress.update(`${table}: ${countOf(rows, "row")} so far`);
    const options = { path: partial, version: VERSION, now: systemClock.now(), key, isUrgent, report, onRows };
    const { manifest, tables, rows } = await interruptible("Interrupted. No backup was written.", (signal) =>
      writeBackup(databases, { ...options, signal }),
    );
    renameSync(partial, path);
    report(
      `Copied ${countOf(rows, "row")} of ${countOf(tables, "table")} to ${path}, up to audit entry ${manifest.audit.seq}.`,
    );
    report(
      withKey
        ? "The backup contains the key file: anyone who has it can read every secret. Store it encrypted."
        : `The backup does not contain the key file (${manifest.key_ids.join(", ")}). Keep a copy of it in another place.`,
    );
  } finally {
    progress.end();
    await databases.close();
  }
}

function assertFree(path: string, partial: string): void {
  if (!existsSync(dirname(path))) throw new BadUsage(`The folder ${dirname(path)} does not exist. Create it first`);
  if (existsSync(path)) throw new BadUsage(`${path} already exists, and backups are never overwritten`);
  if (existsSync(partial)) {
    throw new BadUsage(
      `${partial} exists. If no other backup is writing it, an earlier one was killed: delete the file`,
    );
  }
}

function readOptions(args: readonly string[]): { path: string; withKey: boolean; isUrgent: boolean } {
  const options = { "with-key": { type: "boolean" }, urgent: { type: "boolean" } } as const;
  const read = () => parseArgs({ args: [...args], options, allowPositionals: true });
  const { values, positionals } = readingArguments(read);
  const [path, ...more] = positionals;
  // Empty: a variable of a script that is not set.
  if (!path || more.length > 0) throw new BadUsage("backup requires one file");
  if (path === "-") throw new BadUsage("backup writes to a file, not to stdout");
  return { path, withKey: values["with-key"] ?? false, isUrgent: values.urgent ?? false };
}
