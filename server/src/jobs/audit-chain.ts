import {
  cutChain,
  insertCheckpoint,
  lastCheckpoint,
  presentCheckpoint,
  readChainState,
  updateChainState,
  type VerifiedChain,
  verifyChain,
} from "#records/audit";
import { readSettings } from "#records/settings";
import { chainUnchained, hasUnchained } from "#storage/audit-chain";
import type { AuditProblem } from "#storage/audit-tables";
import { type WriteContext, writeTransaction } from "#storage/transaction";
import type { Vault } from "#storage/vault";
import type { Job } from "./runner.ts";

const MINUTE_MS = 60 * 1000;
const DAY_MS = 24 * 60 * MINUTE_MS;
const CHECKPOINT_MS = 10 * MINUTE_MS;
const CHECKPOINT_ENTRIES = 1_000;
const PACE = { rowsPerSlice: 2_000, slicesPerTurn: 50 };
const AUTHOR = {
  actor: { kind: "system", id: "audit-verification", name: "Audit verification" },
  requestId: "verify-audit",
} as const;

export interface AuditJobNeeds {
  readonly context: WriteContext;
  readonly vault: Vault;
}

/** Verifies new entries every minute and all entries every day, and signs checkpoints of what it verified. */
export function verifyAuditJob({ context, vault }: AuditJobNeeds): Job {
  const { db, clock } = context;
  return {
    name: "verify-audit",
    everyMs: MINUTE_MS,
    oncePerOrganization: true,
    async run() {
      await chainLeftovers(context);
      const state = await readChainState(db);
      const now = clock.now();
      const isFull = state.full_at === null || state.full_at > now || now - state.full_at >= DAY_MS;
      const found = await verifyChain(db, vault, isFull ? {} : { after: state });
      if (found.problem) {
        await reportProblem(context, found.problem, state.problem);
        return;
      }
      await db.transaction().execute((tx) => updateChainState(tx, verifiedState(found, now, isFull)));
      await signWhenDue(context, vault, found.last);
    },
  };
}

/** A problem stays until all entries are verified without one. */
function verifiedState({ last, entries }: VerifiedChain, now: number, isFull: boolean) {
  return {
    seq: last.seq,
    hash: last.hash,
    verified_at: now,
    ...(entries > 0 && { entry_at: last.at }),
    ...(isFull && { full_at: now, problem: null }),
  };
}

async function chainLeftovers({ db }: WriteContext): Promise<void> {
  if (await hasUnchained(db)) await db.transaction().execute(chainUnchained);
}

async function reportProblem(context: WriteContext, problem: AuditProblem, known: AuditProblem | null): Promise<void> {
  if (known?.seq === problem.seq && known.reason === problem.reason) return;
  await writeTransaction(context, AUTHOR, async (tx, trail) => {
    await updateChainState(tx, { problem });
    const target = { kind: "audit", id: problem.id ?? String(problem.seq), name: `Entry ${problem.seq}` };
    trail.audit({ operation: "auditProblemFound", target, after: problem });
  });
}

async function signWhenDue(
  context: WriteContext,
  vault: Vault,
  position: { readonly seq: number; readonly hash: string },
): Promise<void> {
  const { db, clock, newId } = context;
  const now = clock.now();
  const last = await lastCheckpoint(db);
  if (position.seq <= (last?.seq ?? 0)) return;
  const isDue = !last || Math.abs(now - last.at) >= CHECKPOINT_MS || position.seq - last.seq >= CHECKPOINT_ENTRIES;
  if (!isDue) return;
  await writeTransaction(context, AUTHOR, async (tx, trail) => {
    const row = await insertCheckpoint(tx, vault, "periodic", position, { newId, at: now });
    trail.emit("audit.checkpoint", presentCheckpoint(vault, row));
  });
}

/** Deletes entries that are older than the settings allow, from the start of the chain. */
export function forgetAuditJob({ context, vault }: AuditJobNeeds, { rowsPerSlice: limit, slicesPerTurn } = PACE): Job {
  const { db, clock, newId } = context;
  return {
    name: "forget-audit",
    everyMs: MINUTE_MS,
    oncePerOrganization: true,
    async run() {
      await chainLeftovers(context);
      const { audit_retention_days: days } = await readSettings(db);
      const now = clock.now();
      const before = now - days * DAY_MS;
      for (let slice = 0; slice < slicesPerTurn; slice++) {
        if (!(await db.transaction().execute((tx) => cutChain(tx, vault, { before, limit, now, newId })))) return;
      }
    },
  };
}
