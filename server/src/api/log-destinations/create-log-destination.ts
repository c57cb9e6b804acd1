import { z } from "zod";
import { write } from "#api/kit/operation";
import { fold } from "#lib/fold";
import {
  cursorSources,
  insertLogDestination,
  newestPosition,
  sealLogSecrets,
  setCursors,
} from "#records/log-destinations";
import { newWebhookSecret } from "#records/webhooks";
import type { LogDestinationRow } from "#storage/log-destination-tables";
import { resolveKindFields } from "./kind-fields.ts";
import { auditedLogDestination, presentLogDestination } from "./present.ts";
import { CreateLogDestinationBody, LogDestination } from "./schema.ts";

/** F57. */
export const createLogDestination = write({
  id: "createLogDestination",
  route: "POST /api/log-destinations",
  tag: "Log destinations",
  summary: "Create a log destination",
  description:
    "Sends the call log, the audit log, or both continuously, in the order of the log. Every record arrives at least once and has an ID that does not change. A failed request is repeated until it succeeds. It starts with the next record; rewind it to send older ones.",
  scope: "admin:write",
  body: CreateLogDestinationBody,
  answers: {
    201: z.object({
      data: LogDestination,
      secret: z.string().optional().meta({
        description:
          "`webhook`: the generated signing secret, which cannot be retrieved later. Omitted if the request contains one, or when an idempotent request is repeated",
        example: "whsec_…",
      }),
    }),
  },
  refusals: [400],
  onCrash: "Failed to create log destination",
  shownOnce: ["secret"],
  async run({ tx, trail, body, actor, context, afterCommit }) {
    const { name, kind, sources, outcomes, enabled, ...given } = body;
    const { config, secrets } = resolveKindFields(context, kind, given);
    const generated = kind === "webhook" && secrets.secret === undefined ? newWebhookSecret(context.random) : undefined;
    const id = context.newId("lgd");
    const now = context.clock.now();
    const row: LogDestinationRow = {
      ...{ id, name, name_key: fold(name), kind, sources, outcomes, config, enabled },
      sealed_secrets: sealLogSecrets(context.vault, id, { ...secrets, ...(generated && { secret: generated }) }),
      ...{ created_by: actor.name, created_at: now, updated_at: now },
    };
    await insertLogDestination(tx, row);
    const databases = { main: tx, calls: context.databases.calls };
    const positions = new Map<ReturnType<typeof cursorSources>[number], number>();
    for (const source of cursorSources(sources)) positions.set(source, await newestPosition(databases, source));
    await setCursors(tx, id, positions);
    const target = { kind: "log_destination", id, name };
    trail.audit({ operation: "createLogDestination", target, after: auditedLogDestination(row) });
    afterCommit(() => context.logShipping.wake());
    const data = await presentLogDestination(databases, row, now);
    return { status: 201, body: { data, ...(generated !== undefined && { secret: generated }) } };
  },
});
