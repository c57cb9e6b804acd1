/** A deterministic estimate of how dangerous an item is: points per reason, at most 100. */
import { isScriptOption, isShell, resolveCommand, runsCode, splitCommand } from "./command-identity.ts";
import { partsOfCommand } from "./command-parts.ts";
import { HIDDEN_UNICODE } from "./issues.ts";
import { isUnpinned } from "./package-spec.ts";
import { programName } from "./program-name.ts";
import { REDACTED } from "./redact.ts";
import type { ServerPackage, Transport } from "./types.ts";

export const RISK_REASONS = {
  plain_http: { points: 30, label: "Remote server without TLS" },
  unpinned_package: { points: 15, label: "Package without an exact version" },
  privileged_container: { points: 40, label: "Container with access to the entire device" },
  secret_in_arguments: { points: 25, label: "Secret in the arguments or URL" },
  shell_wrapper: { points: 40, label: "Runs through a shell" },
  inline_code: { points: 40, label: "Runs code from its arguments" },
  unknown_publisher: { points: 10, label: "Unknown package or publisher" },
  hidden_unicode: { points: 50, label: "Hidden Unicode characters" },
  has_scripts: { points: 10, label: "Contains scripts" },
  not_managed: { points: 5, label: "Not managed by the gateway" },
} as const;
export type RiskReason = keyof typeof RISK_REASONS;

export interface Risk {
  readonly score: number;
  readonly reasons: readonly RiskReason[];
}

export interface ServerRiskInput {
  readonly transport: Transport;
  readonly command?: string | undefined;
  readonly args?: readonly string[] | undefined;
  readonly url?: string | undefined;
  readonly package?: ServerPackage | undefined;
  readonly managed?: boolean | undefined;
  /** Whether the server is registered here or in the public registry. */
  readonly known?: boolean | undefined;
}

export interface TextRiskInput {
  readonly issues: readonly string[];
  readonly has_scripts?: boolean | undefined;
  readonly managed?: boolean | undefined;
}

export function serverRisk({
  transport,
  command = "",
  args = [],
  url = "",
  managed,
  known,
  ...rest
}: ServerRiskInput): Risk {
  const reasons: RiskReason[] = [];
  const line = splitCommand(command, args);
  const isRemote = transport !== "stdio";
  if (isRemote && /^http:/i.test(url) && !isLoopback(url)) reasons.push("plain_http");
  const packages = isRemote ? [] : [rest.package, ...partsOfCommand(command, args).map((part) => part.package)];
  if (packages.some((each) => each && isUnpinned(each))) reasons.push("unpinned_package");
  if (!isRemote && isPrivileged(line)) reasons.push("privileged_container");
  if ([...args, url].some((text) => text.includes(REDACTED))) reasons.push("secret_in_arguments");
  if (!isRemote && usesShell(line)) reasons.push("shell_wrapper");
  else if (!isRemote && usesCode(command, args)) reasons.push("inline_code");
  if (!managed && !known) reasons.push("unknown_publisher");
  if (!managed) reasons.push("not_managed");
  return total(reasons);
}

/** Of skills and agent memory. */
export function textRisk({ issues, has_scripts, managed }: TextRiskInput): Risk {
  const reasons: RiskReason[] = [];
  if (issues.includes(HIDDEN_UNICODE)) reasons.push("hidden_unicode");
  if (has_scripts) reasons.push("has_scripts");
  if (managed === false) reasons.push("not_managed");
  return total(reasons);
}

function total(reasons: readonly RiskReason[]): Risk {
  return {
    score: Math.min(
      100,
      reasons.reduce((sum, reason) => sum + RISK_REASONS[reason].points, 0),
    ),
    reasons,
  };
}

function isLoopback(url: string): boolean {
  return /^http:\/\/(?:localhost|127(?:\.\d+){3}|\[::1\])(?=[:/]|$)/i.test(url);
}

/** Access to all devices, the root folder, or the socket of the container engine. */
function isPrivileged(line: readonly string[]): boolean {
  return line.some((arg, at) => {
    if (arg === "--privileged" || arg === "--privileged=true") return true;
    const [, inline] = /^(?:-v|--volume=|--mount=)(.+)$/.exec(arg) ?? [];
    const isOption = arg === "-v" || arg === "--volume" || arg === "--mount";
    const mount = isOption ? line[at + 1] : inline;
    return mount !== undefined && /^(?:\/:|\/,|.*\b(?:source|src)=\/(?:,|$)|.*docker\.sock)/.test(mount);
  });
}

function usesShell(line: readonly string[]): boolean {
  if (line.some((arg) => /\b(?:curl|wget|iwr)\b[^|]{0,2000}\|\s*(?:sudo\s+)?(?:ba|z)?sh\b/.test(arg))) return true;
  if (!isShell(programName(line[0] ?? ""))) return false;
  return line.slice(1).some(isScriptOption);
}

/** Also after wrappers, such as `env node -e code`. */
function usesCode(command: string, args: readonly string[]): boolean {
  const { programs, args: rest } = resolveCommand(command, args);
  return runsCode(programs.at(-1) ?? "", rest);
}
