import { mappingText, readMapping } from "./group-mapping.ts";
import type { Settings, SettingsChanges } from "./settings.ts";

export type SignInValues = ReturnType<typeof signInValues>;

export function signInValues({ local_sign_in, sso }: Settings) {
  return {
    local_sign_in,
    /** Whether single sign-on is on; turning it off removes the identity provider. */
    sso: sso !== null,
    issuer: sso?.issuer ?? "",
    client_id: sso?.client_id ?? "",
    /** Empty keeps the stored secret. */
    client_secret: "",
    allowed_domains: [...(sso?.allowed_domains ?? [])],
    auto_create: sso?.auto_create ?? true,
    default_role: sso?.default_role ?? ("member" as const),
    groups_claim: sso?.groups_claim ?? "",
    group_mapping: mappingText(sso?.group_mapping ?? {}),
    remove_from_groups: sso?.remove_from_groups ?? true,
  };
}

export function signInErrors(values: SignInValues): Partial<Record<keyof SignInValues, string>> {
  if (!values.sso) return {};
  return {
    ...(values.issuer.trim() === "" ? { issuer: "Enter the issuer URL" } : {}),
    ...(values.client_id.trim() === "" ? { client_id: "Enter the client ID" } : {}),
    ...(values.allowed_domains.length === 0 ? { allowed_domains: "Enter at least one domain" } : {}),
    ...(readMapping(values.group_mapping) ? {} : { group_mapping: "Enter each line as value = group" }),
  };
}

/** `sso.allowed_domains.0` → `allowed_domains`. */
export function signInField(bodyField: string): string {
  return bodyField.replace(/^sso\.([^.]*).*/, "$1");
}

export function signInChanges(settings: Settings, values: SignInValues): SettingsChanges {
  const { local_sign_in, sso: isOn, client_secret: secret, groups_claim: claim, group_mapping, ...rest } = values;
  const { local_sign_in: _before, ...ssoBefore } = signInValues(settings);
  const { local_sign_in: _now, ...ssoNow } = values;
  const isSsoChanged = JSON.stringify(ssoBefore) !== JSON.stringify(ssoNow);
  const sso = isOn
    ? {
        ...rest,
        groups_claim: claim.trim() === "" ? null : claim.trim(),
        group_mapping: readMapping(group_mapping) ?? {},
        ...(secret === "" ? {} : { client_secret: secret }),
      }
    : null;
  return {
    ...(local_sign_in === settings.local_sign_in ? {} : { local_sign_in }),
    ...(isSsoChanged && (isOn || settings.sso !== null) ? { sso } : {}),
  };
}
