import { z } from "zod";
import { isoTime } from "#api/http/answers";
import { flag, requiredText, text, webUrl } from "#api/http/body-fields";
import { isSlug, SLUG_MAX_LENGTH, SLUG_MESSAGE } from "#lib/slug";
import type { UserWithLinks } from "#records/users";

/** Spec 2.6, D17. */
export const User = z
  .object({
    id: z.string(),
    name: z.string(),
    email: z.string(),
    is_machine_user: z.boolean(),
    slug: z.string().optional(),
    group_ids: z.array(z.string()),
    owner_ids: z.array(z.string()).optional(),
    risk_score: z.number().nullable(),
    role: z.enum(["admin", "member"]),
    disabled: z.boolean(),
    created_at: z.string(),
    updated_at: z.string(),
  })
  .meta({ id: "User" });

/** Spec 2.7. */
export const Credentials = z.object({ client_id: z.string(), secret: z.string() }).meta({ id: "Credentials" });

const MOST_OWNERS = 100;
const ownerIds = z
  .array(text(), { error: "must be an array" })
  .max(MOST_OWNERS, { error: `must hold at most ${MOST_OWNERS} ids` });

/** D17: `client_credentials.<key>: <key> is required`. */
const clientCredentials = z.object(
  {
    clientId: requiredText("clientId", 512),
    clientSecret: requiredText("clientSecret", 4_000).meta({ writeOnly: true }),
    tokenUrl: requiredText("tokenUrl", 2_000).pipe(webUrl()),
  },
  { error: "must be an object" },
);

const email = z
  .string({ error: (issue) => (issue.input === undefined ? "email is required" : "must be a string") })
  .refine((value) => value.trim() !== "", { error: "email is required", abort: true })
  .refine(isEmail, { error: "must be a valid email address" });

/** One `@`, something in front of it, a dotted name behind it, nothing that a header or a page could trip over. */
export function isEmail(value: string): boolean {
  const at = value.indexOf("@");
  const domain = value.slice(at + 1);
  return (
    value.length <= 254 &&
    value.isWellFormed() &&
    at > 0 &&
    at <= 64 &&
    /^[^\s@<>()[\]\\,;:"\p{Cc}\p{Cf}]+$/u.test(value.slice(0, at)) &&
    domain.split(".").length >= 2 &&
    domain.split(".").every((label) => /^[\p{L}\p{N}](?:[\p{L}\p{N}\p{M}-]*[\p{L}\p{N}\p{M}])?$/u.test(label))
  );
}

/** Spec 4.4. The two variants share their keys; which one is meant decides which are required. */
export const PersonBody = z
  .object({ name: requiredText("name"), email, is_machine_user: flag().optional() })
  .meta({ id: "CreatePerson" });
export const MachineUserBody = z
  .object({
    is_machine_user: z.literal(true),
    name: requiredText("name"),
    slug: text()
      .refine(isSlug, { error: SLUG_MESSAGE })
      .refine((value) => value.length <= SLUG_MAX_LENGTH, { error: `must be at most ${SLUG_MAX_LENGTH} characters` })
      .optional(),
    client_credentials: clientCredentials.optional(),
    owner_ids: ownerIds.optional(),
  })
  .meta({ id: "CreateMachineUser" });

export const UpdateUserBody = z
  .object({
    name: requiredText("name").optional(),
    risk_score: z
      .number({ error: "must be a number from 0 to 100, or null" })
      .min(0, { error: "must be a number from 0 to 100, or null" })
      .max(100, { error: "must be a number from 0 to 100, or null" })
      .nullable()
      .optional(),
    owner_ids: ownerIds.optional(),
  })
  .meta({ id: "UpdateUser" });

const LONGEST_OVERLAP_SECONDS = 7 * 24 * 60 * 60;
const overlapMessage = `must be an integer from 0 to ${LONGEST_OVERLAP_SECONDS}`;

export const RotateUserSecretBody = z
  .object({
    overlap_seconds: z
      .int({ error: overlapMessage })
      .min(0, { error: overlapMessage })
      .max(LONGEST_OVERLAP_SECONDS, { error: overlapMessage })
      .default(0)
      .meta({ description: "How long the secret so far stays valid beside the new one" }),
  })
  .meta({ id: "RotateUserSecret" });

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
