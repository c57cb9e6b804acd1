import { z } from "zod";
import { type WriteInput, write } from "#api/kit/operation";
import { returnParameter } from "#api/kit/parameters";
import { sealClientCredentials } from "#connect/connect";
import { invalid } from "#lib/errors";
import { slugFromName } from "#lib/slug";
import { insertMachineKey, type MachineKey } from "#records/credentials";
import { joinAutoAssignGroups } from "#records/groups";
import { readSettings } from "#records/settings";
import {
  insertMachineUser,
  insertPerson,
  newUserRow,
  replaceOwners,
  type UserWithLinks,
  unknownOwnerIds,
  userWithLinks,
} from "#records/users";
import type { UserRow } from "#storage/user-tables";
import { requireIdentityScope } from "./require-identity-scope.ts";
import { Credentials, MachineUserBody, PersonBody, presentUser, User } from "./schema.ts";

/** Determines the variant before its fields are checked (Spec 4.4). */
const CreateUserBody = z
  .looseObject({ is_machine_user: z.boolean({ error: "must be true or false" }).optional() })
  .transform((body, context): z.output<typeof PersonBody> | z.output<typeof MachineUserBody> => {
    const checked = body.is_machine_user ? MachineUserBody.safeParse(body) : PersonBody.safeParse(body);
    if (checked.success && !body.is_machine_user) rejectMachineFields(body, context);
    if (checked.success) return checked.data;
    for (const issue of checked.error.issues) {
      context.addIssue({ code: "custom", message: issue.message, path: issue.path });
    }
    return z.NEVER;
  });

function rejectMachineFields(body: Record<string, unknown>, context: z.core.$RefinementCtx): void {
  for (const field of ["owner_ids", "client_credentials"]) {
    if (body[field] === undefined) continue;
    context.addIssue({ code: "custom", message: `${field} can only be set on machine users`, path: [field] });
  }
}

type CreateUserInput = WriteInput<unknown, unknown, unknown, typeof CreateUserBody>;

/** Spec 4.4, D15, D17–D19. The response has the whole user with or without `return=full`. */
export const createUser = write({
  id: "createUser",
  route: "POST /api/users",
  tag: "Users",
  summary: "Create a person or a machine user",
  description:
    "The response for a machine user contains its access key and secret, which work immediately; the secret is not returned again by this operation. People join all groups with `auto_assign_users`.",
  scope: "admin:write",
  query: { return: returnParameter },
  body: CreateUserBody,
  bodyDocument: z.union([PersonBody, MachineUserBody]),
  answers: {
    201: z.object({
      data: User,
      credentials: Credentials.optional().describe(
        "A machine user's access key and secret. Omitted when an idempotent request is repeated",
      ),
    }),
  },
  refusals: [400],
  onCrash: "Failed to create user",
  shownOnce: ["credentials"],
  async run(input) {
    const { tx, trail, body } = input;
    const { user, key } = "email" in body ? await createPerson(input, body) : await createMachine(input, body);
    const data = presentUser(user);
    const after = key ? { ...data, access_key: key.accessKey } : data;
    trail.audit({ operation: "createUser", target: { kind: "user", id: user.id, name: user.email }, after });
    const shown = key ? { credentials: { client_id: key.accessKey, secret: key.secret } } : {};
    return { status: 201, body: { data: presentUser(await userWithLinks(tx, user.id)), ...shown } };
  },
});

interface CreatedUser {
  readonly user: UserWithLinks;
  readonly key?: MachineKey;
}

async function createPerson(
  { tx, trail, context, requireScope }: CreateUserInput,
  body: z.output<typeof PersonBody>,
): Promise<CreatedUser> {
  requireIdentityScope({ requireScope }, null, body.external_id);
  const person = newUserRow(context.newId("usr"), body.name, body.email, context.clock.now());
  const row = { ...person, external_id: body.external_id ?? null };
  await insertPerson(tx, trail, row);
  await joinAutoAssignGroups(tx, trail, "auto_assign_users", row.id);
  return { user: await userWithLinks(tx, row.id) };
}

async function createMachine(
  { tx, trail, context }: CreateUserInput,
  body: z.output<typeof MachineUserBody>,
): Promise<CreatedUser> {
  const owners = body.owner_ids ?? [];
  const [unknown] = await unknownOwnerIds(tx, owners);
  if (unknown !== undefined) throw invalid("owner_ids", `user not found: ${unknown}`);
  const id = context.newId("usr");
  const now = context.clock.now();
  const row: UserRow = {
    ...newUserRow(id, body.name, "", now),
    is_machine_user: true,
    external_id: body.external_id ?? null,
    sealed_client_credentials: body.client_credentials
      ? sealClientCredentials(context.vault, id, body.client_credentials)
      : null,
  };
  const wanted = body.slug ?? slugFromName(body.name, "machine");
  await insertMachineUser(tx, trail, row, wanted, (slug) => `${slug}@machine.${context.orgDomain}`);
  await replaceOwners(tx, id, owners);
  const { random, vault } = context;
  const { machine_secret_reveal: keepsCopy } = await readSettings(tx);
  const key = await insertMachineKey(tx, trail, {
    id: context.newId("crd"),
    userId: id,
    now,
    random,
    vault,
    keepsCopy,
  });
  return { user: await userWithLinks(tx, id), key };
}
