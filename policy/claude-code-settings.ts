/** The part of a policy that Claude Code can enforce itself, with its managed settings. */
import { canSatisfy, type DeniedTarget, reachesGateway } from "./claude-code-overlap.ts";
import { asTexts } from "./conditions.ts";
import type { Action, Policy, PolicyRule } from "./policy-types.ts";
import { REDACTED } from "./secrets/redact-text.ts";

/** An entry of `allowedMcpServers` or `deniedMcpServers`. */
export type ServerEntry =
  | { readonly serverName: string }
  | { readonly serverUrl: string }
  | { readonly serverCommand: readonly string[] };

export interface SettingsNeeds {
  readonly policy: Pick<Policy, "rules" | "always_allow_managed">;
  readonly gatewayUrls: readonly string[];
  /** Names of servers in Claude Code that the policy does not block. */
  readonly allowedNames: ReadonlySet<string>;
  /** Known command lines of the servers that a rule decided about. */
  readonly commandsOf: (ruleId: string) => readonly (readonly string[])[];
  readonly now: number;
}

export interface SettingsOfRules {
  readonly denied: readonly ServerEntry[];
  readonly allowed: readonly ServerEntry[];
  readonly skipped: readonly { readonly rule_id: string; readonly reason: string }[];
  /** Every rule that allows or warns is part of `allowed`. */
  readonly allowsAll: boolean;
}

const MOST_COMMANDS = 500;
const BY_COMMAND = ["package", "command", "fingerprint"];
const ALLOWS_OTHER_COMMANDS = "Claude Code can allow only complete command lines, and the rule allows others too";
/** In stored command lines, secrets and home folders are replaced, so these never match. */
const INCOMPLETE = /~(?:[/\\]|$)/;

/** Entries that would also deny what an earlier rule or the gateway allows are left out. */
export function settingsOfRules(needs: SettingsNeeds): SettingsOfRules {
  const rules = [...needs.policy.rules].sort((a, b) => a.position - b.position);
  const active = rules.filter((rule) => inactiveReason(rule, needs.now) === undefined);
  const expressed = rules.map((rule) => {
    const earlier = active.slice(0, Math.max(0, active.indexOf(rule))).filter(({ action }) => action !== "block");
    return { rule, ...express(rule, earlier, needs) };
  });
  const entriesOfAction = (action: Action) =>
    expressed.flatMap(({ rule, entries }) => (rule.action === action ? entries : []));
  return {
    denied: entriesOfAction("block"),
    allowed: entriesOfAction("allow"),
    skipped: expressed.flatMap(({ rule, reason }) => (reason === undefined ? [] : [{ rule_id: rule.id, reason }])),
    allowsAll: expressed.every(
      ({ rule, reason }) => rule.action === "block" || reason === undefined || !active.includes(rule),
    ),
  };
}

interface Expressed {
  readonly entries: readonly ServerEntry[];
  /** Why the rule, or a part of it, cannot be expressed. */
  readonly reason?: string | undefined;
}

function express(rule: PolicyRule, earlier: readonly PolicyRule[], needs: SettingsNeeds): Expressed {
  const inactive = inactiveReason(rule, needs.now);
  if (inactive !== undefined) return { entries: [], reason: inactive };
  if (rule.action === "warn") return { entries: [], reason: "Claude Code cannot warn" };
  const targets = targetsOf(rule, needs.commandsOf);
  if (typeof targets === "string") return { entries: [], reason: targets };
  if (rule.action === "allow") {
    // An allowlist of the known lines would deny the other lines that the rule allows.
    const reason = BY_COMMAND.some((name) => name in rule.match) ? ALLOWS_OTHER_COMMANDS : undefined;
    return { entries: targets.flatMap(entriesOf), reason };
  }
  const checked = targets.map((target) => ({ target, reason: overreach(target, earlier, needs) }));
  const usable = checked.filter(({ reason }) => reason === undefined);
  const reason = checked.find((each) => each.reason !== undefined)?.reason;
  return { entries: usable.flatMap(({ target }) => entriesOf(target)), reason };
}

/** Entries for the names of blocked servers, if no allowed server has the same name. */
export function deniedNames(names: readonly string[], allowedNames: ReadonlySet<string>): ServerEntry[] {
  const isUsable = (name: string) => !allowedNames.has(name) && !name.includes(REDACTED);
  return [...new Set(names)].filter(isUsable).map((serverName) => ({ serverName }));
}

function inactiveReason({ kind, enabled, expires_at: expires }: PolicyRule, now: number): string | undefined {
  if (!enabled) return "The rule is disabled";
  if (typeof expires === "string" && now >= Date.parse(expires)) return "The rule has expired";
  return kind === "mcp_server" ? undefined : "Claude Code has no setting for skills";
}

/** A text says why the rule cannot be expressed. */
function targetsOf({ id, match }: PolicyRule, commandsOf: SettingsNeeds["commandsOf"]): DeniedTarget[] | string {
  const [condition, ...others] = Object.keys(match);
  if (condition === undefined || others.length > 0) return "Claude Code supports only rules with one condition";
  if (condition === "name" || condition === "url" || condition === "host") {
    const values = asTexts(match[condition]);
    if (condition === "name" && values.some((value) => /[*?[\]{}]/.test(value)))
      return "Claude Code supports no patterns of names";
    if (values.some((value) => /[?[\]{}]/.test(value))) return "Claude Code supports only * in URLs";
    return values.map((value) => ({ by: condition, value }));
  }
  if (!BY_COMMAND.includes(condition)) return `Claude Code has no setting for the condition ${condition}`;
  const known = new Map(commandsOf(id).map((line) => [JSON.stringify(line), line]));
  const complete = [...known.values()].filter(
    (line) => !line.some((part) => part.includes(REDACTED) || INCOMPLETE.test(part)),
  );
  if (complete.length > MOST_COMMANDS) return "Too many different command lines";
  if (known.size > 0 && complete.length === 0)
    return "The known command lines contain secrets or home folders, which are not stored";
  return complete.map((line) => ({ by: "command", line }));
}

/** What else the entry would deny. */
function overreach(
  target: DeniedTarget,
  earlier: readonly PolicyRule[],
  { policy, gatewayUrls, allowedNames }: SettingsNeeds,
): string | undefined {
  const shown = target.by === "command" ? target.line.join(" ") : target.value;
  if (policy.always_allow_managed && reachesGateway(target, gatewayUrls))
    return `Claude Code would also deny this gateway: ${shown}`;
  const rule = earlier.find(({ match }) => Object.keys(match).length > 0 && canSatisfy(target, match, gatewayUrls));
  if (rule !== undefined) return `Claude Code would also deny what the rule "${rule.name}" does not block: ${shown}`;
  if (target.by === "name" && allowedNames.has(target.value))
    return `Claude Code would also deny a server that is not blocked and has the same name: ${shown}`;
  return undefined;
}

function entriesOf(target: DeniedTarget): ServerEntry[] {
  if (target.by === "command") return [{ serverCommand: target.line }];
  if (target.by === "name") return [{ serverName: target.value }];
  if (target.by === "url") return [{ serverUrl: target.value }];
  return ["https", "http"].map((scheme) => ({ serverUrl: `${scheme}://${target.value}/*` }));
}
