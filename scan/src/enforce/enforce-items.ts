import type { EffectivePolicy } from "#policy/policy-types";
import { redactText } from "#policy/redact";
import type { EnforcementOutcome, ReportedEnforcement, ReportedServer, ReportedSkill } from "#policy/types";
import { Decider } from "../decide.ts";
import type { DecidedItem } from "../decisions.ts";
import { printError } from "../output.ts";
import type { Settings } from "../settings.ts";
import type { StateFolder } from "../state.ts";
import { showNotification } from "../system-commands.ts";
import { realPathOf } from "./config-file.ts";
import { deniedServers, type KnownServers, writeManagedSettings } from "./managed-settings.ts";
import { addNotices } from "./notices.ts";
import { itemsOf, Quarantine, type QuarantinedItem, type QuarantinedServer } from "./quarantine.ts";
import { realFileOf, restoreServers, versionOf } from "./restore-servers.ts";
import { EnforcementResults, keyOfResult } from "./results.ts";
import { type BlockedServer, quarantineServers, unsupported } from "./servers.ts";
import { quarantineSkill, restoreSkill, skillPathOf } from "./skills.ts";

const OTHER_VERSION =
  "the file has another entry with this name, so this one stays in quarantine. Remove or rename the other one to restore it";

type BlockedSkill = Extract<DecidedItem, { readonly kind: "skill" }>;

export interface EnforceContext {
  readonly settings: Settings;
  readonly state: StateFolder;
  readonly policy: EffectivePolicy;
  readonly items: readonly DecidedItem[];
  readonly now: number;
}

/** Quarantines what is blocked, restores what is not blocked anymore, and notifies. One failure does not stop the others. */
export function enforceItems({ settings, state, policy, items, now }: EnforceContext): ReportedEnforcement[] {
  const quarantine = new Quarantine(state);
  const at = new Date(now).toISOString();
  const allowed = restorable(quarantine, policy, settings, now);
  const restored = restoreItems(quarantine, allowed, at);
  const results = [...restored, ...quarantineAll(quarantine, settings, items, at)];
  new EnforcementResults(state).add(results);
  const found = items.filter(({ decision }) => decision.action !== "block").map(({ found }) => found);
  const known = { allowed: serversOf([...found, ...allowed]), blocked: serversOf(quarantine.list()) };
  updateManagedSettings(settings, policy, known, now);
  for (const { text } of addNotices(state, items, at))
    if (policy.notify_users) showNotification(settings.platform, text);
  return results;
}

/** Items of the quarantine that the policy does not block anymore. An entry stays while one of its servers is blocked. */
export function restorable(
  quarantine: Quarantine,
  policy: EffectivePolicy,
  { platform }: Settings,
  now: number,
): QuarantinedItem[] {
  const decider = new Decider(policy, platform, now);
  const isAllowed = (quarantined: QuarantinedItem) =>
    itemsOf(quarantined).every((item) => {
      const decision = "fingerprint" in item ? decider.decideServer(item) : decider.decideSkill(item);
      return decision.action !== "block";
    });
  const items = quarantine.list();
  const blocked = items.filter((each) => !isAllowed(each));
  const staying = new Set(blocked.flatMap((each) => (each.kind === "mcp_server" ? [versionOf(each)] : [])));
  return items.filter((each) => isAllowed(each) && (each.kind === "skill" || !staying.has(versionOf(each))));
}

/** Restores items, the servers of a file together. */
export function restoreItems(
  quarantine: Quarantine,
  items: readonly QuarantinedItem[],
  at: string,
  createsFiles = false,
): ReportedEnforcement[] {
  const servers = items.filter((each): each is QuarantinedServer => each.kind === "mcp_server");
  const results = [...groupBy(servers, realFileOf).values()].flatMap((group) =>
    restoreFile(quarantine, group, at, createsFiles),
  );
  for (const each of items) {
    if (each.kind === "skill")
      results.push(...outcomesOf(itemsOf(each), "restored", at, () => restoreSkill(quarantine, each)));
  }
  return results;
}

function restoreFile(
  quarantine: Quarantine,
  group: readonly QuarantinedServer[],
  at: string,
  createsFile: boolean,
): ReportedEnforcement[] {
  const items = group.map(({ item }) => item);
  let staying: ReadonlySet<ReportedServer> = new Set();
  const results = outcomesOf(items, "restored", at, () => {
    staying = new Set(restoreServers(quarantine, group, createsFile).map(({ item }) => item));
  });
  return items.flatMap((item, index) =>
    staying.has(item) ? outcome(item, "failed", at, OTHER_VERSION) : (results[index] ?? []),
  );
}

function quarantineAll(
  quarantine: Quarantine,
  settings: Settings,
  items: readonly DecidedItem[],
  at: string,
): ReportedEnforcement[] {
  const blocked = items.filter(({ decision }) => decision.action === "block");
  const servers = blocked.flatMap((each): BlockedServer[] => (each.kind === "mcp_server" ? [each] : []));
  const results: ReportedEnforcement[] = [];
  const editable = servers.filter(({ found }) => {
    const reason = unsupported(found);
    if (reason !== undefined) results.push(outcome(found.item, "failed", at, reason));
    return reason === undefined;
  });
  for (const group of groupBy(editable, ({ found }) => realPathOf(found.origin)).values()) {
    results.push(
      ...outcomesOf(
        group.map(({ found }) => found.item),
        "quarantined",
        at,
        () => quarantineServers(quarantine, group, at),
      ),
    );
  }
  const skills = blocked.flatMap((each): BlockedSkill[] => (each.kind === "skill" ? [each] : []));
  for (const [first, ...others] of groupBy(skills, ({ found }) => skillPathOf(found)).values()) {
    if (first === undefined) continue;
    const found = [first.found, ...others.map((each) => each.found)] as const;
    results.push(
      ...outcomesOf(
        found.map(({ item }) => item),
        "quarantined",
        at,
        () => quarantineSkill(quarantine, settings.stateDir, found, first.decision, at),
      ),
    );
  }
  return results.map((result) =>
    result.result === "quarantined" ? { ...result, count: quarantine.count(keyOfResult(result)) } : result,
  );
}

function outcomesOf(
  items: readonly (ReportedServer | ReportedSkill)[],
  result: EnforcementOutcome,
  at: string,
  action: () => void,
): ReportedEnforcement[] {
  try {
    action();
    return items.map((item) => outcome(item, result, at));
  } catch (error) {
    const reason = reasonOf(error);
    return items.map((item) => outcome(item, "failed", at, reason));
  }
}

/** Errors of the operating system contain absolute paths, which do not leave the device. */
function reasonOf(error: unknown): string {
  const { message, code, syscall } = error as NodeJS.ErrnoException;
  return code !== undefined && syscall !== undefined ? message.replace(/ ['"].*$/s, "") : message;
}

function outcome(
  item: ReportedServer | ReportedSkill,
  result: EnforcementOutcome,
  at: string,
  reason?: string,
): ReportedEnforcement {
  const identity =
    "fingerprint" in item
      ? { kind: "mcp_server" as const, fingerprint: item.fingerprint, path: item.config_path }
      : { kind: "skill" as const, digest: item.digest, path: item.path };
  return {
    ...identity,
    client: item.client,
    name: item.name,
    result,
    ...(reason !== undefined && { reason: redactText(reason, 300) }),
    at,
  };
}

/** Only where system-wide files may be written. Needs the rights of an admin. */
function updateManagedSettings(
  { systemRoot, platform }: Settings,
  policy: EffectivePolicy,
  known: KnownServers,
  now: number,
): void {
  if (systemRoot === undefined) return;
  try {
    writeManagedSettings(systemRoot, platform, deniedServers(policy, known, now));
  } catch (error) {
    printError(`Managed settings of Claude Code were not written: ${(error as Error).message}`);
  }
}

function serversOf(items: readonly { readonly item: ReportedServer | ReportedSkill }[]): ReportedServer[] {
  return items.flatMap(({ item }) => ("fingerprint" in item ? [item] : []));
}

/** Like `Map.groupBy`, which Node 20 does not have. */
export function groupBy<T>(items: readonly T[], key: (item: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const item of items) {
    const group = groups.get(key(item));
    if (group) group.push(item);
    else groups.set(key(item), [item]);
  }
  return groups;
}
