import { Message } from "#api/kit/answers";
import { write } from "#api/kit/operation";
import { targetParameter } from "#api/kit/parameters";
import { invalid, managedByScim, notFound } from "#lib/errors";
import { credentialsOfUser } from "#records/credentials";
import {
  deleteUser as deleteRow,
  isLastOwner,
  LAST_OWNER_MESSAGE,
  lockUser,
  mayManage,
  ownedUserIds,
  userWithLinks,
} from "#records/users";
import { presentUser } from "./schema.ts";

/** D20: also deletes memberships, ownerships, keys and connections. A user created again inherits nothing (AZ-7). */
export const deleteUser = write({
  id: "deleteUser",
  route: "DELETE /api/users",
  tag: "Users",
  summary: "Delete a person or a machine user",
  description:
    "Also deletes access keys, group memberships, connections, and the API tokens and pending invitations that a person created. Machine users owned by a deleted person are kept. This cannot be undone.",
  scope: "admin:write",
  query: { email: targetParameter("The user's email, case-insensitive", "ada@example.com") },
  answers: { 200: Message },
  refusals: [400, 404, 409],
  onCrash: "Failed to delete user",
  async run({ tx, trail, query, requireScope }) {
    const row = await lockUser(tx, query.email);
    if (!row) throw notFound.user(query.email);
    if (mayManage(row.role)) requireScope("all");
    if (row.provisioned_by != null) throw managedByScim("email", "user");
    if (await isLastOwner(tx, row)) throw invalid("email", LAST_OWNER_MESSAGE);
    const credentials = await credentialsOfUser(tx, row.id);
    const before = {
      ...presentUser(await userWithLinks(tx, row.id)),
      access_keys: credentials.map((credential) => credential.access_key),
      owned_user_ids: await ownedUserIds(tx, row.id),
    };
    await deleteRow(tx, trail, row.id);
    trail.audit({ operation: "deleteUser", target: { kind: "user", id: row.id, name: row.email }, before });
    return { status: 200, body: { message: "User deleted successfully" } };
  },
});
