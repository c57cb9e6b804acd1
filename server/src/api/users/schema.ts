import { z } from "zod";
import { createdAt, isoTime, recordId, timestamp, updatedAt } from "#api/kit/answers";
import { choice, flag, requiredText, text, webUrl } from "#api/kit/body-fields";
import { isEmail } from "#lib/email";
import { isSlug, SLUG_MAX_LENGTH, SLUG_MESSAGE, SLUG_PATTERN } from "#lib/slug";
import type { UserWithLinks } from "#records/users";
import { EMAIL_STATUSES } from "#storage/email-tables";

export const ROLES = ["owner", "admin", "auditor", "member"] as const;

/** Spec 2.6, D17. */
export const User = z
  .object({
    id: recordId("usr"),
    name: z.string().meta({ description: "Display name", example: "Ada Lovelace" }),
    email: z.string().meta({
      description: "Unique, case-insensitive. Generated for machine users",
      format: "email",
      example: "ada@example.com",
    }),
    is_machine_user: z
      .boolean()
      .meta({ description: "Whether this is a machine user, such as an agent, a script, or a job", example: false }),
    slug: z.string().optional().describe("Machine users only"),
    group_ids: z.array(recordId("grp", "A group's ID")).describe("IDs of the user's groups"),
    owner_ids: z
      .array(recordId("usr", "A person's ID"))
      .optional()
      .describe("Machine users only: IDs of the people who are responsible for it"),
    toolkit: z
      .string()
      .nullable()
      .optional()
      .describe("Machine users only: slug of the only toolkit that it can use. Null: none"),
    external_id: z.string().nullable().meta({
      description: "ID of the user at the identity provider or in another system, case-sensitive. Null: none",
      example: null,
    }),
    provisioned_by: z.enum(["scim"]).nullable().meta({
      description:
        "`scim`: the identity provider manages name, email, external ID, and deletion. Null: managed in Gatehouse",
      example: null,
    }),
    suspended: z.boolean().meta({
      description: "Whether the identity provider deactivated the person through SCIM. Such a person is also disabled",
      example: false,
    }),
    risk_score: z.number().nullable().meta({ description: "Risk score from 0 to 100. Null: none", example: null }),
    role: z.enum(ROLES).meta({
      description:
        "A person's permissions: `owner` has full access, `admin` manages everything except roles, `auditor` has read-only access, `member` manages only their own connections",
      example: "member",
    }),
    disabled: z
      .boolean()
      .meta({ description: "Whether the user is disabled. A disabled user has no access", example: false }),
    created_at: createdAt,
    updated_at: updatedAt,
  })
  .meta({ id: "User", description: "A person or a machine user" });

/** With the details that the admin app shows. */
export const ListedUser = User.extend({
  access_key: z
    .string()
    .optional()
    .describe("Machine users only, with `include_details`: the access key, without the secret"),
  previous_secret_expires_at: timestamp(
    "Machine users only, with `include_details`: when the old secret of the last rotation expires. Null: it is no longer valid",
  )
    .nullable()
    .optional(),
  client_credentials: z
    .object({
      client_id: z.string().describe("OAuth client ID"),
      token_url: z.string().describe("OAuth token endpoint"),
    })
    .nullable()
    .optional()
    .describe("Machine users only, with `include_details`: the OAuth client without its secret. Null: none"),
  last_used_at: timestamp("With `include_details`: the last call, within the log retention").nullable().optional(),
  last_seen_at: timestamp("People only, with `include_details`: the last activity in the admin app, within 7 days")
    .nullable()
    .optional(),
  invited: z.boolean().optional().describe("People only, with `include_details`: whether an invitation is pending"),
  invited_by: z
    .string()
    .nullable()
    .optional()
    .describe(
      "People only, with `include_details`: who created the pending invitation. Null: unknown, or none pending",
    ),
  invitation_expires_at: timestamp(
    "People only, with `include_details`: when the invitation expires. Null: none pending",
  )
    .nullable()
    .optional(),
  invitation_email: z
    .object({
      status: z.enum(EMAIL_STATUSES).describe("Whether the mail server accepted the email"),
      error: z.string().nullable().describe("Why the last attempt failed. Null: it did not"),
      at: timestamp("When it was queued"),
    })
    .nullable()
    .optional()
    .describe(
      "People only, with `include_details`: the email with the pending invitation. Null: none pending, or it was not sent by email",
    ),
  sign_in_methods: z
    .array(z.enum(["password", "sso"]))
    .optional()
    .describe("People only, with `include_details`: available sign-in methods"),
  connections_count: z.int().optional().describe("With `include_details`: number of connected MCP servers"),
  owners: z
    .array(
      z.object({
        id: recordId("usr", "A person's ID"),
        name: z.string().describe("Display name"),
        email: z.string().describe("Email"),
      }),
    )
    .optional()
    .describe("Machine users only, with `include_details`: the people in `owner_ids`"),
}).meta({ id: "ListedUser", description: "A person or a machine user, in a list" });

/** Without the client secret. */
export function presentClient(client: { readonly clientId: string; readonly tokenUrl: string } | null | undefined) {
  return client ? { client_id: client.clientId, token_url: client.tokenUrl } : null;
}

/** Spec 2.7. */
export const Credentials = z
  .object({
    client_id: z.string().describe("The access key, the first part of the bearer token"),
    secret: z.string().describe("The secret, the second part of the bearer token"),
  })
  .meta({
    id: "Credentials",
    description: "A machine user's credentials at the gateway, sent as `Bearer <client_id>:<secret>`",
  });

const MOST_OWNERS = 100;
const ownerIds = z
  .array(text(), { error: "must be an array" })
  .max(MOST_OWNERS, { error: `must contain at most ${MOST_OWNERS} IDs` });

/** D17: `client_credentials.<key>: <key> is required`. */
const clientCredentials = z.object(
  {
    clientId: requiredText("clientId", 512).describe("OAuth client ID"),
    clientSecret: requiredText("clientSecret", 4_000).meta({
      writeOnly: true,
      description: "OAuth client secret, stored encrypted and never returned",
    }),
    tokenUrl: requiredText("tokenUrl", 2_000).pipe(webUrl()).describe("OAuth token endpoint"),
  },
  { error: "must be an object" },
);

const email = z
  .string({ error: (issue) => (issue.input === undefined ? "email is required" : "must be a string") })
  .refine((value) => value.trim() !== "", { error: "email is required", abort: true })
  .refine(isEmail, { error: "must be a valid email address" });

const EXTERNAL_ID_MAX_LENGTH = 255;
const externalId = text(EXTERNAL_ID_MAX_LENGTH).refine((value) => value.trim() !== "", { error: "must not be empty" });
const externalIdDescription =
  "ID of the user at the identity provider or in another system, case-sensitive. Unique among people, and among machine users";

/** Spec 4.4. `is_machine_user` decides which of the two variants is required. */
export const PersonBody = z
  .object({
    name: requiredText("name").describe("Display name"),
    email: email.meta({ format: "email", description: "Stored as given. Unique, case-insensitive" }),
    is_machine_user: flag().optional().describe("False or omitted for a person"),
    external_id: externalId.optional().describe(`${externalIdDescription}. Requires the scope \`all\``),
  })
  .meta({
    id: "CreatePerson",
    description: "A person to create",
    example: { name: "Ada Lovelace", email: "ada@example.com" },
  });
export const MachineUserBody = z
  .object({
    is_machine_user: z.literal(true).describe("True for a machine user"),
    name: requiredText("name").describe("Display name"),
    slug: text()
      .refine(isSlug, { error: SLUG_MESSAGE })
      .refine((value) => value.length <= SLUG_MAX_LENGTH, { error: `must be at most ${SLUG_MAX_LENGTH} characters` })
      .meta({ maxLength: SLUG_MAX_LENGTH, pattern: SLUG_PATTERN })
      .optional()
      .describe("First part of the email. Generated from the name if omitted. A number is appended if it exists"),
    client_credentials: clientCredentials
      .optional()
      .describe(
        "OAuth client for the client credentials grant, used for MCP servers whose token endpoint has the same origin",
      ),
    owner_ids: ownerIds.optional().describe("IDs of the people who are responsible for it"),
    external_id: externalId.optional().describe(externalIdDescription),
  })
  .meta({
    id: "CreateMachineUser",
    description: "A machine user to create",
    example: { is_machine_user: true, name: "Build bot" },
  });

export const UpdateUser = z
  .object({
    name: requiredText("name").optional().describe("Display name"),
    risk_score: z
      .number({ error: "must be a number from 0 to 100, or null" })
      .min(0, { error: "must be a number from 0 to 100, or null" })
      .max(100, { error: "must be a number from 0 to 100, or null" })
      .nullable()
      .optional()
      .describe("Risk score from 0 to 100. Null: none"),
    owner_ids: ownerIds.optional().describe("Machine users only: replaces all owners. An empty array removes them"),
    toolkit: text(64)
      .nullable()
      .optional()
      .describe(
        "Machine users only: slug of the only toolkit that it can use from now on, with every request. Null: no such limit",
      ),
    external_id: externalId
      .nullable()
      .optional()
      .describe(
        `${externalIdDescription}. Null removes it. Changing it for a person requires the scope \`all\`, because trusted issuers identify people by it`,
      ),
    role: choice(ROLES).optional().describe("People only. Changing it requires the scope `all`"),
    disabled: flag().optional().describe("True disables the user immediately, false enables the user again"),
  })
  .meta({
    id: "UpdateUser",
    description: "Changes to a user. Omitted fields keep their values",
    example: { name: "Ada King", risk_score: 20 },
  });

/** Spec 2.6: `client_credentials` are accepted on creation only. Ignoring the field would look like success. */
export const UpdateUserBody = UpdateUser.extend({
  client_credentials: z
    .undefined({ error: "can only be set on creation. Change them with PUT /api/users/client-credentials" })
    .optional(),
});

export const ClientCredentialsBody = z
  .object({
    client_credentials: clientCredentials
      .nullable()
      .describe("The new OAuth client for the client credentials grant. Null removes it"),
  })
  .meta({
    id: "SetClientCredentials",
    description: "The OAuth client of a machine user",
    example: {
      client_credentials: {
        clientId: "build-bot",
        clientSecret: "s3cr3t-of-build-bot",
        tokenUrl: "https://idp.example.com/oauth/token",
      },
    },
  });

const LONGEST_OVERLAP_SECONDS = 7 * 24 * 60 * 60;
const overlapMessage = `must be an integer from 0 to ${LONGEST_OVERLAP_SECONDS}`;

export const RotateUserSecretBody = z
  .object({
    overlap_seconds: z
      .int({ error: overlapMessage })
      .min(0, { error: overlapMessage })
      .max(LONGEST_OVERLAP_SECONDS, { error: overlapMessage })
      .default(0)
      .describe("How long the old secret stays valid, in seconds. 0: it is revoked immediately"),
  })
  .meta({ id: "RotateUserSecret", description: "Options of the rotation", example: { overlap_seconds: 3600 } });

export const Invitation = z
  .object({
    user_id: recordId("usr", "The person's ID"),
    email: z.string().meta({ description: "The person's email", format: "email", example: "ada@example.com" }),
    created_by: z.string().meta({
      description: "The email of the person or the name of the API token that created it",
      example: "grace@example.com",
    }),
    resets_account: z.boolean().meta({
      description:
        "Whether the person has signed in before. Accepting the link then deletes the person's connections, web sessions, MCP clients, and API tokens",
      example: false,
    }),
    emailed_to: z.string().nullable().meta({
      description: "Where the link is sent by email. Null: it is not, and must be handed over in another way",
      example: null,
    }),
    created_at: createdAt,
    expires_at: timestamp("When the link expires"),
  })
  .meta({ id: "Invitation", description: "A person's invitation, without its link. A new invitation replaces it" });

export function presentUser(user: UserWithLinks): z.input<typeof User> {
  const machine = user.is_machine_user
    ? { slug: user.slug ?? "", owner_ids: [...user.owner_ids], toolkit: user.toolkit }
    : {};
  return {
    id: user.id,
    name: user.name,
    email: user.email,
    is_machine_user: user.is_machine_user,
    group_ids: [...user.group_ids],
    external_id: user.external_id ?? null,
    provisioned_by: user.provisioned_by ?? null,
    suspended: user.suspended,
    risk_score: user.risk_score,
    role: user.role,
    disabled: user.disabled,
    created_at: isoTime(user.created_at),
    updated_at: isoTime(user.updated_at),
    ...machine,
  };
}
