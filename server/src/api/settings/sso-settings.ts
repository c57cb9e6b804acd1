import { z } from "zod";
import type { ApiContext } from "#api/kit/api-context";
import { choice, flag, requiredText, text, webUrl } from "#api/kit/body-fields";
import { invalid } from "#lib/errors";
import { findGroup, groupNames } from "#records/groups";
import {
  deleteIdentityProvider,
  findIdentityProvider,
  type IdentityProviderRow,
  ownerSignedInThrough,
  saveIdentityProvider,
  sealProviderSecret,
} from "#records/identity-provider";
import type { Settings } from "#records/settings";
import type { MainDb, MainTransaction } from "#storage/database";

const ROLES = ["admin", "auditor", "member"] as const;
const MAX_DOMAINS = 100;
const MAX_GROUPS = 500;
const domain = text(253)
  .transform((value) => value.toLowerCase())
  .refine((value) => /^[^\s@/]+\.[^\s@/]+$/.test(value), { error: "must be a domain such as example.com" });

const descriptions = {
  issuer: "The provider's issuer URL, where its OpenID configuration is published",
  client_id: "Client ID at the provider. Register the redirect URL `{base_url}/sso-callback` there",
  allowed_domains: "Email domains that can sign in. Emails must be verified",
  groups_claim:
    "The claim that lists a person's groups, or its path such as `realm_access.roles`; null: groups are managed only in Gatehouse",
  group_mapping:
    "Maps values of that claim to group names. These memberships are updated at each sign-in, except those of groups that SCIM manages",
  remove_from_groups:
    "Whether a sign-in removes a person from mapped groups that the claim does not list. Default: true",
  default_role: "Role of accounts created on first sign-in",
  auto_create: "Whether accounts are created on first sign-in",
};

export const SsoSettings = z
  .object({
    issuer: z.string().meta({ description: descriptions.issuer, format: "uri", example: "https://idp.example.com" }),
    client_id: z.string().meta({ description: descriptions.client_id, example: "gatehouse" }),
    has_client_secret: z.boolean().meta({ description: "Whether a client secret is stored", example: true }),
    allowed_domains: z.array(z.string()).meta({ description: descriptions.allowed_domains, example: ["example.com"] }),
    groups_claim: z.string().nullable().meta({ description: descriptions.groups_claim, example: "groups" }),
    group_mapping: z
      .record(z.string(), z.string())
      .meta({ description: descriptions.group_mapping, example: { "eng-all": "Engineering" } }),
    remove_from_groups: z.boolean().meta({ description: descriptions.remove_from_groups, example: true }),
    default_role: z.enum(ROLES).meta({ description: descriptions.default_role, example: "member" }),
    auto_create: z.boolean().meta({ description: descriptions.auto_create, example: true }),
  })
  .meta({ id: "SsoSettings", description: "The organization's identity provider (OpenID Connect)" });

export const UpdateSsoSettings = z
  .object(
    {
      issuer: webUrl().optional().describe(descriptions.issuer),
      client_id: requiredText("client_id", 512).optional().describe(descriptions.client_id),
      client_secret: requiredText("client_secret", 4_000)
        .nullish()
        .meta({ writeOnly: true, description: "Client secret at the provider, stored encrypted; null: public client" }),
      allowed_domains: z
        .array(domain, { error: "must be an array" })
        .min(1, { error: "must contain a domain" })
        .max(MAX_DOMAINS, { error: `must contain at most ${MAX_DOMAINS} domains` })
        .optional()
        .describe(descriptions.allowed_domains),
      groups_claim: requiredText("groups_claim").nullish().describe(descriptions.groups_claim),
      group_mapping: z
        .record(z.string().min(1), text(), { error: "must be an object" })
        .refine((mapping) => Object.keys(mapping).length <= MAX_GROUPS, {
          error: `must contain at most ${MAX_GROUPS} entries`,
        })
        .optional()
        .describe(descriptions.group_mapping),
      remove_from_groups: flag().optional().describe(descriptions.remove_from_groups),
      default_role: choice(ROLES).optional().describe(descriptions.default_role),
      auto_create: flag().optional().describe(descriptions.auto_create),
    },
    { error: "must be an object or null" },
  )
  .nullish()
  .describe("The identity provider. Omitted fields keep their value; null removes it");

type Changes = NonNullable<z.output<typeof UpdateSsoSettings>>;

export async function presentSso(db: MainDb): Promise<z.input<typeof SsoSettings> | null> {
  const row = await findIdentityProvider(db);
  if (!row) return null;
  const { issuer, client_id, sealed_provider_secret, allowed_domains, groups_claim, group_mapping } = row;
  const names = await groupNames(db, [...new Set(Object.values(group_mapping))]);
  // Deleted groups are omitted.
  const mapping = Object.entries(group_mapping).flatMap(([value, id]) => {
    const name = names.get(id);
    return name === undefined ? [] : [[value, name] as const];
  });
  return {
    issuer,
    client_id,
    has_client_secret: sealed_provider_secret !== null,
    allowed_domains: [...allowed_domains],
    groups_claim,
    group_mapping: Object.fromEntries(mapping),
    remove_from_groups: row.remove_from_groups,
    default_role: row.default_role,
    auto_create: row.auto_create,
  };
}

/** Called after the other settings changed, because an owner must still be able to sign in. */
export async function changeSso(
  tx: MainTransaction,
  context: Pick<ApiContext, "vault" | "clock">,
  changes: Changes | null | undefined,
  { local_sign_in }: Settings,
): Promise<void> {
  if (changes === null) await deleteIdentityProvider(tx);
  if (changes) await saveIdentityProvider(tx, await applyChanges(tx, context, changes));
  if (local_sign_in) return;
  const provider = await findIdentityProvider(tx);
  if (!provider) throw invalid("local_sign_in", "cannot be turned off without single sign-on");
  if (!(await ownerSignedInThrough(tx, provider.issuer))) {
    throw invalid("local_sign_in", "cannot be turned off before an owner has signed in with the identity provider");
  }
}

async function applyChanges(
  tx: MainTransaction,
  { vault, clock }: Pick<ApiContext, "vault" | "clock">,
  changes: Changes,
): Promise<Omit<IdentityProviderRow, "id">> {
  const before = await findIdentityProvider(tx);
  const { client_secret: secret, group_mapping: mapping } = changes;
  const groupsClaim = changes.groups_claim === undefined ? before?.groups_claim : changes.groups_claim;
  return {
    issuer: required("issuer", changes.issuer ?? before?.issuer),
    client_id: required("client_id", changes.client_id ?? before?.client_id),
    sealed_provider_secret: secret ? sealProviderSecret(vault, secret) : keptSecret(before, changes),
    allowed_domains: [...required("allowed_domains", changes.allowed_domains ?? before?.allowed_domains)],
    groups_claim: groupsClaim ?? null,
    group_mapping: mapping ? await groupIds(tx, mapping) : (before?.group_mapping ?? {}),
    remove_from_groups: changes.remove_from_groups ?? before?.remove_from_groups ?? true,
    default_role: changes.default_role ?? before?.default_role ?? "member",
    auto_create: changes.auto_create ?? before?.auto_create ?? true,
    updated_at: clock.now(),
  };
}

/** The secret belongs to its issuer, so a new issuer requires a new secret (OA-4). */
function keptSecret(before: IdentityProviderRow | undefined, { issuer, client_secret }: Changes): string | null {
  if (client_secret === null || (issuer !== undefined && issuer !== before?.issuer)) return null;
  return before?.sealed_provider_secret ?? null;
}

function required<Value>(name: string, value: Value | undefined): Value {
  if (value === undefined) throw invalid(`sso.${name}`, `${name} is required`);
  return value;
}

/** The mapping with IDs of groups instead of names. */
export async function groupIds(db: MainDb, mapping: Readonly<Record<string, string>>): Promise<Record<string, string>> {
  const entries: [string, string][] = [];
  for (const [value, name] of Object.entries(mapping)) {
    const group = await findGroup(db, name);
    if (!group) throw invalid("sso.group_mapping", `group not found: ${name}`);
    entries.push([value, group.id]);
  }
  return Object.fromEntries(entries);
}
