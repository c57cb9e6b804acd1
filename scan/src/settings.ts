import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Platform } from "#policy/types";
import { type Fields, isFields } from "./discover/parse-config.ts";
import type { Environment } from "./environment.ts";
import { readManagedPreferences, readRegistrySettings } from "./system-commands.ts";

export class UsageError extends Error {}

/** Flags as given on the command line. */
export interface Flags {
  readonly json: boolean;
  readonly home: string | undefined;
  readonly platform: Platform | undefined;
  readonly allUsers: boolean;
  readonly projects: readonly string[];
  readonly maxDepth: number;
  readonly system: boolean;
  readonly systemRoot: string | undefined;
  readonly stateDir: string | undefined;
  readonly url: string | undefined;
  readonly email: string | undefined;
  readonly interval: number | undefined;
  readonly dryRun: boolean;
  readonly all: boolean;
  readonly forget: boolean;
  readonly enforce: boolean;
  readonly includeContent: boolean;
  readonly allowHttp: boolean;
}

export interface Settings {
  readonly platform: Platform;
  readonly home: string;
  readonly username: string;
  readonly url: string | undefined;
  readonly token: string | undefined;
  readonly email: string | null;
  readonly deviceId: string | undefined;
  readonly stateDir: string;
  /** Undefined: system-wide files are neither read nor written. */
  readonly systemRoot: string | undefined;
  readonly allUsers: boolean;
  readonly projects: readonly string[];
  readonly maxDepth: number;
  readonly interval: number | undefined;
  readonly enforce: boolean;
  readonly includeContent: boolean;
  readonly allowHttp: boolean;
  readonly moved: Readonly<Record<string, string>>;
  /** Where settings came from, for `doctor`. */
  readonly configFile: string;
}

/** Flags, then the environment, then settings of the device management, then the configuration file. */
export function resolveSettings(flags: Flags, environment: Environment): Settings {
  const platform = flags.platform ?? environment.platform;
  const isForeign = flags.home !== undefined;
  const home = flags.home ?? environment.home;
  const configFile = configPath(environment);
  const stored: Fields = isForeign ? {} : { ...readConfigFile(configFile), ...managedSettings(environment) };
  return {
    platform,
    home,
    username: isForeign ? nameOfFolder(home) : environment.username,
    url: firstOf(flags.url, environment.url, text(stored.url)),
    token: firstOf(environment.token, text(stored.token)),
    email: firstOf(flags.email, environment.email, text(stored.email)) ?? null,
    deviceId: text(stored.device_id),
    stateDir: flags.stateDir ?? text(stored.state_dir) ?? defaultStateDir(environment, home, isForeign),
    systemRoot: systemRootOf(flags, environment),
    allUsers: flags.allUsers || isTrue(stored.all_users),
    projects: flags.projects,
    maxDepth: flags.maxDepth,
    interval: flags.interval ?? (Number(stored.interval) || undefined),
    enforce: flags.enforce || isTrue(stored.enforce),
    includeContent: flags.includeContent || isTrue(stored.include_content),
    allowHttp: flags.allowHttp || isTrue(stored.allow_http),
    moved: isForeign || flags.allUsers ? {} : movedFolders(environment),
    configFile,
  };
}

function systemRootOf({ systemRoot, home, system }: Flags, { platform }: Environment): string | undefined {
  if (systemRoot !== undefined) return systemRoot;
  if (home !== undefined && !system) return undefined;
  return platform === "win32" ? "C:\\" : "/";
}

function nameOfFolder(path: string): string {
  return path.split(/[/\\]/).findLast((part) => part !== "") ?? "unknown";
}

function firstOf(...values: readonly (string | undefined)[]): string | undefined {
  return values.find((value) => value !== undefined);
}

export function configPath({ platform, programData }: Environment): string {
  if (platform === "darwin") return "/Library/Application Support/gatehouse-scan/config.json";
  if (platform === "win32") return join(programData ?? "C:\\ProgramData", "gatehouse-scan", "config.json");
  return "/etc/gatehouse-scan/config.json";
}

function readConfigFile(path: string): Fields {
  let source: string;
  try {
    source = readFileSync(path, "utf8");
  } catch {
    return {};
  }
  try {
    const value: unknown = JSON.parse(source);
    if (isFields(value)) return value;
  } catch {}
  throw new UsageError(`${path} is not a JSON object. Fix it, or remove it.`);
}

function managedSettings({ platform }: Environment): Fields {
  if (platform === "win32") return readRegistrySettings();
  if (platform !== "darwin") return {};
  try {
    const value: unknown = JSON.parse(readManagedPreferences());
    return isFields(value) ? value : {};
  } catch {
    return {};
  }
}

function defaultStateDir({ platform, isRoot, programData }: Environment, home: string, isForeign: boolean): string {
  if (!isForeign && platform === "win32") return join(programData ?? "C:\\ProgramData", "gatehouse-scan", "state");
  if (!isForeign && isRoot)
    return platform === "darwin" ? "/Library/Application Support/gatehouse-scan/state" : "/var/lib/gatehouse-scan";
  return join(home, ".local", "state", "gatehouse-scan");
}

function movedFolders({ configHome, claudeConfig, codexHome }: Environment): Record<string, string> {
  return {
    ...(configHome !== undefined && { XC: configHome }),
    ...(claudeConfig !== undefined && {
      "~/.claude": claudeConfig,
      "~/.claude.json": join(claudeConfig, ".claude.json"),
    }),
    ...(codexHome !== undefined && { "~/.codex": codexHome }),
  };
}

function text(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}

/** The registry and profiles store numbers. */
function isTrue(value: unknown): boolean {
  return value === true || value === 1 || /^(?:true|1|0x1)$/i.test(String(value));
}
