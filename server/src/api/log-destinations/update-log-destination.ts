import { z } from "zod";
import { write } from "#api/kit/operation";
import { targetParameter } from "#api/kit/parameters";
import { notFound } from "#lib/errors";
import { fold } from "#lib/fold";
import {
  cursorSources,
  findLogDestination,
  lockLogDestination,
  newestPosition,
  openLogSecrets,
  retryNow,
  sealLogSecrets,
  setCursors,
  updateLogDestination as updateRow,
} from "#records/log-destinations";
import { resolveKindFields } from "./kind-fields.ts";
import { auditedLogDestination, presentLogDestination } from "./present.ts";
import { LogDestination, UpdateLogDestinationBody } from "./schema.ts";

/** F57. */
export const updateLogDestination = write({
  id: "updateLogDestination",
  route: "PATCH /api/log-destinations",
  tag: "Log destinations",
  summary: "Update a log destination",
  description:
    "Omitted fields keep their values; the kind cannot be changed. A destination that is paused with `enabled` continues later where it stopped, unless retention has deleted the records by then. An added source starts with its next record.",
  scope: "admin:write",
  query: { id: targetParameter("The log destination's ID", "lgd_01kc5v6q3zt9x4m2e8h7d5n1pw") },
  body: UpdateLogDestinationBody,
  answers: { 200: z.object({ data: LogDestination }) },
  refusals: [400, 404, 409],
  onCrash: "Failed to update log destination",
  async run({ tx, trail, query, body, context, afterCommit }) {
    const row = await lockLogDestination(tx, query.id);
    if (!row) throw notFound.logDestination();
    const { name, sources, outcomes, enabled, ...given } = body;
    const before = { config: row.config, secrets: openLogSecrets(context.vault, row) };
    const { config, secrets } = resolveKindFields(context, row.kind, given, before);
    const hasSecrets = [given.headers, given.secret, given.secret_access_key].some((value) => value !== undefined);
    const now = context.clock.now();
    await updateRow(tx, row.id, {
      ...{ name, sources, outcomes, enabled, config, updated_at: now },
      ...(name !== undefined && { name_key: fold(name) }),
      ...(hasSecrets && { sealed_secrets: sealLogSecrets(context.vault, row.id, secrets) }),
    });
    const databases = { main: tx, calls: context.databases.calls };
    const positions = new Map<ReturnType<typeof cursorSources>[number], number>();
    for (const source of cursorSources(sources ?? row.sources))
      positions.set(source, await newestPosition(databases, source));
    await setCursors(tx, row.id, positions);
    await retryNow(tx, row.id);
    const updated = await findLogDestination(tx, row.id);
    if (!updated) throw notFound.logDestination();
    trail.audit({
      operation: "updateLogDestination",
      target: { kind: "log_destination", id: row.id, name: updated.name },
      before: auditedLogDestination(row),
      after: { ...auditedLogDestination(updated), ...(hasSecrets && { secrets_replaced: true }) },
    });
    afterCommit(() => context.logShipping.wake());
    return { status: 200, body: { data: await presentLogDestination(databases, updated, now) } };
  },
});
