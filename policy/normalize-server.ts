import { createHash } from "node:crypto";
import { identifyCommand, splitCommand } from "./command-identity.ts";
import { redactArgs, redactText, shortenHome } from "./redact.ts";
import type { ReportedServer, ServerPackage, ServerScope, Transport } from "./types.ts";
import { normalizeUrl } from "./urls.ts";

const MAX_NAME_LENGTH = 256;
const MAX_KEYS = 128;

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
  const target = raw.transport === "stdio" ? localTarget(raw, homes) : { url: normalizeUrl(raw.url ?? "") };
  const described = {
    name: redactText(raw.name.slice(0, MAX_NAME_LENGTH)),
    client: raw.client,
    scope: raw.scope,
    transport: raw.transport,
    ...target,
    env_keys: keyNames(raw.envKeys),
    header_keys: keyNames(raw.headerKeys),
    enabled: raw.enabled ?? true,
    config_path: redactText(shortenHome(raw.configPath, homes)),
    ...(raw.project !== undefined && { project: redactText(shortenHome(raw.project, homes)) }),
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
    transport === "stdio"
      ? `stdio|${identifyCommand(command ?? "", args).identity}`
      : `remote|${normalizeUrl(url ?? "")}`;
  return sha256(identity);
}

/** The package that a reported server runs; undefined for remote servers and scripts. */
export function packageOf({ transport, command, args = [] }: FingerprintInput): ServerPackage | undefined {
  return transport === "stdio" ? identifyCommand(command ?? "", args).package : undefined;
}

export function configHash(server: Omit<ReportedServer, "config_hash">): string {
  const { name, client, scope, transport, command, args, env_keys, header_keys, url, enabled } = server;
  return sha256(JSON.stringify([name, client, scope, transport, command, args, env_keys, header_keys, url, enabled]));
}

function localTarget({ command = "", args = [] }: RawServer, homes: readonly string[]) {
  const [program = "", ...rest] = splitCommand(command, args);
  const safe = redactArgs(rest, homes);
  const pkg = identifyCommand(program, safe.args).package;
  return {
    command: redactText(shortenHome(program, homes)),
    args: safe.args,
    ...(pkg && { package: pkg }),
  };
}

function keyNames(keys: readonly string[] = []): readonly string[] {
  return [...new Set(keys.map((key) => redactText(key.slice(0, MAX_NAME_LENGTH))))].sort().slice(0, MAX_KEYS);
}

export function sha256(text: string | Uint8Array): string {
  return `sha256:${createHash("sha256").update(text).digest("hex")}`;
}
