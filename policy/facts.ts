import { splitCommand } from "./command-identity.ts";
import { type CommandPart, partsOfCommand } from "./command-parts.ts";
import { isUnpinned } from "./package-spec.ts";
import type { ItemFacts, PartFacts, ServiceFacts } from "./policy-types.ts";
import { programName } from "./program-name.ts";
import { serverRisk, textRisk } from "./risk.ts";
import type { ReportedServer, ReportedSkill, ServerPackage } from "./types.ts";
import { hostOf, isManagedUrl, normalizeUrl } from "./urls.ts";

type ServerInput = Pick<ReportedServer, "name" | "transport" | "fingerprint"> &
  Partial<Pick<ReportedServer, "client" | "scope" | "command" | "args" | "url" | "env_keys">>;
type SkillInput = Pick<ReportedSkill, "name" | "digest" | "has_scripts" | "issues"> &
  Partial<Pick<ReportedSkill, "client" | "source">>;

/** The facts about a reported server. The package is derived from the command, whatever the report says. */
export function serverFacts(
  server: ServerInput,
  gatewayUrls: readonly string[],
  known: ServiceFacts = {},
): ItemFacts & { readonly risk: number } {
  const url = server.url === undefined ? undefined : normalizeUrl(server.url);
  const host = url === undefined ? undefined : hostOf(url);
  const { command = "", args = [], env_keys: variables } = server;
  const [main, ...also] = server.transport === "stdio" ? partsOfCommand(command, args, variables) : [];
  const pkg = main?.package;
  const managed = url !== undefined && isManagedUrl(url, gatewayUrls);
  const isKnown = Boolean(known.registered || known.in_registry);
  const [program] = server.command === undefined ? [] : splitCommand(command, args);
  return {
    kind: "mcp_server",
    name: server.name,
    url,
    host,
    command: program === undefined ? undefined : programName(program),
    transport: server.transport,
    fingerprint: server.fingerprint,
    client: server.client,
    scope: server.scope,
    ...(main ? factsOfPart(main) : { publishers: publishersOf(undefined, host) }),
    also: also.length > 0 ? also.map(factsOfPart) : undefined,
    managed,
    registered: known.registered,
    in_registry: known.in_registry,
    review_status: known.review_status,
    risk: known.risk ?? serverRisk({ ...server, package: pkg, managed, known: isKnown }).score,
  };
}

function factsOfPart({ package: pkg, programs }: CommandPart): PartFacts {
  const isPackage = pkg !== undefined && pkg.type !== "binary";
  return {
    package: isPackage ? `${pkg.type}:${pkg.name}` : undefined,
    starts: programs,
    publishers: publishersOf(pkg, undefined),
    unpinned: isPackage ? isUnpinned(pkg) : undefined,
  };
}

export function skillFacts(
  skill: SkillInput,
  skillDigests: readonly string[] | ReadonlySet<string>,
  known: ServiceFacts = {},
): ItemFacts & { readonly risk: number } {
  const managed = new Set(skillDigests).has(skill.digest);
  return {
    kind: "skill",
    name: skill.name,
    digest: skill.digest,
    client: skill.client,
    scope: skill.source,
    managed,
    registered: known.registered ?? managed,
    has_scripts: skill.has_scripts,
    review_status: known.review_status,
    risk: known.risk ?? textRisk({ ...skill, managed }).score,
  };
}

/** The npm scope, with and without `@`; the owner of an image, with and without its registry; the host. */
export function publishersOf(pkg: ServerPackage | undefined, host: string | undefined): readonly string[] | undefined {
  if (host !== undefined) return [host];
  if (pkg?.type === "npm") {
    const scope = /^@([^/]+)\//.exec(pkg.name)?.[1];
    return scope === undefined ? undefined : [`@${scope}`, scope];
  }
  if (pkg?.type !== "oci") return undefined;
  const segments = pkg.name.split("/").slice(0, -1);
  const [first = "", ...rest] = segments;
  const hasRegistry = first.includes(".") || first.includes(":") || first === "localhost";
  const owner = hasRegistry ? rest[0] : first;
  if (owner === undefined || owner === "") return hasRegistry ? [first] : undefined;
  return hasRegistry ? [owner, `${first}/${owner}`] : [owner];
}
