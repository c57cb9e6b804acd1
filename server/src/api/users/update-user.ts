import { z } from "zod";
import { write } from "#api/kit/operation";
import { targetParameter } from "#api/kit/parameters";
import { endEverywhere } from "#identity/end-everywhere";
import { invalid, managedByScim, notFound, unknownReferences } from "#lib/errors";
import { voidInvitation } from "#records/invitations";
import { findToolkit } from "#records/toolkits";
import {
  isLastOwner,
  LAST_OWNER_MESSAGE,
  lockUser,
  mayManage,
  replaceOwners,
  unknownOwnerIds,
  updateUser as updateRow,
  userSearchText,
  userWithLinks,
} from "#records/users";
import type { SessionEnd } from "#records/web-sessions";
import type { MainTransaction } from "#storage/database";
import type { UserRow } from "#storage/user-tables";
import { requireIdentityScope } from "./require-identity-scope.ts";
import { presentUser, UpdateUser, UpdateUserBody, User } from "./schema.ts";

type Changes = z.output<typeof UpdateUserBody>;

/** Spec 4.4, D17: `null` clears the risk score; owner_ids replaces the whole set, and an empty one removes all. */
export const updateUser = write({
  id: "updateUser",
  route: "PATCH /api/users",
  tag: "Users",
  summary: "Update a person or a machine user",
  description:
    "Omitted fields keep their values. API tokens and pending invitations that a person could no longer create, after a change of `role` or `disabled`, are deleted.",
  scope: "admin:write",
  query: { email: targetParameter("The user's email, case-insensitive", "ada@example.com") },
  body: UpdateUserBody,
  bodyDocument: UpdateUser,
  answers: { 200: z.object({ data: User }) },
  refusals: [400, 404, 409],
  onCrash: "Failed to update user",
  async run({ tx, trail, query, body, context, requireScope }) {
    const row = await lockUser(tx, query.email);
    if (!row) throw notFound.user(query.email);
    rejectFieldsOfOtherType(row, body);
    rejectManagedFields(row, body);
    if (changesAdminAccess(row, body)) requireScope("all");
    if (!row.is_machine_user) requireIdentityScope({ requireScope }, row.external_id, body.external_id);
    await rejectRemovingLastOwner(tx, row, body);
    const before = presentUser(await userWithLinks(tx, row.id));
    if (body.owner_ids !== undefined) {
      const [unknown] = await unknownOwnerIds(tx, body.owner_ids);
      if (unknown !== undefined) throw invalid("owner_ids", `user not found: ${unknown}`);
      await replaceOwners(tx, row.id, body.owner_ids);
    }
    await requireToolkit(tx, row, body.toolkit);
    const name = body.name ?? row.name;
    await updateRow(tx, trail, row.id, {
      name,
      search_text: userSearchText(name, row.email),
      risk_score: body.risk_score === undefined ? row.risk_score : body.risk_score,
      role: body.role ?? row.role,
      disabled: body.disabled ?? row.disabled,
      disabled_by_admin: row.suspended && (body.disabled || row.disabled_by_admin),
      toolkit: body.toolkit === undefined ? row.toolkit : body.toolkit,
      external_id: body.external_id === undefined ? row.external_id : body.external_id,
      updated_at: context.clock.now(),
    });
    await endAccess({ tx, trail }, row, body);
    const after = presentUser(await userWithLinks(tx, row.id));
    const target = { kind: "user", id: row.id, name: row.email };
    trail.audit({ operation: "updateUser", target, before, after });
    return { status: 200, body: { data: after } };
  },
});

function rejectFieldsOfOtherType({ is_machine_user: isMachine }: UserRow, body: Changes): void {
  if (body.owner_ids !== undefined && !isMachine) {
    throw invalid("owner_ids", "owner_ids can only be set on machine users");
  }
  if (body.toolkit != null && !isMachine) throw invalid("toolkit", "toolkit can only be set on machine users");
  if (body.role !== undefined && isMachine) throw invalid("role", "role can only be set on people");
}

/** The identity provider would overwrite these changes (decision 0117). */
function rejectManagedFields(row: UserRow, { name, external_id: externalId, disabled }: Changes): void {
  if (row.provisioned_by == null) return;
  if (name !== undefined && name !== row.name) throw managedByScim("name", "user");
  if (externalId !== undefined && externalId !== (row.external_id ?? null)) throw managedByScim("external_id", "user");
  if (disabled === false && row.suspended) {
    const next = "Reactivate the person there, or detach the user from SCIM first";
    throw invalid("disabled", `the identity provider deactivated this person. ${next}`);
  }
}

/** F12: a toolkit of the organization, or one of the machine user. Toolkits of others do not exist for it. */
async function requireToolkit(tx: MainTransaction, { id }: UserRow, slug: string | null | undefined): Promise<void> {
  if (slug == null) return;
  const toolkit = await findToolkit(tx, slug);
  const isUsable = toolkit?.owner_id === null || toolkit?.owner_id === id;
  if (!isUsable) throw unknownReferences("Toolkits", [slug]);
}

/** Such a change requires the scope `all` (decision 0009). */
function changesAdminAccess(before: UserRow, changes: Changes): boolean {
  const { role = before.role, disabled = before.disabled } = changes;
  return role !== before.role || (disabled !== before.disabled && mayManage(role));
}

async function rejectRemovingLastOwner(
  tx: MainTransaction,
  before: UserRow,
  { role, disabled }: Changes,
): Promise<void> {
  const field = disabled ? "disabled" : role !== undefined && role !== "owner" ? "role" : undefined;
  if (field !== undefined && (await isLastOwner(tx, before))) throw invalid(field, LAST_OWNER_MESSAGE);
}

/** Ends the sessions of a disabled person, and the invitation of a new admin, which needed less than `all` (decision 0009). */
async function endAccess({ tx, trail }: SessionEnd, before: UserRow, { disabled, role }: Changes): Promise<void> {
  const becomesAdmin = role !== undefined && role !== before.role && mayManage(role);
  if (disabled || becomesAdmin) await voidInvitation(tx, before.id);
  if (!disabled) return;
  await endEverywhere({ tx, trail }, before.id);
}
