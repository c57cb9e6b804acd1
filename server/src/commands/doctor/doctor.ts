import { parseArgs } from "node:util";
import { type Config, describeLikelyTypos, readConfig } from "#config/config";
import { systemClock } from "#lib/clock";
import { countOf } from "#lib/count-of";
import { readingArguments } from "../bad-usage.ts";
import type { CommandLine } from "../help.ts";
import { checkDatabase } from "./check-database.ts";
import { checkFiles } from "./check-files.ts";
import { checkNetwork } from "./check-network.ts";
import { checkWorkers } from "./check-workers.ts";
import { collect, type Finding, warning } from "./finding.ts";

const PROBLEMS = 1;
/** Of the longest name of a check, and two spaces. */
const CHECK_WIDTH = "Log destinations".length + 2;

/** Checks the settings and a running installation, and changes nothing. Invalid settings end it as they end `serve`. */
export async function doctor(args: readonly string[], { didYouMean }: CommandLine): Promise<void> {
  const { json } = readOptions(args);
  const config = readConfig();
  // Checks of the network can take seconds each, so each finding is printed as soon as it is known.
  const print = (finding: Finding) => void process.stdout.write(describe(finding));
  const findings = await collect(examine(config, describeLikelyTypos(didYouMean)), json ? undefined : print);
  process.stdout.write(json ? `${JSON.stringify({ findings }, null, 2)}\n` : summarize(findings));
  if (findings.some(({ status }) => status === "error")) process.exitCode = PROBLEMS;
}

/** `typos`: sentences about environment variables that may be misspelled settings. */
export async function* examine(config: Config, typos: readonly string[] = []): AsyncGenerator<Finding> {
  for (const typo of typos)
    yield warning("Settings", typo, "Correct the name. If other software uses it, ignore this.");
  yield* await checkFiles(config);
  yield* checkWorkers(config);
  yield* checkDatabase(config, systemClock);
  yield* checkNetwork(config);
}

function readOptions(args: readonly string[]): { json: boolean } {
  const read = () => parseArgs({ args: [...args], options: { json: { type: "boolean" } } });
  return { json: readingArguments(read).values.json ?? false };
}

function describe({ check, status, message, advice }: Finding): string {
  const head = `${status.padEnd(9)}${check.padEnd(CHECK_WIDTH)}`;
  return `${head}${message}\n${advice === null ? "" : `${" ".repeat(head.length)}→ ${advice}\n`}`;
}

function summarize(findings: readonly Finding[]): string {
  const count = (wanted: string) => findings.filter(({ status }) => status === wanted).length;
  const counts = [
    countOf(findings.length, "check"),
    ...["error", "warning"].map((status) => countOf(count(status), status)),
  ];
  return `\n${counts.join(", ")}\n`;
}
