import { z } from "zod";
import { write } from "#api/http/operation";
import { targetParameter } from "#api/http/parameters";
import { invalid, notFound } from "#lib/errors";
import { voidInvitation } from "#records/invitations";
import {
  lockUser,
  replaceOwners,
  unknownOwnerIds,
  updateUser as updateRow,
  userSearchText,
  userWithLinks,
} from "#records/users";
import type { MainTransaction } from "#storage/database";
import type { UserRow } from "#storage/tables";
import { presentUser, UpdateUserBody, User } from "./schema.ts";

/** Spec 4.4, D17: `null` clears the risk score; owner_ids replaces the whole set, and an empty one removes all. */
export const updateUser = write({
  id: "updateUser",
  route: "PATCH /api/users",
  tag: "Users",
  summary: "Change a person or a machine user",
  description: "What is left out stays.",
  scope: "admin:write",
  query: { email: targetParameter("The user's e-mail, in any case", "ada@example.com") },
  body: UpdateUserBody,
  answers: { 200: z.object({ data: User }) },
  refusals: [400, 404],
  onCrash: "Failed to update user",
  async run({ tx, trail, query, body, world, requireScope }) {
    const row = await lockUser(tx, query.email);
    if (!row) throw notFound.user(query.email);
    if (body.owner_ids !== undefined && !row.is_machine_user) {
      throw invalid("owner_ids", "owner_ids can only be set on machine users");
    }
    if (body.role !== undefined && row.is_machine_user) throw invalid("role", "role can only be set on people");
    // An admin can do what no scope but `all` allows (decision 0009).
    if (body.role !== undefined && body.role !== row.role) requireScope("all");
    const before = presentUser(await userWithLinks(tx, row.id));
    if (body.owner_ids !== undefined) {
      const [unknown] = await unknownOwnerIds(tx, body.owner_ids);
      if (unknown !== undefined) throw invalid("owner_ids", `user not found: ${unknown}`);
      await replaceOwners(tx, row.id, body.owner_ids);
    }
    const name = body.name ?? row.name;
    await updateRow(tx, row.id, {
      name,
      search_text: userSearchText(name, row.email),
      risk_score: body.risk_score === undefined ? row.risk_score : body.risk_score,
      role: body.role ?? row.role,
      disabled: body.disabled ?? row.disabled,
      updated_at: world.clock.now(),
    });
    await voidOutdatedInvitation(tx, row, body);
    const after = presentUser(await userWithLinks(tx, row.id));
    trail.changed("user", row.id);
    trail.audit({ operation: "updateUser", target: { kind: "user", id: row.id, name: row.email }, before, after });
    return { status: 200, body: { data: after } };
  },
});

/** Of who is disabled, and of a new admin: less than `all` was enough to make that link (decision 0009). */
async function voidOutdatedInvitation(
  tx: MainTransaction,
  before: UserRow,
  { disabled, role }: z.output<typeof UpdateUserBody>,
): Promise<void> {
  const becomesAdmin = role === "admin" && before.role !== "admin";
  if (disabled || becomesAdmin) await voidInvitation(tx, before.id);
}
