import { z } from "zod";
import { createdAt, isoTime, recordId, timestamp, updatedAt } from "#api/kit/answers";
import { choice, flag, requiredText, text, webUrl } from "#api/kit/body-fields";
import { isEmail } from "#lib/email";
import { isSlug, SLUG_MAX_LENGTH, SLUG_MESSAGE, SLUG_PATTERN } from "#lib/slug";
import type { UserWithLinks } from "#records/users";

const ROLES = ["owner", "admin", "auditor", "member"] as const;

/** Spec 2.6, D17. */
export const User = z
  .object({
    id: recordId("usr"),
    name: z.string().meta({ description: "What others call them", example: "Ada Lovelace" }),
    email: z.string().meta({
      description: "Unique without regard to case; a machine user's is generated",
      format: "email",
      example: "ada@example.com",
    }),
    is_machine_user: z.boolean().meta({ description: "Whether this is a bot, a script or a job", example: false }),
    slug: z.string().optional().describe("Only machine users have one"),
    group_ids: z.array(recordId("grp", "A group's id")).describe("The groups it is in"),
    owner_ids: z
      .array(recordId("usr", "A person's id"))
      .optional()
      .describe("The people who answer for it; only machine users have owners"),
    risk_score: z.number().nullable().meta({ description: "From 0 to 100; null: not scored", example: null }),
    role: z.enum(ROLES).meta({
      description:
        "What a person may do: `owner` everything, `admin` all but say who may manage, `auditor` read, `member` use their own connections",
      example: "member",
    }),
    disabled: z.boolean().meta({ description: "Whether it is shut out for now", example: false }),
    created_at: createdAt,
    updated_at: updatedAt,
  })
  .meta({ id: "User", description: "A person or a machine user" });

/** As the admin app lists them. */
export const ListedUser = User.extend({
  access_key: z.string().optional().describe("Machine users only, with `include_details`: the first half of their key"),
  previous_secret_expires_at: timestamp(
    "Machine users only, with `include_details`: until when the secret before the last rotation works too; null: it does not",
  )
    .nullable()
    .optional(),
  client_credentials: z
    .object({
      client_id: z.string().describe("OAuth client id"),
      token_url: z.string().describe("OAuth token endpoint"),
    })
    .nullable()
    .optional()
    .describe("Machine users only, with `include_details`: its own OAuth client without the secret; null: none"),
  last_used_at: timestamp("With `include_details`: when it last called the gateway, as far as the log reaches back")
    .nullable()
    .optional(),
  last_seen_at: timestamp("People only, with `include_details`: when they last used the admin app, within a week")
    .nullable()
    .optional(),
  invited: z.boolean().optional().describe("People only, with `include_details`: whether an invitation waits for them"),
  sign_in_methods: z
    .array(z.enum(["password", "sso"]))
    .optional()
    .describe("People only, with `include_details`: how they have come in so far and can again"),
  connections_count: z.int().optional().describe("With `include_details`: to how many MCP servers it is connected"),
  owners: z
    .array(
      z.object({
        id: recordId("usr", "A person's id"),
        name: z.string().describe("What others call them"),
        email: z.string().describe("Their e-mail"),
      }),
    )
    .optional()
    .describe("Machine users only, with `include_details`: who `owner_ids` are"),
}).meta({ id: "ListedUser", description: "A person or a machine user, in a list" });

/** Spec 2.7. */
export const Credentials = z
  .object({
    client_id: z.string().describe("The access key: the first half of the gateway's bearer token"),
    secret: z.string().describe("The second half, behind a colon; shown this once"),
  })
  .meta({ id: "Credentials", description: "A machine user's key at the gateway: `Bearer <client_id>:<secret>`" });

const MOST_OWNERS = 100;
const ownerIds = z
  .array(text(), { error: "must be an array" })
  .max(MOST_OWNERS, { error: `must hold at most ${MOST_OWNERS} ids` });

/** D17: `client_credentials.<key>: <key> is required`. */
const clientCredentials = z.object(
  {
    clientId: requiredText("clientId", 512).describe("OAuth client id"),
    clientSecret: requiredText("clientSecret", 4_000).meta({
      writeOnly: true,
      description: "OAuth client secret; kept sealed and never shown again",
    }),
    tokenUrl: requiredText("tokenUrl", 2_000).pipe(webUrl()).describe("OAuth token endpoint"),
  },
  { error: "must be an object" },
);

const email = z
  .string({ error: (issue) => (issue.input === undefined ? "email is required" : "must be a string") })
  .refine((value) => value.trim() !== "", { error: "email is required", abort: true })
  .refine(isEmail, { error: "must be a valid email address" });

/** Spec 4.4. The two variants share their keys; which one is meant decides which are required. */
export const PersonBody = z
  .object({
    name: requiredText("name").describe("What others call them"),
    email: email.meta({ format: "email", description: "Kept as given; unique without regard to case" }),
    is_machine_user: flag().optional().describe("False, or left out, for a person"),
  })
  .meta({
    id: "CreatePerson",
    description: "A person to be made",
    example: { name: "Ada Lovelace", email: "ada@example.com" },
  });
export const MachineUserBody = z
  .object({
    is_machine_user: z.literal(true).describe("Says that this is a machine user"),
    name: requiredText("name").describe("What others call it"),
    slug: text()
      .refine(isSlug, { error: SLUG_MESSAGE })
      .refine((value) => value.length <= SLUG_MAX_LENGTH, { error: `must be at most ${SLUG_MAX_LENGTH} characters` })
      .meta({ maxLength: SLUG_MAX_LENGTH, pattern: SLUG_PATTERN })
      .optional()
      .describe("First part of its e-mail; left out, it is made from the name; when it is taken, a number is appended"),
    client_credentials: clientCredentials
      .optional()
      .describe("Its own OAuth client, with which it gets tokens for MCP servers whose token endpoint has that origin"),
    owner_ids: ownerIds.optional().describe("Ids of the people who answer for it"),
  })
  .meta({
    id: "CreateMachineUser",
    description: "A machine user to be made",
    example: { is_machine_user: true, name: "Build bot" },
  });

export const UpdateUserBody = z
  .object({
    name: requiredText("name").optional().describe("What others call them"),
    risk_score: z
      .number({ error: "must be a number from 0 to 100, or null" })
      .min(0, { error: "must be a number from 0 to 100, or null" })
      .max(100, { error: "must be a number from 0 to 100, or null" })
      .nullable()
      .optional()
      .describe("From 0 to 100; null: not scored"),
    client_credentials: clientCredentials
      .nullable()
      .optional()
      .describe(
        "Machine users only: its own OAuth client from now on; null: none. What it got by the one before ends at once",
      ),
    owner_ids: ownerIds.optional().describe("Replaces the whole set, an empty one removes all; machine users only"),
    role: choice(ROLES).optional().describe("People only; to change it takes the scope `all`"),
    disabled: flag().optional().describe("true stops the user's keys at once, false brings them back"),
  })
  .meta({
    id: "UpdateUser",
    description: "What to change; what is left out stays",
    example: { name: "Ada King", risk_score: 20 },
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
      .describe("How long the secret so far stays valid beside the new one; 0: it ends at once"),
  })
  .meta({ id: "RotateUserSecret", description: "How to rotate", example: { overlap_seconds: 3600 } });

export const Invitation = z
  .object({
    user_id: recordId("usr", "The person's id"),
    email: z.string().meta({ description: "Who is invited", format: "email", example: "ada@example.com" }),
    created_at: createdAt,
    expires_at: timestamp("When the link stops working"),
  })
  .meta({ id: "Invitation", description: "A person's invitation, without its link; a new one voids it" });

export function presentUser(user: UserWithLinks): z.input<typeof User> {
  const machine = user.is_machine_user ? { slug: user.slug ?? "", owner_ids: [...user.owner_ids] } : {};
  return {
    id: user.id,
    name: user.name,
    email: user.email,
    is_machine_user: user.is_machine_user,
    group_ids: [...user.group_ids],
    risk_score: user.risk_score,
    role: user.role,
    disabled: user.disabled,
    created_at: isoTime(user.created_at),
    updated_at: isoTime(user.updated_at),
    ...machine,
  };
}
