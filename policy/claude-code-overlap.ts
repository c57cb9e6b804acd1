/** What an entry of `deniedMcpServers` denies besides the servers that its rule blocks. There, denied entries always win. */
import { asTexts, CONDITION_NAMES, compileConditions, withoutLastSlash } from "./conditions.ts";
import { partsOf } from "./evaluate.ts";
import { serverFacts } from "./facts.ts";
import { globPattern, hostUrlPattern, overlap, type Pattern, pathPattern, textPattern } from "./glob-overlap.ts";
import { compileGlob } from "./globs.ts";
import { fingerprintOf } from "./normalize-server.ts";
import type { ItemFacts, RuleMatch } from "./policy-types.ts";
import { hostOf, normalizeUrl } from "./urls.ts";

/** What an entry denies: a name, URLs, the URLs of a host, or a command line. */
export type DeniedTarget =
  | { readonly by: "name"; readonly value: string }
  | UrlTarget
  | { readonly by: "command"; readonly line: readonly string[] };

interface UrlTarget {
  readonly by: "url" | "host";
  readonly value: string;
}

const CLIENT = "claude-code";
/** Conditions that a command line decides. */
const OF_COMMANDS = ["url", "host", "package", "command", "publisher", "transport", "fingerprint", "unpinned"];
/** Conditions that hold only for local servers, or never for servers. */
const NEVER_REMOTE = ["package", "command", "unpinned"];
const NEVER_SERVERS = ["digest", "has_scripts"];

/** Whether a server in Claude Code can be a target and satisfy all conditions. In doubt, it can. */
export function canSatisfy(target: DeniedTarget, match: RuleMatch, gatewayUrls: readonly string[]): boolean {
  return Object.entries(match).every(
    ([name, expected]) => expected === undefined || canHold(target, name, expected, gatewayUrls),
  );
}

export function reachesGateway(target: DeniedTarget, gatewayUrls: readonly string[]): boolean {
  if (target.by === "command" || target.by === "name") return false;
  return gatewayUrls.some((url) => {
    const gateway = normalizeUrl(url);
    if (target.by === "url") return overlap(urlPattern(target.value), pathPattern(gateway));
    return compileGlob(target.value)?.(hostOf(gateway) ?? "") ?? true;
  });
}

function canHold(target: DeniedTarget, name: string, expected: unknown, gatewayUrls: readonly string[]): boolean {
  if (!CONDITION_NAMES.includes(name as keyof RuleMatch) || NEVER_SERVERS.includes(name)) return false;
  if (name === "client") return asTexts(expected).some((client) => client.toLowerCase() === CLIENT);
  if (target.by === "command") return commandCanHold(target.line, name, expected);
  if (target.by === "name")
    return name !== "name" || overlapAny(textPattern(target.value), asTexts(expected), globPattern);
  if (name === "managed" && expected === true) return reachesGateway(target, gatewayUrls);
  return urlCanHold(target, name, asTexts(expected));
}

function urlCanHold({ by, value }: UrlTarget, name: string, expected: readonly string[]): boolean {
  if (NEVER_REMOTE.includes(name)) return false;
  if (name === "transport") return expected.some((transport) => transport.toLowerCase() !== "stdio");
  if (name === "url") return overlapAny(by === "url" ? urlPattern(value) : hostUrlPattern(value), expected, urlPattern);
  // The publisher of a remote server is its host.
  if (name !== "host" && name !== "publisher") return true;
  return by === "host"
    ? overlapAny(globPattern(value), expected, globPattern)
    : overlapAny(urlPattern(value), expected, hostUrlPattern);
}

function commandCanHold(line: readonly string[], name: string, expected: unknown): boolean {
  if (name === "managed") return expected !== true;
  if (!OF_COMMANDS.includes(name)) return true;
  const parts = partsOf(factsOfCommand(line));
  return compileConditions({ [name]: expected }).every(([, holds]) => parts.every((part) => holds(part, { now: 0 })));
}

function factsOfCommand([command = "", ...args]: readonly string[]): ItemFacts {
  const server = { transport: "stdio", command, args } as const;
  return serverFacts({ name: "", ...server, fingerprint: fingerprintOf(server) }, []);
}

function overlapAny(target: Pattern, globs: readonly string[], patternOf: (glob: string) => Pattern): boolean {
  // An invalid glob never matches.
  return globs.some((glob) => compileGlob(glob) !== undefined && overlap(target, patternOf(glob)));
}

function urlPattern(glob: string): Pattern {
  return globPattern(withoutLastSlash(glob));
}
