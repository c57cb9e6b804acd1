import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { PLATFORMS, type Platform } from "#policy/types";
import { type Flags, UsageError } from "./settings.ts";

export const COMMANDS = [
  "scan",
  "report",
  "daemon",
  "enforce",
  "restore",
  "paths",
  "doctor",
  "version",
  "help",
] as const;
export type Command = (typeof COMMANDS)[number];

const OPTIONS = {
  json: { type: "boolean" },
  home: { type: "string" },
  platform: { type: "string" },
  "all-users": { type: "boolean" },
  project: { type: "string", multiple: true },
  "max-depth": { type: "string" },
  system: { type: "boolean" },
  "system-root": { type: "string" },
  "state-dir": { type: "string" },
  url: { type: "string" },
  email: { type: "string" },
  interval: { type: "string" },
  "dry-run": { type: "boolean" },
  all: { type: "boolean" },
  forget: { type: "boolean" },
  enforce: { type: "boolean" },
  "include-content": { type: "boolean" },
  "allow-http": { type: "boolean" },
  help: { type: "boolean", short: "h" },
  version: { type: "boolean" },
} as const;

export const HELP = `gatehouse-scan finds MCP servers, skills, agent memory and AI agents on this device.

Usage: gatehouse-scan <command> [options]

Commands
  scan       Scan and print what was found. Changes nothing and sends nothing
  report     Scan and send the report to the service. Kept on disk while the service is not reachable
  daemon     Report periodically. With --enforce, also enforce the policy
  enforce    Apply the policy: quarantine blocked MCP servers and skills, restore allowed ones
  restore    Restore quarantined items: restore <id> …, or restore --all
  paths      Print the paths that are read
  doctor     Check settings, connection and state
  version    Print the version

Options
  --json                 Print JSON
  --home DIR             Scan this home folder. System-wide files are not read without --system
  --platform NAME        darwin, linux or win32: use the paths of this system
  --all-users            Scan the home folders of all users
  --project DIR          Also scan this project folder. Can be repeated
  --max-depth N          How deep plugin folders are searched (6)
  --system               With --home: also read and write system-wide files
  --system-root DIR      Where system-wide paths start, such as a mounted disk
  --state-dir DIR        Where policy, quarantine and unsent reports are kept
  --url URL              URL of the service (GATEHOUSE_URL)
  --email EMAIL          Email of the device's user (GATEHOUSE_SCAN_EMAIL)
  --interval SECONDS     daemon: time between reports (3600, or as the service requests)
  --enforce              daemon: enforce the policy
  --dry-run              enforce, restore: print the changes and make none
  --forget               restore: drop the items with these IDs instead of restoring them
  --include-content      Also send SKILL.md of skills, with secrets removed
  --allow-http           Allow a service without TLS

The API token is read from GATEHOUSE_SCAN_TOKEN or the configuration file, never from a flag.

Exit codes: 0 nothing to report, 1 failure, 2 items with a warning, 3 blocked items, 64 wrong usage
`;

export interface ParsedArguments {
  readonly command: Command;
  readonly flags: Flags;
  readonly operands: readonly string[];
}

export function parseArguments(args: readonly string[]): ParsedArguments {
  const { values, positionals } = readOptions(args);
  const [name = values.version ? "version" : "help", ...operands] = positionals;
  const command = COMMANDS.find((each) => each === name);
  if (command === undefined) throw new UsageError(`Unknown command: ${name}. Run gatehouse-scan help.`);
  if (operands.length > 0 && command !== "restore") throw new UsageError(`Unexpected argument: ${operands[0]}`);
  return { command: values.help ? "help" : command, operands, flags: flagsOf(values) };
}

type Values = ReturnType<typeof readOptions>["values"];

function flagsOf(values: Values): Flags {
  const isSet = (name: BooleanOption) => values[name] === true;
  const folder = (path: string | undefined) => (path === undefined ? undefined : resolve(path));
  return {
    json: isSet("json"),
    home: folder(values.home),
    platform: platformOf(values.platform),
    allUsers: isSet("all-users"),
    projects: (values.project ?? []).map((path) => resolve(path)),
    maxDepth: numberOf("--max-depth", values["max-depth"], 0, 20) ?? 6,
    system: isSet("system"),
    systemRoot: folder(values["system-root"]),
    stateDir: folder(values["state-dir"]),
    url: values.url,
    email: values.email,
    interval: numberOf("--interval", values.interval, 1, 604_800),
    dryRun: isSet("dry-run"),
    all: isSet("all"),
    forget: isSet("forget"),
    enforce: isSet("enforce"),
    includeContent: isSet("include-content"),
    allowHttp: isSet("allow-http"),
  };
}

type BooleanOption =
  | "json"
  | "all-users"
  | "system"
  | "dry-run"
  | "all"
  | "forget"
  | "enforce"
  | "include-content"
  | "allow-http";

function readOptions(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], options: OPTIONS, allowPositionals: true });
  } catch (error) {
    // Without Node's advice about arguments that start with a hyphen.
    const [problem] = (error as Error).message.split(". To specify");
    throw new UsageError(`${problem}. Run gatehouse-scan help.`);
  }
}

function platformOf(name: string | undefined): Platform | undefined {
  const platform = PLATFORMS.find((each) => each === name);
  if (name !== undefined && platform === undefined) {
    throw new UsageError("--platform must be one of darwin, linux, win32");
  }
  return platform;
}

function numberOf(option: string, text: string | undefined, min: number, max: number): number | undefined {
  if (text === undefined) return undefined;
  const value = Number(text);
  if (!Number.isInteger(value) || value < min || value > max) {
    throw new UsageError(`${option} must be an integer from ${min} to ${max}`);
  }
  return value;
}
