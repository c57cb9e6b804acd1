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
  ...{ one_time_jti: false, passthrough: false, access_minutes: 15 },
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
    ...{ access_minutes: Math.round(token.access_ttl_seconds / 60) },
  };
}

/** `before` keeps what the form does not show. */
export function bodyOf(values: IssuerValues, before?: Issuer): IssuerBody {
  const claim = values.claim.trim() === "" ? null : claimPath(values.claim);
  return {
    ...{ name: values.name.trim(), issuer: values.issuer.trim(), audiences: values.audiences },
    jwks_uri: values.jwks_uri.trim() === "" ? null : values.jwks_uri.trim(),
    conditions: values.conditions.map((condition, at) => conditionOf(condition, before?.conditions[at])),
    subject:
      values.mode === "fixed"
        ? { mode: "fixed", machine_user: values.machine_user.trim() }
        : {
            ...{ mode: "map", claim, match: values.match, require_verified_email: values.require_verified_email },
            allow_admins: before?.subject.allow_admins ?? false,
          },
    provision: { create_users: values.mode === "map" && values.match !== "slug" && values.create_users },
    token: { access_ttl_seconds: values.access_minutes * 60 },
    ...{ require_api_key: values.require_api_key, one_time_jti: values.one_time_jti },
    passthrough: values.mode === "map" && values.passthrough,
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
