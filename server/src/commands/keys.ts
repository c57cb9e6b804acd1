import { mkdirSync } from "node:fs";
import { dirname } from "node:path";
import { parseArgs } from "node:util";
import { readConfig } from "#config/config";
import { readWrappingKeys } from "#config/wrapping-keys";
import { systemClock } from "#lib/clock";
import { createIds } from "#lib/ids";
import { createLogger, type Logger } from "#lib/logger";
import { systemRandom } from "#lib/random";
import type { Databases } from "#storage/database";
import { createKeyFile } from "#storage/key-file";
import { openDatabases } from "#storage/open-databases";
import { hasVaultKeys } from "#storage/open-vault";
import { assertRequiredRows } from "#storage/required-rows";
import { assertNoUnfinishedRestore } from "#storage/unfinished-restore";
import type { WrappingKey } from "#storage/wrapping-key";
import { assertMigrated, mayHaveDatabase } from "./assert-database.ts";
import { BadUsage, readingArguments } from "./bad-usage.ts";
import { describeKeyStatus, readKeyStatus } from "./key-status.ts";
import { Progress } from "./progress.ts";
import { rotateKeys } from "./rotate-keys.ts";

const CANNOT_DECRYPT = 1;

/** Each verb returns the exit code. */
const VERBS: Readonly<Record<string, (args: string[]) => number | Promise<number>>> = { generate, status, rotate };

/** SEC-5: key rotation while the service runs. */
export async function keys([verb = "", ...args]: readonly string[]): Promise<void> {
  const run = Object.hasOwn(VERBS, verb) ? VERBS[verb] : undefined;
  if (!run) throw new BadUsage(verb === "" ? "Missing verb: status, generate, rotate" : `Unknown verb "${verb}"`);
  process.exitCode = await run(args);
}

function generate(args: string[]): number {
  const [path, ...more] = parsed({ args, options: {}, allowPositionals: true }).positionals;
  if (path === undefined || more.length > 0) throw new BadUsage("keys generate requires one path");
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const { id } = createKeyFile(path);
  process.stdout.write(`${id}\n`);
  process.stderr.write(`Created key file ${path}. Keep a copy in a safe place, apart from backups of the database.\n`);
  return 0;
}

async function status(args: string[]): Promise<number> {
  const { values } = parsed({ args, options: { output: { type: "string", short: "o" } } });
  if (values.output !== undefined && values.output !== "json" && values.output !== "table") {
    throw new BadUsage(`-o must be table or json, not "${values.output}"`);
  }
  const report = await withDatabase((databases, wrappingKeys) => readKeyStatus(databases?.main, wrappingKeys));
  process.stdout.write(values.output === "json" ? `${JSON.stringify(report, null, 2)}\n` : describeKeyStatus(report));
  return report.problems.length === 0 ? 0 : CANNOT_DECRYPT;
}

async function rotate(args: string[]): Promise<number> {
  const { values } = parsed({ args, options: { "data-keys": { type: "boolean" } } });
  return withDatabase(async (databases, wrappingKeys, { logger, progress }) => {
    if (!databases) {
      progress.report("Nothing to rotate: the database has no keys yet.");
      return 0;
    }
    await assertRequiredRows(databases);
    const newId = createIds(systemClock, systemRandom);
    const context = { db: databases.main, clock: systemClock, newId };
    const options = { dataKeys: values["data-keys"] ?? false, progress };
    const { unopened } = await rotateKeys(context, wrappingKeys, logger, options);
    return unopened === 0 ? 0 : CANNOT_DECRYPT;
  });
}

interface Messages {
  readonly logger: Logger;
  readonly progress: Progress;
}

/** Creates no database and no tables; passes undefined if there are none yet. */
async function withDatabase<Result>(
  work: (databases: Databases | undefined, keys: readonly WrappingKey[], messages: Messages) => Promise<Result>,
): Promise<Result> {
  const config = readConfig();
  const wrappingKeys = readWrappingKeys(config);
  // Stdout is for the output of the command.
  const progress = new Progress();
  const logger = createLogger(config.logLevel, progress);
  if (!mayHaveDatabase(config)) return work(undefined, wrappingKeys, { logger, progress });
  const databases = await openDatabases({ dataDir: config.dataDir, databaseUrl: config.databaseUrl, logger });
  try {
    await assertNoUnfinishedRestore(databases.main);
    const isInitialized = await hasVaultKeys(databases.main);
    if (isInitialized) await assertMigrated(databases);
    return await work(isInitialized ? databases : undefined, wrappingKeys, { logger, progress });
  } finally {
    progress.end();
    await databases.close();
  }
}

const parsed: typeof parseArgs = (options) => readingArguments(() => parseArgs(options));
