import { readFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { CheckpointShape, presentVerification } from "#api/audit/verify-audit";
import { readConfig } from "#config/config";
import { readWrappingKeys } from "#config/wrapping-keys";
import { systemClock } from "#lib/clock";
import { countOf } from "#lib/count-of";
import { createLogger } from "#lib/logger";
import { type Checkpoint, countUnchained, type VerifiedChain, verifyChain } from "#records/audit";
import { openDatabases } from "#storage/open-databases";
import { assertUsable, openVault } from "#storage/open-vault";
import { assertDatabaseFile, assertTables } from "./assert-database.ts";
import { BadUsage, readingArguments } from "./bad-usage.ts";
import { Progress } from "./progress.ts";

const BROKEN = 1;

/** Verifies the audit log on the data, without the API. Exits with 1 if there is a problem. */
export async function auditVerify(args: readonly string[]): Promise<void> {
  const { checkpoint, json } = readOptions(args);
  const config = readConfig();
  assertDatabaseFile(config);
  const keys = readWrappingKeys(config);
  const progress = new Progress();
  const logger = createLogger(config.logLevel, progress);
  const databases = await openDatabases({ dataDir: config.dataDir, databaseUrl: config.databaseUrl, logger });
  try {
    await assertUsable(databases.main, keys);
    await assertTables(config, databases.main);
    const vault = await openVault(databases.main, keys, { clock: systemClock, logger });
    const shipped = checkpoint === undefined ? undefined : readCheckpointFile(checkpoint);
    const onProgress = (verified: number, total: number) =>
      progress.update(`Verified ${verified} of ${countOf(total, "entry", "entries")} so far`);
    const found = await verifyChain(databases.main, vault, { shipped, onProgress });
    const unchained = await countUnchained(databases.main);
    progress.end();
    process.stdout.write(
      json ? `${JSON.stringify(presentVerification(found, unchained), null, 2)}\n` : describe(found, unchained),
    );
    if (found.problem) process.exitCode = BROKEN;
  } finally {
    progress.end();
    await databases.close();
  }
}

function readOptions(args: readonly string[]): { checkpoint: string | undefined; json: boolean } {
  const options = { checkpoint: { type: "string" }, output: { type: "string", short: "o" } } as const;
  const { values } = readingArguments(() => parseArgs({ args: [...args], options }));
  if (values.output !== undefined && values.output !== "json" && values.output !== "table") {
    throw new BadUsage(`-o must be table or json, not "${values.output}"`);
  }
  return { checkpoint: values.checkpoint, json: values.output === "json" };
}

/** The file contains one checkpoint, or is a file of a log destination with checkpoints among other lines. */
function readCheckpointFile(path: string): Checkpoint[] {
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch {
    throw new BadUsage(`Cannot read ${path}`);
  }
  const whole = parse(text);
  const found = whole ? [whole] : text.split("\n").flatMap((line) => parse(line) ?? []);
  if (found.length === 0) {
    throw new BadUsage(
      `${path} contains no checkpoint. Use the output of gatehouse audit checkpoint, or a file that a log destination wrote.`,
    );
  }
  return found;
}

function parse(text: string): Checkpoint | undefined {
  if (!text.includes('"signature"')) return undefined;
  try {
    return CheckpointShape.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}

function describe({ problem, entries, firstSeq, last, checkpoints }: VerifiedChain, unchained: number): string {
  if (problem) {
    const upTo =
      last.seq < firstSeq ? "No entry before it was verified." : `Entries ${firstSeq} to ${last.seq} are unchanged.`;
    return `The audit log is not valid. ${problem.message}\n${upTo}\n`;
  }
  if (entries === 0) return "The audit log has no entries.\n";
  const time = last.at === null ? "" : ` (${new Date(last.at).toISOString()})`;
  const valid = `The audit log is valid: entries ${firstSeq} to ${last.seq}${time}, ${countOf(checkpoints, "checkpoint")}.\nLast entry: ${last.id} ${last.hash}\n`;
  if (unchained === 0) return valid;
  const which = unchained === 1 ? "1 entry is" : `${unchained} entries are`;
  return `${valid}${which} not verified: no position in the chain. The running service adds such entries every minute.\n`;
}
