import { z } from "zod";
import { write } from "#api/kit/operation";
import { targetParameter } from "#api/kit/parameters";
import { personOf, requireFreshSignIn } from "#api/kit/web-session";
import { invalid, notFound, Refusal } from "#lib/errors";
import { countAudit } from "#records/audit";
import { revealMachineKey } from "#records/credentials";
import { readSettings } from "#records/settings";
import { lockUser } from "#records/users";
import type { MainTransaction } from "#storage/database";
import { Credentials } from "./schema.ts";

/** Spec 2.7, SEC-9: a write, because its audit entry is committed before the secret is returned. */
export const revealUserSecret = write({
  id: "revealUserSecret",
  route: "POST /api/users/reveal-secret",
  tag: "Users",
  summary: "Reveal a machine user's secret",
  description:
    "Requires authentication within the last 5 minutes and is recorded in the audit log. Limited to 10 secrets per person and minute. Rejected if the setting `machine_secret_reveal` is off; rotate the secret instead.",
  scope: "admin:write",
  callers: "people",
  query: { email: targetParameter("The machine user's email, case-insensitive", "build-bot@machine.example.com") },
  answers: {
    200: z.object({
      credentials: Credentials.optional().meta({
        description: "The access key and secret. Omitted when an idempotent request is repeated",
        example: { client_id: "gh_ak_…", secret: "gh_sk_…" },
      }),
    }),
  },
  refusals: [400, 404],
  onCrash: "Failed to reveal secret",
  shownOnce: ["credentials"],
  async run({ tx, trail, query, visitor, context }) {
    const person = personOf(visitor);
    requireFreshSignIn(context, person);
    await limitReveals(tx, person.user.id, context.clock.now());
    const row = await lockUser(tx, query.email);
    if (!row) throw notFound.user(query.email);
    if (!row.is_machine_user) throw invalid("email", `not a machine user: ${query.email}`);
    const { machine_secret_reveal: isAllowed } = await readSettings(tx);
    const key = isAllowed ? await revealMachineKey(tx, row.id, context.vault) : undefined;
    if (!key) throw invalid("email", "the secret is not stored and cannot be revealed, rotate it instead");
    trail.audit({
      operation: "revealUserSecret",
      target: { kind: "user", id: row.id, name: row.email },
      after: { access_key: key.accessKey },
    });
    return { status: 200, body: { credentials: { client_id: key.accessKey, secret: key.secret } } };
  },
});

const MOST_A_MINUTE = 10;

/** Prevents copying all secrets from an unattended browser. Counts audit entries, so the limit holds for all replicas. */
async function limitReveals(tx: MainTransaction, userId: string, now: number): Promise<void> {
  const filters = { operation: "revealUserSecret", actor: userId, from: now - 60_000 };
  if ((await countAudit(tx, filters)) < MOST_A_MINUTE) return;
  const message = "email: you revealed too many secrets, try again in 60 seconds";
  throw new Refusal("invalid", message, { retryAfterSeconds: 60 });
}
