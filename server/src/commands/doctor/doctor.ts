import { parseArgs } from "node:util";
import { type Config, readConfig } from "#config/config";
import { systemClock } from "#lib/clock";
import { readingArguments } from "../bad-usage.ts";
import { checkDatabase } from "./check-database.ts";
import { checkFiles } from "./check-files.ts";
import { checkNetwork } from "./check-network.ts";
import { checkWorkers } from "./check-workers.ts";
import type { Finding } from "./finding.ts";

const PROBLEMS = 1;

/** Checks the settings and a running installation, and changes nothing. Invalid settings end it as they end `serve`. */
export async function doctor(args: readonly string[]): Promise<void> {
  const { json } = readOptions(args);
  const config = readConfig();
  const findings = await examine(config);
  process.stdout.write(json ? `${JSON.stringify({ findings }, null, 2)}\n` : describe(findings));
  if (findings.some(({ status }) => status === "error")) process.exitCode = PROBLEMS;
}

export async function examine(config: Config): Promise<Finding[]> {
  return [
    ...(await checkFiles(config)),
    ...checkWorkers(config),
    ...(await checkDatabase(config, systemClock)),
    ...(await checkNetwork(config)),
  ];
}

function readOptions(args: readonly string[]): { json: boolean } {
  const read = () => parseArgs({ args: [...args], options: { json: { type: "boolean" } } });
  return { json: readingArguments(read).values.json ?? false };
}

function describe(findings: readonly Finding[]): string {
  const width = Math.max(...findings.map(({ check }) => check.length)) + 2;
  const lines = findings.flatMap(({ check, status, message, advice }) => {
    const head = `${status.padEnd(9)}${check.padEnd(width)}`;
    return [`${head}${message}`, ...(advice === null ? [] : [`${" ".repeat(head.length)}→ ${advice}`])];
  });
  const count = (wanted: string) => findings.filter(({ status }) => status === wanted).length;
  return `${lines.join("\n")}\n\n${findings.length} checks, ${count("error")} errors, ${count("warning")} warnings\n`;
}
