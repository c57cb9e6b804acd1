/** Stores approvals of calls, and decides whether an identical call may continue. */
import type { ApprovalRecords, ApprovalState, CallToApprove } from "#gateway/ports";
import { Refusal } from "#lib/errors";
import {
  APPROVAL_MS,
  approvalsByIds,
  consumeApproval,
  digestsOf,
  eventOf,
  expireApproval,
  findByDigest,
  insertApproval,
  LARGEST_ARGUMENTS_BYTES,
  lockApproval,
  sealArguments,
} from "#records/approvals";
import { deciders, queueEmails } from "#records/emails";
import type { ApprovalRow } from "#storage/approval-tables";
import type { MainDb } from "#storage/database";
import { type WriteContext, writeTransaction } from "#storage/transaction";
import type { Vault } from "#storage/vault";

const GATEWAY = { actor: { kind: "system", id: "gateway", name: "gateway" }, requestId: "gateway" } as const;
const TOO_LARGE = `its arguments are larger than ${LARGEST_ARGUMENTS_BYTES / 1024} KB`;
const MAX_ATTEMPTS = 3;

export function createApprovalRecords(context: WriteContext, vault: Vault): ApprovalRecords {
  const { db, clock } = context;
  const use = async (id: string): Promise<ApprovalState> => {
    return (await consumeApproval(db, id, clock.now())) ? { kind: "used", id } : { kind: "gone", id };
  };
  const request = async (call: CallToApprove, attempt = 1): Promise<ApprovalState> => {
    const digests = digestsOf(vault, { ...call, serverId: call.server.id });
    const known = await findByDigest(db, digests);
    const state = known && stateOf(known, clock.now());
    if (state === "approved" && known) {
      const used = await use(known.id);
      if (used.kind === "used") return used;
    } else if (state && state !== "approved" && (state.kind === "pending" || state.kind === "denied")) return state;
    const created = await create(context, vault, call, digests[0], known);
    if (created) return created;
    // An identical call was faster.
    if (attempt >= MAX_ATTEMPTS) throw new Error("concurrent identical calls prevent an approval");
    return request(call, attempt + 1);
  };
  return {
    async request(call) {
      if (call.arguments.length > LARGEST_ARGUMENTS_BYTES) return { kind: "refused", message: TOO_LARGE };
      try {
        return await request(call);
      } catch (error) {
        if (error instanceof Refusal) return { kind: "refused", message: error.message };
        throw error;
      }
    },
    async decided(ids) {
      const now = clock.now();
      const states = (await approvalsByIds(db, ids)).map((row) => [row.id, stateOf(row, now)] as const);
      return new Map(states.filter(([, state]) => state === "approved" || state.kind !== "pending"));
    },
    use,
  };
}

/** Undefined if a concurrent identical call was faster. */
async function create(
  context: WriteContext,
  vault: Vault,
  call: CallToApprove,
  digest: string,
  known: ApprovalRow | undefined,
): Promise<ApprovalState | undefined> {
  const { clock, newId } = context;
  const id = newId("apr");
  const now = clock.now();
  const { result: isCreated } = await writeTransaction(context, GATEWAY, async (tx, trail) => {
    // The job that expires approvals runs once a minute, and two pending ones cannot have the same digest.
    const before = known?.status === "pending" ? await lockApproval(tx, known.id) : undefined;
    if (before?.status === "pending" && before.expires_at <= now) await expireApproval(tx, trail, before);
    const row = newRow(id, call, digest, { now, owners: await ownersOf(tx, call.userId) });
    const sealed = sealArguments(vault, id, call.arguments.toString("utf8"));
    if (!(await insertApproval(tx, { ...row, sealed_arguments: sealed }))) return false;
    await queueEmails(tx, newId, {
      ...{ kind: "approval_requested", recipients: await deciders(tx, [call.userId, ...row.owner_ids]), now },
      data: {
        caller: call.userEmail,
        tool: call.tool ?? call.method,
        server: call.server.name,
        guard: call.guard.name,
      },
      expiresAt: row.expires_at,
    });
    trail.emit("approval.requested", eventOf({ ...row, sealed_arguments: null }));
    return true;
  });
  return isCreated ? { kind: "pending", id, expiresAt: now + APPROVAL_MS } : undefined;
}

function newRow(
  id: string,
  { userId, userEmail, server, method, tool, arguments: bytes, guard, requestId }: CallToApprove,
  digest: string,
  { now, owners }: { readonly now: number; readonly owners: string[] },
): Omit<ApprovalRow, "search_text" | "sealed_arguments"> {
  return {
    ...{ id, status: "pending", user_id: userId, user_email: userEmail, owner_ids: owners },
    ...{ server_id: server.id, server_slug: server.slug, server_name: server.name, method, tool, digest },
    arguments_bytes: bytes.length,
    ...{ guard_slug: guard.slug, guard_name: guard.name, check_names: [...guard.checks], request_id: requestId },
    ...{ created_at: now, expires_at: now + APPROVAL_MS },
    ...{ decided_by: null, decided_at: null, note: null, consumed_at: null },
  };
}

async function ownersOf(db: MainDb, userId: string): Promise<string[]> {
  const rows = await db.selectFrom("user_owners").select("owner_id").where("user_id", "=", userId).execute();
  return rows.map(({ owner_id: id }) => id);
}

function stateOf(row: ApprovalRow, now: number): "approved" | Exclude<ApprovalState, { kind: "used" }> {
  const { id, status, expires_at: expiresAt, note } = row;
  if (status === "approved" && row.consumed_at !== null) return { kind: "gone", id };
  if (expiresAt <= now || status === "expired") return { kind: "expired", id };
  if (status === "approved") return "approved";
  return status === "denied" ? { kind: "denied", id, note: note ?? undefined } : { kind: "pending", id, expiresAt };
}
