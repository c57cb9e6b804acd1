import { createHash } from "node:crypto";
import { resolveCommand, splitCommand } from "./command-identity.ts";
import { identityOf } from "./command-parts.ts";
import { REDACTED, redactArgs, redactCommand, redactText, shortenHome } from "./redact.ts";
import { looksRandom } from "./secrets/random-text.ts";
import type { ReportedServer, ServerPackage, ServerScope, Transport } from "./types.ts";
import { normalizeUrl } from "./urls.ts";

const MAX_NAME_LENGTH = 256;
const MAX_KEYS = 128;
const MAX_PATH_LENGTH = 1024;
const MAX_ROUNDS = 8;
/** Of a variable or a header, also `ProgramFiles(x86)`. */
const KEY_NAME = /^[\w!#$%&*+.^|~()-]+$/;

/** A server as a configuration file describes it, with its secrets. */
export interface RawServer {
  readonly name: string;
  readonly client: string;
  readonly scope: ServerScope;
  readonly transport: Transport;
  readonly command?: string | undefined;
  readonly args?: readonly string[] | undefined;
  readonly envKeys?: readonly string[];
  readonly headerKeys?: readonly string[];
  readonly url?: string | undefined;
  readonly enabled?: boolean;
  readonly configPath: string;
  readonly project?: string | undefined;
  readonly username?: string | undefined;
}

/** The item of a report: without secrets, with home folders shortened, and with its fingerprint. */
export function normalizeServer(raw: RawServer, homes: readonly string[] = []): ReportedServer {
  const target = raw.transport === "stdio" ? localTarget(raw, homes) : { url: settle(raw.url ?? "", normalizeUrl) };
  const described = {
    name: settle(raw.name, (name) => redactText(name, MAX_NAME_LENGTH)),
    client: raw.client,
    scope: raw.scope,
    transport: raw.transport,
    ...target,
    env_keys: keyNames(raw.envKeys),
    header_keys: keyNames(raw.headerKeys),
    enabled: raw.enabled ?? true,
    config_path: redactText(shortenHome(raw.configPath, homes), MAX_PATH_LENGTH),
    ...(raw.project !== undefined && { project: redactText(shortenHome(raw.project, homes), MAX_PATH_LENGTH) }),
    ...(raw.username !== undefined && { username: raw.username }),
  };
  const identified = { ...described, fingerprint: fingerprintOf(described) };
  return { ...identified, config_hash: configHash(identified) };
}

/** What a fingerprint depends on. The service computes it again from the reported fields. */
export interface FingerprintInput {
  readonly transport: Transport;
  readonly command?: string | undefined;
  readonly args?: readonly string[] | undefined;
  readonly url?: string | undefined;
}

/** Groups the same server over devices: `sha256:` and hexadecimal. */
export function fingerprintOf({ transport, command, args = [], url }: FingerprintInput): string {
  const identity =
    transport === "stdio" ? `stdio|${identityOf(command ?? "", args)}` : `remote|${normalizeUrl(url ?? "")}`;
  return sha256(identity);
}

/** The package that a reported server runs; undefined for remote servers and scripts. */
export function packageOf({ transport, command, args = [] }: FingerprintInput): ServerPackage | undefined {
  return transport === "stdio" ? resolveCommand(command ?? "", args).main.package : undefined;
}

export function configHash(server: Omit<ReportedServer, "config_hash">): string {
  const { name, client, scope, transport, command, args, env_keys, header_keys, url, enabled } = server;
  return sha256(JSON.stringify([name, client, scope, transport, command, args, env_keys, header_keys, url, enabled]));
}

function localTarget({ command = "", args = [] }: RawServer, homes: readonly string[]) {
  // Before the command line is split, because quotes can keep a value together.
  const line = splitCommand(redactCommand(command, homes), args);
  const [program = "", ...rest] = settle(line, (given) => redactLine(given, homes));
  const pkg = resolveCommand(program, rest).main.package;
  return { command: program, args: rest, ...(pkg && { package: pkg }) };
}

function redactLine([program = "", ...rest]: readonly string[], homes: readonly string[]): readonly string[] {
  return splitCommand(redactCommand(program, homes), redactArgs(rest, homes, program));
}

/** Repeats a step until it changes nothing, so that the service, which repeats it, gets the same result. */
function settle<T>(value: T, step: (value: T) => T): T {
  let current = value;
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const next = step(current);
    if (JSON.stringify(next) === JSON.stringify(current)) break;
    current = next;
  }
  return current;
}

function keyNames(keys: readonly string[] = []): readonly string[] {
  return [...new Set(keys.flatMap(keyName))].sort().slice(0, MAX_KEYS);
}

/** The name of a variable or a header without the value after `=` or `:`. Text that cannot be a name is left out. */
function keyName(key: string): readonly string[] {
  const name = redactText(key.trim(), MAX_NAME_LENGTH).split(/[=:\s]/, 1)[0] ?? "";
  if (looksRandom(name) || name === REDACTED) return [REDACTED];
  return KEY_NAME.test(name) ? [name] : [];
}

export function sha256(text: string | Uint8Array): string {
  return `sha256:${createHash("sha256").update(text).digest("hex")}`;
}
