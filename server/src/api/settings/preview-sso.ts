import { z } from "zod";
import { flag, requiredText, text } from "#api/kit/body-fields";
import { read } from "#api/kit/operation";
import { previewSso } from "#identity/preview-sso";
import { invalid } from "#lib/errors";
import { findIdentityProvider } from "#records/identity-provider";
import { groupIds } from "./sso-settings.ts";

const PreviewSsoBody = z
  .object({
    claims: z
      .record(z.string(), z.unknown(), { error: "must be an object" })
      .describe("Claims of an ID token, such as those that a test sign-in shows"),
    groups_claim: requiredText("groups_claim").nullish().describe("Instead of the saved claim"),
    group_mapping: z
      .record(z.string().min(1), text(), { error: "must be an object" })
      .optional()
      .describe("Instead of the saved mapping: values of the claim to names of groups"),
    remove_from_groups: flag().optional().describe("Instead of the saved setting"),
  })
  .meta({
    id: "PreviewSso",
    description: "Claims, and settings that are not saved yet",
    example: { claims: { sub: "1", email: "ada@example.com", email_verified: true, groups: ["eng-all"] } },
  });

const groupList = (what: string) => z.array(z.string()).describe(what);

export const SsoPreview = z
  .object({
    outcome: z
      .enum(["sign_in", "create", "no-verified-email", "other-domain", "unknown", "different-account", "disabled"])
      .meta({
        description:
          "`sign_in`: the account exists. `create`: an account would be created. Otherwise the reason why the sign-in would be rejected",
        example: "sign_in",
      }),
    email: z.string().nullable().meta({ description: "Email in the claims. Null: none", example: "ada@example.com" }),
    user: z
      .object({
        name: z.string().describe("Display name"),
        email: z.string().describe("Email"),
        role: z.string().describe("Role"),
      })
      .nullable()
      .describe("The existing account. Null: none"),
    groups: z
      .object({
        joins: groupList("Groups that the person would join"),
        leaves: groupList("Groups that the person would be removed from"),
        keeps: groupList("Mapped groups that the person stays in"),
        managed_by_scim: groupList("Mapped groups that SCIM manages, which a sign-in does not change"),
        unmapped: groupList("Values of the claim without a group"),
      })
      .describe("What happens to the person's groups"),
  })
  .meta({ id: "SsoPreview", description: "What a sign-in would do" });

export const previewSsoSignIn = read({
  id: "previewSsoSignIn",
  route: "POST /api/settings/sso/preview",
  tag: "Settings",
  summary: "Preview a sign-in with SSO",
  description:
    "Shows which account and groups a person with these claims would get, with the saved settings or with others. Nothing is changed.",
  scope: "admin:read",
  body: PreviewSsoBody,
  answers: { 200: z.object({ data: SsoPreview }) },
  refusals: [400],
  onCrash: "Failed to preview the sign-in",
  async run({ db, body }) {
    const provider = await findIdentityProvider(db);
    if (!provider) throw invalid("sso", "single sign-on is not set up");
    const { refusal, creates, email, user, groups } = await previewSso(
      db,
      {
        ...provider,
        groups_claim: body.groups_claim === undefined ? provider.groups_claim : body.groups_claim,
        group_mapping: body.group_mapping ? await groupIds(db, body.group_mapping) : provider.group_mapping,
        remove_from_groups: body.remove_from_groups ?? provider.remove_from_groups,
      },
      body.claims,
    );
    const names = (plan: { values(): Iterable<string> }) => [...plan.values()].sort();
    return {
      status: 200,
      body: {
        data: {
          outcome: refusal ?? (creates ? "create" : "sign_in"),
          email: email ?? null,
          user: user ? { name: user.name, email: user.email, role: user.role } : null,
          groups: {
            joins: names(groups.joins),
            leaves: names(groups.leaves),
            keeps: names(groups.keeps),
            managed_by_scim: names(groups.managedByScim),
            unmapped: names(groups.unmapped),
          },
        },
      },
    };
  },
});
