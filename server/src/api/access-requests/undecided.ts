import { notFound, Refusal } from "#lib/errors";
import { findRequest, lockPendingRequest } from "#records/access-requests";
import type { MainTransaction } from "#storage/database";
import type { AccessRequestRow } from "#storage/request-tables";

export const LONGEST_NOTE = 1_000;

/** A request is decided once: a second decision is 409, as for approvals (F39). */
export async function lockUndecided(tx: MainTransaction, id: string): Promise<AccessRequestRow> {
  const pending = await lockPendingRequest(tx, id);
  if (pending) return pending;
  const decided = await findRequest(tx, id);
  if (!decided) throw notFound.accessRequest();
  throw new Refusal("conflict", `The request is already ${decided.status}`);
}
