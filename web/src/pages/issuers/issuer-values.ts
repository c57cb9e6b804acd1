import type { Issuer, IssuerBody } from "./issuers.ts";

type Condition = NonNullable<IssuerBody["conditions"]>[number];
export type Operator = Condition["operator"];

export interface ConditionValues {
  readonly key: string;
  readonly claim: string;
  readonly operator: Operator;
  readonly value: string;
}

/** The fields of the form, as texts. */
export interface IssuerValues extends Record<string, unknown> {
  name: string;
  issuer: string;
  audiences: string[];
  jwks_uri: string;
  conditions: ConditionValues[];
  mode: "fixed" | "map";
  machine_user: string;
  claim: string;
  match: "email" | "slug" | "external_id";
  require_verified_email: boolean;
  create_users: boolean;
  require_api_key: boolean;
  one_time_jti: boolean;
  passthrough: boolean;
  access_minutes: number;
  /** JSON text of static keys. */
  jwks: string;
  algorithms: string[];
  max_age_minutes: number;
  allow_admins: boolean;
  groups: string[];
  group_claim: string;
  /** One line per group: the issuer's group = the group here. */
  group_map: string;
  sync_groups: boolean;
  refresh: boolean;
  refresh_hours: number;
  bind_to_jwt_exp: "default" | "yes" | "no";
}

/** Between the names of a path whose names contain dots. */
const SEPARATOR = " > ";

export function claimText(claim: string | readonly string[]): string {
  return typeof claim === "string" ? claim : claim.join(SEPARATOR);
}

export function claimPath(text: string): string | string[] {
  const trimmed = text.trim();
  return trimmed.includes(SEPARATOR) ? trimmed.split(SEPARATOR).map((name) => name.trim()) : trimmed;
}

export const EMPTY_VALUES: IssuerValues = {
  ...{ name: "", issuer: "", audiences: [], jwks_uri: "", conditions: [], mode: "map", machine_user: "", claim: "" },
  ...{ match: "email", require_verified_email: true, create_users: false, require_api_key: true },
  ...{ one_time_jti: false, passthrough: false, access_minutes: 15, jwks: "" },
  ...{ algorithms: ["RS256", "PS256", "ES256", "EdDSA"], max_age_minutes: 60, allow_admins: false, groups: [] },
  ...{
    group_claim: "",
    group_map: "",
    sync_groups: false,
    refresh: true,
    refresh_hours: 24,
    bind_to_jwt_exp: "default",
  },
};

export function valuesOf(issuer: Issuer): IssuerValues {
  const { subject, token, provision } = issuer;
  return {
    ...{ name: issuer.name, issuer: issuer.issuer, audiences: [...issuer.audiences], jwks_uri: issuer.jwks_uri ?? "" },
    conditions: issuer.conditions.map((condition, at) => ({
      key: String(at),
      claim: claimText(condition.claim),
      operator: condition.operator,
      value: Array.isArray(condition.value) ? condition.value.join(", ") : String(condition.value),
    })),
    ...{ mode: subject.mode, machine_user: subject.machine_user ?? "", match: subject.match ?? "email" },
    claim: subject.claim == null ? "" : claimText(subject.claim),
    require_verified_email: subject.require_verified_email ?? true,
    ...{ create_users: provision.create_users, require_api_key: issuer.require_api_key },
    ...{ one_time_jti: issuer.one_time_jti, passthrough: issuer.passthrough },
    access_minutes: token.access_ttl_seconds / 60,
    jwks: issuer.jwks === null ? "" : JSON.stringify(issuer.jwks, null, 2),
    ...{ algorithms: [...issuer.algorithms], max_age_minutes: issuer.max_age_seconds / 60 },
    ...{ allow_admins: subject.allow_admins ?? false, groups: [...provision.groups] },
    group_claim: provision.group_claim === null ? "" : claimText(provision.group_claim),
    group_map: groupMapText(provision.group_map),
    ...{ sync_groups: provision.sync_groups, refresh: token.refresh, refresh_hours: token.refresh_ttl_seconds / 3_600 },
    bind_to_jwt_exp: token.bind_to_jwt_exp ? "yes" : "no",
  };
}

/** `before` keeps the types of condition values. */
export function bodyOf(values: IssuerValues, before?: Issuer): IssuerBody {
  const isMapped = values.mode === "map";
  const claim = values.claim.trim() === "" ? null : claimPath(values.claim);
  return {
    ...{ name: values.name.trim(), issuer: values.issuer.trim(), audiences: values.audiences },
    jwks_uri: values.jwks_uri.trim() === "" ? null : values.jwks_uri.trim(),
    jwks: keysOf(values.jwks) ?? null,
    algorithms: values.algorithms as NonNullable<IssuerBody["algorithms"]>, // The choices of the form.
    max_age_seconds: Math.round(values.max_age_minutes * 60),
    conditions: values.conditions.map((condition, at) => conditionOf(condition, before?.conditions[at])),
    subject: isMapped
      ? {
          ...{ mode: "map", claim, match: values.match, require_verified_email: values.require_verified_email },
          allow_admins: values.allow_admins,
        }
      : { mode: "fixed", machine_user: values.machine_user.trim() },
    provision: provisionOf(values),
    token: {
      ...{ access_ttl_seconds: Math.round(values.access_minutes * 60), refresh: values.refresh },
      refresh_ttl_seconds: Math.round(values.refresh_hours * 3_600),
      ...(values.bind_to_jwt_exp !== "default" && { bind_to_jwt_exp: values.bind_to_jwt_exp === "yes" }),
    },
    ...{ require_api_key: values.require_api_key, one_time_jti: values.one_time_jti },
    passthrough: isMapped && values.passthrough,
  };
}

function provisionOf(values: IssuerValues): NonNullable<IssuerBody["provision"]> {
  return {
    create_users: values.mode === "map" && values.match !== "slug" && values.create_users,
    groups: values.groups,
    group_claim: values.group_claim.trim() === "" ? null : claimPath(values.group_claim),
    group_map: groupMapOf(values.group_map) ?? {},
    sync_groups: values.sync_groups,
  };
}

function conditionOf({ claim, operator, value }: ConditionValues, before: Condition | undefined): Condition {
  const path = claimPath(claim);
  if (operator === "exists") return { claim: path, operator, value: value.trim() !== "false" };
  if (operator === "in") {
    const values = value.split(",").map((each) => each.trim());
    return { claim: path, operator, value: values.filter((each) => each !== "") };
  }
  // A number or true and false stay what they are while their text is unchanged.
  const isUnchanged = before?.operator === operator && String(before.value) === value;
  return { claim: path, operator, value: isUnchanged ? (before.value ?? value) : value };
}

/** Messages for fields that cannot be sent. The API checks the rest. */
export function problemsOf({ jwks, group_map: map }: IssuerValues): { jwks?: string; group_map?: string } {
  return {
    ...(keysOf(jwks) === undefined && { jwks: 'Enter a JSON Web Key Set: {"keys": [...]}' }),
    ...(groupMapOf(map) === undefined && { group_map: "Write each line as issuer group = group" }),
  };
}

/** The fields of the form by the fields of the body. */
const FORM_FIELDS: readonly (readonly [body: RegExp, form: string])[] = [
  [/^subject\.(\w+).*/, "$1"],
  [/^subject$/, "machine_user"],
  [/^provision\.(\w+).*/, "$1"],
  [/^token\.access_ttl_seconds/, "access_minutes"],
  [/^token\.refresh_ttl_seconds/, "refresh_hours"],
  [/^token\.(\w+).*/, "$1"],
  [/^max_age_seconds/, "max_age_minutes"],
  [/^(jwks|audiences|algorithms)\..*/, "$1"],
];

export function formField(field: string): string {
  const [body, form] = FORM_FIELDS.find(([pattern]) => pattern.test(field)) ?? [];
  return body && form ? field.replace(body, form) : field;
}

/** Null: no keys. Undefined: not a key set. */
function keysOf(text: string): IssuerBody["jwks"] {
  if (text.trim() === "") return null;
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value !== "object" || value === null || !("keys" in value) || !Array.isArray(value.keys))
      return undefined;
    // The API checks the keys.
    return { keys: value.keys as NonNullable<IssuerBody["jwks"]>["keys"] };
  } catch {
    return undefined;
  }
}

export function groupMapText(map: Readonly<Record<string, string>>): string {
  return Object.entries(map)
    .map(([theirs, ours]) => `${theirs} = ${ours}`)
    .join("\n");
}

/** Undefined: a line has no two names. The last "=" separates, because names of issuers can contain one. */
export function groupMapOf(text: string): Record<string, string> | undefined {
  const map: Record<string, string> = {};
  for (const line of text.split("\n").filter((each) => each.trim() !== "")) {
    const [, theirs = "", ours = ""] = /^(.*)=([^=]*)$/.exec(line) ?? [];
    if (theirs.trim() === "" || ours.trim() === "") return undefined;
    map[theirs.trim()] = ours.trim();
  }
  return map;
}
