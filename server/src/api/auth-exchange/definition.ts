import { invalid, unknownReferences } from "#lib/errors";
import { findGroup } from "#records/groups";
import { findUser } from "#records/users";
import type { MainDb } from "#storage/database";
import type {
  ExchangeCondition,
  ExchangeDefinition,
  ExchangeProvision,
  ExchangeSubject,
} from "#storage/exchange-tables";
import type { GivenProvider } from "./bodies.ts";

export const DEFAULTS: ExchangeDefinition = {
  jwks_uri: null,
  jwks: null,
  audiences: [],
  algorithms: ["RS256", "PS256", "ES256", "EdDSA"],
  max_age_seconds: 3_600,
  conditions: [],
  subject: { mode: "map", claim: null, match: "email", require_verified_email: true, allow_admins: false },
  provision: { create_users: false, groups: [], group_claim: null, group_map: {}, sync_groups: false },
  token: {
    access_ttl_seconds: 900,
    refresh: true,
    refresh_ttl_seconds: 86_400,
    scopes: ["mcp"],
    bind_to_jwt_exp: false,
  },
  one_time_jti: false,
  require_api_key: true,
  passthrough: false,
};

/** Issuers that sign tokens for every organization: without a condition, any of them could act as the machine user. */
const SHARED_ISSUERS: Readonly<Record<string, string>> = {
  "https://token.actions.githubusercontent.com": "repository",
  "https://gitlab.com": "namespace_path",
  "https://accounts.google.com": "sub",
  "https://agent.buildkite.com": "organization_slug",
  "https://app.terraform.io": "terraform_organization_name",
};

/** Undefined fields keep their values. References are resolved to IDs. */
export async function definitionOf(
  db: MainDb,
  before: ExchangeDefinition,
  given: GivenProvider,
): Promise<ExchangeDefinition> {
  const subject = given.subject === undefined ? before.subject : await subjectOf(db, given.subject);
  const becomesFixed = subject.mode === "fixed" && before.subject.mode !== "fixed";
  const bindsByDefault = becomesFixed ? true : before.token.bind_to_jwt_exp;
  const definition: ExchangeDefinition = {
    jwks_uri: given.jwks_uri === undefined ? before.jwks_uri : given.jwks_uri,
    jwks: given.jwks === undefined ? before.jwks : given.jwks,
    audiences: [...new Set(given.audiences ?? before.audiences)],
    algorithms: given.algorithms === null ? DEFAULTS.algorithms : [...new Set(given.algorithms ?? before.algorithms)],
    max_age_seconds: given.max_age_seconds ?? before.max_age_seconds,
    conditions: given.conditions?.map(conditionOf) ?? before.conditions,
    subject,
    provision: await provisionOf(db, before.provision, given.provision ?? {}),
    token: { ...before.token, bind_to_jwt_exp: bindsByDefault, ...defined(given.token ?? {}) },
    one_time_jti: given.one_time_jti ?? before.one_time_jti,
    require_api_key: given.require_api_key ?? before.require_api_key,
    passthrough: given.passthrough ?? before.passthrough,
  };
  return definition;
}

/** Rules about several fields. */
export function checkDefinition(
  issuer: string,
  { jwks, jwks_uri, subject, provision, conditions, passthrough }: ExchangeDefinition,
) {
  if (jwks !== null && jwks_uri !== null) throw invalid("jwks", "cannot be combined with jwks_uri");
  const createsNobody = subject.mode === "fixed" || subject.match === "slug";
  if (provision.create_users && createsNobody) {
    throw invalid("provision.create_users", "only for subjects that are matched by email or external_id");
  }
  if (passthrough && subject.mode === "fixed") {
    throw invalid("passthrough", "only for subjects from a claim, because workloads share a fixed machine user");
  }
  const example = Object.hasOwn(SHARED_ISSUERS, issuer) ? SHARED_ISSUERS[issuer] : undefined;
  if (subject.mode === "fixed" && conditions.length === 0 && example !== undefined) {
    throw invalid("conditions", `this issuer serves every organization; add a condition, such as on ${example}`);
  }
}

/** For the response. */
export function warningsOf({ subject, conditions }: ExchangeDefinition): { warnings?: string[] } {
  if (subject.mode !== "fixed" || conditions.length > 0) return {};
  return { warnings: ["Every token of this issuer for these audiences acts as the machine user. Add conditions."] };
}

function conditionOf({ claim, operator, value }: NonNullable<GivenProvider["conditions"]>[number]): ExchangeCondition {
  return { claim, operator, value: value ?? true };
}

async function subjectOf(db: MainDb, given: NonNullable<GivenProvider["subject"]> | null): Promise<ExchangeSubject> {
  if (given === null) return DEFAULTS.subject;
  if (given.mode === "fixed") {
    const user = await findUser(db, given.machine_user);
    if (!user?.is_machine_user) throw unknownReferences("Machine users", [given.machine_user]);
    return { mode: "fixed", machine_user_id: user.id };
  }
  return {
    mode: "map",
    claim: given.claim ?? null,
    match: given.match ?? "email",
    require_verified_email: given.require_verified_email ?? true,
    allow_admins: given.allow_admins ?? false,
  };
}

async function provisionOf(
  db: MainDb,
  before: ExchangeProvision,
  given: NonNullable<GivenProvider["provision"]>,
): Promise<ExchangeProvision> {
  const named = [...(given.groups ?? []), ...Object.values(given.group_map ?? {})];
  const ids = await groupIds(db, named);
  const idOf = (name: string) => ids.get(name) ?? "";
  return {
    create_users: given.create_users ?? before.create_users,
    groups: given.groups ? [...new Set(given.groups.map(idOf))] : before.groups,
    group_claim: given.group_claim === undefined ? before.group_claim : given.group_claim,
    group_map: given.group_map
      ? Object.fromEntries(Object.entries(given.group_map).map(([theirs, ours]) => [theirs, idOf(ours)]))
      : before.group_map,
    sync_groups: given.sync_groups ?? before.sync_groups,
  };
}

async function groupIds(db: MainDb, names: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const ids = new Map<string, string>();
  const unknown: string[] = [];
  for (const name of new Set(names)) {
    const group = await findGroup(db, name);
    if (group) ids.set(name, group.id);
    else unknown.push(name);
  }
  if (unknown.length > 0) throw unknownReferences("Groups", unknown);
  return ids;
}

/** A patch must not replace values with undefined. */
function defined<Fields extends object>(fields: Fields): { [Name in keyof Fields]: Exclude<Fields[Name], undefined> } {
  // Entries without undefined have these types.
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as never;
}
