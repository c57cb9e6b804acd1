import type { Clock } from "#lib/clock";
import { deleteApprovalsBefore, forgetArguments } from "#records/approvals";
import { deletePayloadsBefore, trimPayloads } from "#records/call-payloads";
import { deleteCallStatsBefore, deleteCallsBefore, deleteGuardCountsBefore } from "#records/calls";
import { deleteEmailsBefore, trimEmails } from "#records/emails";
import { type NumberSettingName, readSettings } from "#records/settings";
import { deleteDeliveriesBefore, forgetPreviousSecrets, trimDeliveries } from "#records/webhooks";
import type { Databases } from "#storage/database";
import type { Job } from "./runner.ts";

const MINUTE_MS = 60 * 1000;
const DAY_MS = 24 * 60 * MINUTE_MS;
/** Up to 140 million rows a day, in slices that are too small to delay other writers. */
const PACE = { rowsPerSlice: 2_000, slicesPerTurn: 50 };

/** F17. */
const ARGUMENT_DAYS = 30;
const DELIVERY_DAYS = 30;
const MOST_EMAILS = 10_000;
const DELIVERIES_PER_WEBHOOK = 10_000;

/** Deletes rows that are older than the settings allow. Reads the settings on each run. */
export function retentionJobs(
  { databases, clock }: { databases: Databases; clock: Clock },
  { rowsPerSlice, slicesPerTurn } = PACE,
): Job[] {
  const job = (
    name: string,
    setting: NumberSettingName,
    deleteBefore: (before: number, limit: number) => Promise<boolean>,
  ): Job => ({
    name,
    everyMs: MINUTE_MS,
    oncePerOrganization: true,
    async run() {
      const days = (await readSettings(databases.main))[setting];
      const before = clock.now() - days * DAY_MS;
      for (let slice = 0; slice < slicesPerTurn; slice++) {
        if (!(await deleteBefore(before, rowsPerSlice))) return;
      }
    },
  });
  const payloads: Job = {
    name: "forget-payloads",
    everyMs: MINUTE_MS,
    oncePerOrganization: true,
    async run() {
      const settings = await readSettings(databases.main);
      const isOff = settings.payload_capture === "off";
      const before = isOff ? Number.MAX_SAFE_INTEGER : clock.now() - settings.payload_retention_days * DAY_MS;
      const maxBytes = settings.payload_storage_mb * 1024 * 1024;
      let slices = slicesPerTurn;
      while (slices > 0 && (await deletePayloadsBefore(databases.calls, before, rowsPerSlice))) slices--;
      while (slices > 0 && (await trimPayloads(databases.calls, maxBytes, rowsPerSlice))) slices--;
    },
  };
  const deliveries: Job = {
    name: "forget-webhook-deliveries",
    everyMs: MINUTE_MS,
    oncePerOrganization: true,
    async run() {
      await forgetPreviousSecrets(databases.main, clock.now());
      await trimDeliveries(databases.main, DELIVERIES_PER_WEBHOOK);
      const before = clock.now() - DELIVERY_DAYS * DAY_MS;
      for (let slice = 0; slice < slicesPerTurn; slice++) {
        if (!(await deleteDeliveriesBefore(databases.main, before, rowsPerSlice))) return;
      }
    },
  };
  const approvedArguments: Job = {
    name: "forget-approval-arguments",
    everyMs: MINUTE_MS,
    oncePerOrganization: true,
    async run() {
      const before = clock.now() - ARGUMENT_DAYS * DAY_MS;
      for (let slice = 0; slice < slicesPerTurn; slice++) {
        if (!(await forgetArguments(databases.main, before, rowsPerSlice))) return;
      }
    },
  };
  return [
    deliveries,
    emailsJob({ databases, clock }, { slicesPerTurn, rowsPerSlice }),
    approvedArguments,
    job("forget-approvals", "audit_retention_days", (before, limit) =>
      deleteApprovalsBefore(databases.main, before, limit),
    ),
    job("forget-calls", "call_log_retention_days", (before, limit) =>
      deleteCallsBefore(databases.calls, before, limit),
    ),
    job("forget-call-statistics", "call_stats_retention_days", async (before, limit) => {
      await deleteGuardCountsBefore(databases.calls, before);
      return deleteCallStatsBefore(databases.calls, before, limit);
    }),
    payloads,
  ];
}

function emailsJob(
  { databases, clock }: { databases: Databases; clock: Clock },
  { slicesPerTurn, rowsPerSlice }: { slicesPerTurn: number; rowsPerSlice: number },
): Job {
  return {
    name: "forget-emails",
    everyMs: MINUTE_MS,
    oncePerOrganization: true,
    async run() {
      await trimEmails(databases.main, MOST_EMAILS);
      const before = clock.now() - DELIVERY_DAYS * DAY_MS;
      for (let slice = 0; slice < slicesPerTurn; slice++) {
        if (!(await deleteEmailsBefore(databases.main, before, rowsPerSlice))) return;
      }
    },
  };
}
