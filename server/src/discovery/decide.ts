import { fold } from "#lib/fold";
import { Lru } from "#lib/lru";
import { evaluate } from "#policy/evaluate";
import { serverFacts, skillFacts } from "#policy/facts";
import type { Decision, ItemFacts, PolicyContext } from "#policy/policy-types";
import { type Risk, serverRisk, textRisk } from "#policy/risk";
import { PLATFORMS, type Platform, TRANSPORTS } from "#policy/types";
import { emailOf } from "#records/discovery";
import { groupsOfUsers } from "#records/groups";
import { findUsersByEmail } from "#records/users";
import type { MainDb } from "#storage/database";
import type { DiscoveryDeviceRow, DiscoveryInstanceRow, DiscoveryItemRow } from "#storage/discovery-tables";
import type { KnownFacts } from "./known-facts.ts";
import type { CurrentPolicy } from "./policy-reader.ts";

export type DecidedInstance = Pick<DiscoveryInstanceRow, "kind" | "name" | "client" | "scope" | "details">;
export type DecidedItem = Pick<DiscoveryItemRow, "key" | "endpoint_key" | "review_status">;

export interface DecisionNeeds {
  readonly policy: CurrentPolicy;
  readonly known: KnownFacts;
  readonly gatewayUrls: readonly string[];
  readonly facts: FactsCache;
}

/** Facts and risk by everything that they depend on, except for the gateway URLs. */
export type FactsCache = Lru<{ readonly facts: ItemFacts | undefined; readonly risk: string }>;

/** In characters of the keys. */
const FACTS_BUDGET = 4_000_000;

/** For one service, because facts depend on its URLs. */
export function createFactsCache(): FactsCache {
  return new Lru(FACTS_BUDGET);
}

export interface Judgment {
  /** Undefined for kinds without a policy. */
  readonly decision: Decision | undefined;
  readonly risk: string;
  readonly managed: boolean;
}

/**
 * Decides about instances. Equal instances on devices that the rules do not distinguish are decided once, because popular
 * servers and skills are on most devices (decision 0152). Valid for one transaction; the facts are shared with others.
 */
export class Judge {
  readonly #needs: DecisionNeeds;
  readonly #judgments = new Map<string, Judgment>();
  readonly #contexts = new Map<PolicyContext, string>();

  constructor(needs: DecisionNeeds) {
    this.#needs = needs;
  }

  judge(instance: DecidedInstance, item: DecidedItem, context: PolicyContext): Judgment {
    const content = contentKey(instance, item);
    const key = `${this.#contextKey(context)}\n${content}`;
    const known = this.#judgments.get(key);
    if (known) return known;
    const { facts, risk } = this.#factsOf(content, instance, item);
    const decision = facts && evaluate(this.#needs.policy.compiled, facts, context);
    const judgment = { decision, risk, managed: facts?.managed ?? false };
    this.#judgments.set(key, judgment);
    return judgment;
  }

  #factsOf(content: string, instance: DecidedInstance, item: DecidedItem) {
    const { known, gatewayUrls, facts: cache } = this.#needs;
    const { key, endpoint_key: endpoint, review_status: review } = item;
    const isRegistered = known.slugOf(endpoint) !== undefined || known.isOwnSkill(key);
    const inRegistry = known.registryIdOf(endpoint) !== undefined;
    const cacheKey = `${Number(isRegistered)}${Number(inRegistry)}${review} ${content}`;
    const cached = cache.get(cacheKey);
    if (cached) return cached;
    const { facts, risk } = factsOf(instance, item, known, gatewayUrls);
    const found = { facts, risk: riskText(risk) };
    cache.set(cacheKey, found, cacheKey.length);
    return found;
  }

  #contextKey(context: PolicyContext): string {
    const known = this.#contexts.get(context);
    if (known !== undefined) return known;
    const { deviceConditions: used } = this.#needs.policy;
    const of = { groups: context.groups, users: context.user, devices: context.device_id, os: context.os };
    const key = JSON.stringify(used.map((name) => of[name] ?? null));
    this.#contexts.set(context, key);
    return key;
  }
}

/** Everything that facts and risk depend on. */
function contentKey({ kind, name, client, scope, details }: DecidedInstance, { key }: DecidedItem): string {
  const { transport, command, args, env_keys, url, package: pkg, has_scripts, issues } = details;
  const target = [transport, command, args, env_keys, url, pkg];
  return JSON.stringify([kind, key, name, client, scope, ...target, has_scripts, issues]);
}

export function factsOf(
  instance: DecidedInstance,
  item: DecidedItem,
  known: KnownFacts,
  gatewayUrls: readonly string[],
): { facts: ItemFacts | undefined; risk: Risk } {
  const { kind, details, name, client, scope } = instance;
  if (kind === "mcp_server") {
    const registered = known.slugOf(item.endpoint_key) !== undefined;
    const inRegistry = known.registryIdOf(item.endpoint_key) !== undefined;
    const server = serverOf(instance, item.key);
    const facts = serverFacts(server, gatewayUrls, {
      ...{ registered, in_registry: inRegistry, review_status: item.review_status },
    });
    const risk = serverRisk({
      ...{ transport: server.transport, command: server.command, args: server.args, url: server.url },
      ...{ package: details.package as never, managed: facts.managed, known: registered || inRegistry },
    });
    return { facts, risk };
  }
  const issues = textsOf(details.issues);
  if (kind !== "skill") return { facts: undefined, risk: textRisk({ issues }) };
  const hasScripts = details.has_scripts === true;
  const managed = known.isOwnSkill(item.key);
  const skill = { name, digest: item.key, has_scripts: hasScripts, issues, client, source: scope as never };
  const facts = skillFacts(skill, managed ? [item.key] : [], {
    registered: managed,
    review_status: item.review_status,
  });
  return { facts, risk: textRisk({ issues, has_scripts: hasScripts, managed }) };
}

/** Stored details were written from a checked report. */
function serverOf({ name, client, scope, details }: DecidedInstance, fingerprint: string) {
  const transport = TRANSPORTS.find((each) => each === details.transport) ?? "stdio";
  const command = typeof details.command === "string" ? details.command : undefined;
  const url = typeof details.url === "string" ? details.url : undefined;
  return {
    ...{ name, transport, fingerprint, client, scope: scope as never },
    ...(command !== undefined && { command, args: textsOf(details.args), env_keys: textsOf(details.env_keys) }),
    ...(url !== undefined && { url }),
  };
}

function textsOf(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((each) => typeof each === "string") : [];
}

function riskText({ score, reasons }: Risk): string {
  return `${String(score).padStart(3, "0")} ${reasons.join(",")}`;
}

/** Who uses each device, for conditions on users and groups. */
export async function contextsOf(
  db: MainDb,
  devices: readonly DiscoveryDeviceRow[],
  now: number,
  { deviceConditions }: Pick<CurrentPolicy, "deviceConditions">,
): Promise<Map<string, PolicyContext>> {
  const emails = [...new Set(devices.flatMap((device) => emailOf(device) ?? []))];
  const users = deviceConditions.includes("groups") ? await findUsersByEmail(db, emails) : [];
  const idOf = new Map(users.map(({ id, email_key: key }) => [key, id]));
  const memberships = users.length > 0 ? await groupsOfUsers(db, [...idOf.values()]) : new Map<string, never[]>();
  return new Map(
    devices.map((device) => {
      const email = emailOf(device);
      const userId = email === null ? undefined : idOf.get(fold(email));
      const groups = userId === undefined ? [] : (memberships.get(userId) ?? []).map(({ name }) => name);
      const os = PLATFORMS.find((each): each is Platform => each === device.os);
      return [device.id, { now, device_id: device.id, os, user: email ?? undefined, groups }];
    }),
  );
}
