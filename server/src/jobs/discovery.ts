import {
  deleteItemsUnseenSince,
  deleteRemovedBefore,
  deleteViolationsResolvedBefore,
  devicesUnseenSince,
  followGroups,
  forgetDevice,
  hasRuleExpiredBetween,
  listRules,
  readPolicy,
  requestEvaluation,
  updatePolicy,
} from "#records/discovery";
import { readSettings } from "#records/settings";
import { type WriteAuthor, type WriteContext, writeTransaction } from "#storage/transaction";
import type { Job } from "./runner.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
const EVALUATE_EVERY_MS = 15_000;
const ROWS_PER_SLICE = 1_000;
const SLICES = 200;
const DEVICES_PER_RUN = 500;
const AUTHOR: WriteAuthor = {
  actor: { kind: "system", id: "discovery", name: "AI discovery" },
  requestId: "discovery",
};

/** Deletes devices that stopped reporting, and items that are gone, when the setting says so. */
export function discoveryRetentionJob(context: WriteContext): Job {
  const { db, clock, newId } = context;
  return {
    name: "forget-discovered",
    everyMs: HOUR_MS,
    oncePerOrganization: true,
    async run() {
      const { discovery_retention_days: days } = await readSettings(db);
      const now = clock.now();
      const before = now - days * DAY_MS;
      const { version: policyVersion } = await readPolicy(db);
      for (const id of await devicesUnseenSince(db, before, DEVICES_PER_RUN)) {
        await writeTransaction(context, AUTHOR, (tx) => forgetDevice(tx, id, { now, newId, policyVersion }, before));
      }
      for (const deleteBefore of [deleteViolationsResolvedBefore, deleteRemovedBefore, deleteItemsUnseenSince]) {
        for (let slice = 0; slice < SLICES && (await deleteBefore(db, before, ROWS_PER_SLICE)); slice++);
      }
    },
  };
}

/**
 * Continues evaluations that another process began. Evaluates again after a rule expired, even if no process ran then, and
 * after changes of groups that rules use (decision 0153).
 */
export function evaluateDiscoveryJob(context: WriteContext, evaluate: () => Promise<void>): Job {
  return {
    name: "evaluate-discovery",
    everyMs: EVALUATE_EVERY_MS,
    oncePerOrganization: true,
    async run() {
      const now = context.clock.now();
      const { expiries_until: until } = await readPolicy(context.db);
      if (await hasRuleExpiredBetween(context.db, until, now)) {
        await writeTransaction(context, AUTHOR, async (tx) => {
          await requestEvaluation(tx);
          await updatePolicy(tx, { expiries_until: now });
        });
      }
      const rules = await listRules(context.db);
      if (rules.some(({ match }) => match.groups !== undefined)) {
        await writeTransaction(context, AUTHOR, (tx) => followGroups(tx));
      }
      await evaluate();
    },
  };
}
