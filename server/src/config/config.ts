import { readFileSync } from "node:fs";
import { isIP } from "node:net";
import { availableParallelism } from "node:os";
import { join, resolve } from "node:path";
import { type AllowList, LOOPBACK_ALLOW, parseAllowList } from "#egress/address-rules";
import { BadSetting } from "#lib/bad-setting";
import type { DefaultProvider } from "#lib/default-provider";
import { isLoopbackName } from "#lib/loopback-name";
import { parsePostgresUrl } from "#lib/postgres-url";
import { isSlug } from "#lib/slug";
import type { SmtpSettings } from "#lib/smtp-settings";
import { readDefaultProvider } from "./agent-settings.ts";
import { SETTING_NAMES } from "./setting-list.ts";
import { readSmtpSettings } from "./smtp-settings.ts";
import { readTraceSettings, type TraceSettings } from "./trace-settings.ts";

/** All settings, validated. Only this module reads the environment. */
export interface Config {
  readonly host: string;
  readonly port: number;
  /** Undefined if no metrics are served. */
  readonly metricsPort: number | undefined;
  readonly metricsHost: string;
  readonly dataDir: string;
  readonly databaseUrl: string | undefined;
  /** 0: no snapshot is stored. */
  readonly snapshotMaxAgeMs: number;
  readonly baseUrl: string;
  readonly gatewayUrl: string;
  readonly orgName: string;
  readonly orgDomain: string;
  readonly bootstrapToken: string | undefined;
  /** Undefined: created in `dataDir`. */
  readonly keyFile: string | undefined;
  readonly previousKeyFile: string | undefined;
  /** The folder that log destinations of the kind `file` may write to. */
  readonly logFilesDir: string | undefined;
  readonly role: "all" | "admin" | "gateway";
  /** Processes that serve the port, started by a supervisor. Undefined: this process serves alone. */
  readonly workers: number | undefined;
  readonly egressAllow: AllowList;
  readonly trustedProxies: readonly string[];
  /** 0: no limit. */
  readonly connectionsPerAddress: number;
  /** GW-16: requests are rejected while the event loop is later than this. Infinity: no limit. */
  readonly maxEventLoopDelayMs: number;
  readonly registryUrl: string;
  readonly registrySync: "on" | "off";
  /** The operator's stdio servers. */
  readonly localServersFile: string | undefined;
  /** The environment variables that local servers inherit. */
  readonly localEnvironment: Readonly<Record<string, string>>;
  /** How long new requests are still accepted after SIGTERM. */
  readonly drainMs: number;
  readonly logLevel: string;
  /** Undefined if no email is sent. */
  readonly smtp: SmtpSettings | undefined;
  /** Undefined: each agent needs a provider. */
  readonly defaultProvider: DefaultProvider | undefined;
  /** Undefined if no traces are exported. */
  readonly traces: TraceSettings | undefined;
}

export type Environment = Readonly<Record<string, string | undefined>>;

/** Settings of the CLI and of the scan agent, which are ignored so that the service can be started from the same shell. */
const CLIENT_NAMES = new Set([
  "GATEHOUSE_URL",
  "GATEHOUSE_TOKEN",
  "GATEHOUSE_TOKEN_FILE",
  "GATEHOUSE_ACCESS_KEY",
  "GATEHOUSE_ACCESS_KEY_FILE",
  "GATEHOUSE_SCAN_TOKEN",
  "GATEHOUSE_SCAN_EMAIL",
]);
const PUBLIC_REGISTRY = "https://registry.modelcontextprotocol.io";
const LOG_LEVELS = ["fatal", "error", "warn", "info", "debug", "trace", "silent"];

/** Not ignored, because entries would silently no longer reach the operator's file (decision 0180). */
const AUDIT_FILE_REMOVED =
  "AUDIT_FILE is no longer supported. Remove it, set LOG_FILES_DIR, and create a log destination of the kind file for the audit log; see docs/guide/audit-log.md";

export function readConfig(environment: Environment = process.env): Config {
  const get = (name: string) => environment[name]?.trim() || undefined;
  rejectUnsupported(environment);
  const host = get("HOST") ?? "127.0.0.1";
  const port = readPort("PORT", get("PORT") ?? "8080");
  const databaseUrl = readDatabaseUrl(readSecret(environment, "DATABASE_URL"));
  const keyFile = get("GATEHOUSE_KEY_FILE");
  if (databaseUrl !== undefined && keyFile === undefined) {
    throw new BadSetting("DATABASE_URL requires GATEHOUSE_KEY_FILE, because all replicas need the same key");
  }
  const role = readChoice("GATEHOUSE_ROLE", get("GATEHOUSE_ROLE") ?? "all", ["all", "admin", "gateway"]);
  const baseUrl = readPublicUrl("BASE_URL", get("BASE_URL")) ?? `http://${hostInUrl(host)}:${port}`;
  const orgName = get("ORG_NAME") ?? "Gatehouse";
  const getSecret = (name: string) => readSecret(environment, name);
  return {
    host,
    port,
    ...readMetrics(get("METRICS_PORT"), get("METRICS_HOST")),
    dataDir: resolve(get("DATA_DIR") ?? "data"),
    databaseUrl,
    snapshotMaxAgeMs: readSnapshotMinutes(get("SNAPSHOT_MAX_AGE_MINUTES")) * 60_000,
    baseUrl,
    gatewayUrl: readPublicUrl("GATEWAY_URL", get("GATEWAY_URL")) ?? baseUrl,
    orgName,
    orgDomain: readDomain(get("ORG_DOMAIN") ?? "gatehouse.local"),
    bootstrapToken: readBootstrapToken(readSecret(environment, "GATEHOUSE_BOOTSTRAP_TOKEN")),
    keyFile,
    previousKeyFile: get("GATEHOUSE_PREVIOUS_KEY_FILE"),
    logFilesDir: get("LOG_FILES_DIR"),
    role,
    workers: readWorkers(get("WORKERS"), role),
    egressAllow: readAllowList(get("EGRESS_ALLOW") ?? defaultAllowList(host, baseUrl)),
    trustedProxies: readProxies(get("TRUSTED_PROXIES") ?? ""),
    connectionsPerAddress: readConnectionLimit(get("CONNECTIONS_PER_ADDRESS") ?? "2048"),
    maxEventLoopDelayMs: readEventLoopDelay(get("MAX_EVENT_LOOP_DELAY_MS")),
    ...readRegistry(get("REGISTRY_URL"), get("REGISTRY_SYNC")),
    localServersFile: get("LOCAL_SERVERS_FILE"),
    localEnvironment: inheritedVariables(environment),
    drainMs: readDrainSeconds(get("DRAIN_SECONDS")) * 1000,
    logLevel: readChoice("LOG_LEVEL", get("LOG_LEVEL") ?? "info", LOG_LEVELS),
    smtp: readSmtpSettings(get, getSecret, orgName),
    defaultProvider: readDefaultProvider(get, getSecret),
    traces: readTraceSettings(get, getSecret),
  };
}

/** Shorter names, such as HOST and PORT, are too similar to variables of other software. */
const SHORTEST_SETTING_WITH_TYPOS = 7;

/**
 * Variables without our prefix whose names are almost those of settings. Only warnings: they may belong to other software.
 * `didYouMean` returns an empty text for a name without a similar one. Values are never repeated.
 */
export function describeLikelyTypos(
  didYouMean: (name: string, known: Iterable<string>) => string,
  environment: Environment = process.env,
): string[] {
  const settings = [...SETTING_NAMES].filter((name) => name.length >= SHORTEST_SETTING_WITH_TYPOS);
  return Object.keys(environment).flatMap((name) => {
    if (SETTING_NAMES.has(name) || CLIENT_NAMES.has(name)) return [];
    const suggestion = didYouMean(name.toUpperCase(), settings);
    return suggestion === "" ? [] : [`${name} is not a setting, and is ignored${suggestion}`];
  });
}

/** An unknown variable with our prefix is a typo that must not be ignored. */
function rejectUnsupported(environment: Environment): void {
  const unknown = Object.keys(environment).find(
    (name) => name.startsWith("GATEHOUSE_") && !SETTING_NAMES.has(name) && !CLIENT_NAMES.has(name),
  );
  if (unknown !== undefined) throw new BadSetting(`${unknown} is not a setting; "gatehouse serve --help" lists them`);
  if (environment.AUDIT_FILE?.trim()) throw new BadSetting(AUDIT_FILE_REMOVED);
}

/** Contains no secrets. */
function inheritedVariables(environment: Environment): Record<string, string> {
  return Object.fromEntries(
    ["PATH", "HOME", "LANG"].flatMap((name) => {
      const value = environment[name];
      return value === undefined ? [] : [[name, value]];
    }),
  );
}

export function keyFileOf(config: Config): string {
  return config.keyFile ?? join(config.dataDir, "gatehouse.key");
}

export function isLoopback(host: string): boolean {
  return host === "localhost" || host === "::1" || /^127\.\d{1,3}\.\d{1,3}\.\d{1,3}$/.test(host);
}

/** A secret is set directly or, with the suffix `_FILE`, as the path of a file that contains it. */
function readSecret(environment: Environment, name: string): string | undefined {
  const value = environment[name]?.trim() || undefined;
  const path = environment[`${name}_FILE`]?.trim() || undefined;
  if (value !== undefined && path !== undefined) throw new BadSetting(`Set ${name} or ${name}_FILE, not both`);
  if (path === undefined) return value;
  try {
    return readFileSync(path, "utf8").trim() || undefined;
  } catch {
    throw new BadSetting(`${name}_FILE: cannot read ${path}`);
  }
}

function readPort(name: string, text: string): number {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN;
  if (!(port >= 0 && port <= 65_535)) throw new BadSetting(`${name} must be a number from 0 to 65535, not "${text}"`);
  return port;
}

function readMetrics(port: string | undefined, host = "127.0.0.1"): Pick<Config, "metricsPort" | "metricsHost"> {
  return { metricsPort: port === undefined ? undefined : readPort("METRICS_PORT", port), metricsHost: host };
}

function readDrainSeconds(text = "5"): number {
  const seconds = /^\d{1,3}$/.test(text) ? Number(text) : Number.NaN;
  if (!(seconds <= 300)) throw new BadSetting(`DRAIN_SECONDS must be a number from 0 to 300, not "${text}"`);
  return seconds;
}

const MAX_WORKERS = 64;

/** `auto` has a supervisor also on one core, so that SIGHUP does the same on every machine. */
function readWorkers(text: string | undefined, role: Config["role"]): number | undefined {
  if (text === undefined || text === "1") return undefined;
  const count =
    text === "auto" ? Math.min(availableParallelism(), MAX_WORKERS) : /^\d{1,2}$/.test(text) ? Number(text) : 0;
  if (count < 1 || count > MAX_WORKERS) {
    throw new BadSetting(`WORKERS must be auto or a number from 1 to ${MAX_WORKERS}, not "${text}"`);
  }
  if (role !== "admin") return count;
  if (text === "auto") return undefined;
  throw new BadSetting("WORKERS must be 1 with GATEHOUSE_ROLE=admin, because workers share the calls at /mcp");
}

function readSnapshotMinutes(text = "60"): number {
  const minutes = /^\d{1,2}$/.test(text) ? Number(text) : Number.NaN;
  if (!(minutes <= 60)) throw new BadSetting(`SNAPSHOT_MAX_AGE_MINUTES must be a number from 0 to 60, not "${text}"`);
  return minutes;
}

function readDatabaseUrl(text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  if (!/^postgres(?:ql)?:\/\//.test(text)) throw new BadSetting("DATABASE_URL must begin with postgres://");
  const hostname = parsePostgresUrl(text)?.hostname;
  if (hostname !== undefined && !hostname.includes(",")) return text;
  throw new BadSetting(
    "DATABASE_URL must be the URL of one Postgres server. In its password, / ? # @ and % must be percent-encoded",
  );
}

function readPublicUrl(name: string, text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  const url = URL.parse(text);
  if (!url || !/^https?:$/.test(url.protocol) || url.search || url.hash || url.username || url.password) {
    throw new BadSetting(`${name} must be an http or https URL such as https://gatehouse.example.com, not "${text}"`);
  }
  return url.href.replace(/\/+$/, "");
}

function readRegistry(url: string | undefined, sync = "on"): Pick<Config, "registryUrl" | "registrySync"> {
  return {
    registryUrl: readPublicUrl("REGISTRY_URL", url) ?? PUBLIC_REGISTRY,
    registrySync: readChoice("REGISTRY_SYNC", sync, ["on", "off"]),
  };
}

function readDomain(text: string): string {
  const labels = text.toLowerCase().split(".");
  if (labels.length > 1 && labels.every(isSlug)) return labels.join(".");
  throw new BadSetting(`ORG_DOMAIN must be a domain such as example.com, not "${text}"`);
}

function readBootstrapToken(token: string | undefined): string | undefined {
  if (token === undefined) return undefined;
  if (/^[\x21-\x7e]{24,512}$/.test(token) && !token.includes(":") && new Set(token).size >= 8) return token;
  throw new BadSetting(
    "GATEHOUSE_BOOTSTRAP_TOKEN must be at least 24 random characters, such as: openssl rand -hex 24",
  );
}

function readChoice<const Choice extends string>(name: string, text: string, choices: readonly Choice[]): Choice {
  const choice = choices.find((each) => each === text);
  if (choice === undefined) throw new BadSetting(`${name} must be one of ${choices.join(", ")}, not "${text}"`);
  return choice;
}

function readAllowList(text: string): AllowList {
  try {
    return parseAllowList(text);
  } catch (cause) {
    throw new BadSetting(`EGRESS_ALLOW: ${cause instanceof Error ? cause.message : "invalid"}`);
  }
}

/** A service that listens on loopback behind a proxy has a public URL, and its users must not reach the machine's ports. */
function defaultAllowList(host: string, baseUrl: string): string {
  const isLocal = isLoopback(host) && isLoopbackName(new URL(baseUrl).hostname);
  return isLocal ? LOOPBACK_ALLOW : "";
}

function readConnectionLimit(text: string): number {
  if (/^\d{1,6}$/.test(text)) return Number(text);
  throw new BadSetting(`CONNECTIONS_PER_ADDRESS must be a number from 0 to 999999, not "${text}"`);
}

/** Below 50 ms, an ordinary garbage collection would count as overload. */
function readEventLoopDelay(text = "500"): number {
  const delay = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN;
  if (delay === 0) return Number.POSITIVE_INFINITY;
  if (delay >= 50 && delay <= 60_000) return delay;
  throw new BadSetting(`MAX_EVENT_LOOP_DELAY_MS must be 0 or a number from 50 to 60000, not "${text}"`);
}

/** Only IP addresses and ranges, because trust must not depend on DNS. */
function readProxies(text: string): string[] {
  const entries = text
    .split(",")
    .map((entry) => entry.trim())
    .filter(Boolean);
  const invalid = entries.find((entry) => !isRange(entry));
  if (invalid === undefined) return entries;
  throw new BadSetting(`TRUSTED_PROXIES must list addresses or ranges such as 10.0.0.0/8, not "${invalid}"`);
}

function isRange(entry: string): boolean {
  const [address = "", bits, ...rest] = entry.split("/");
  const family = isIP(address);
  if (family === 0 || rest.length > 0) return false;
  return (
    bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) > 0 && Number(bits) <= (family === 4 ? 32 : 128))
  );
}

function hostInUrl(host: string): string {
  if (host === "0.0.0.0" || host === "::") return "localhost";
  return host.includes(":") ? `[${host}]` : host;
}
