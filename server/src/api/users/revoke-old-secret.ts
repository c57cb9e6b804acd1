import { z } from "zod";
import { isoTime } from "#api/kit/answers";
import { write } from "#api/kit/operation";
import { targetParameter } from "#api/kit/parameters";
import { invalid, notFound } from "#lib/errors";
import { revokePreviousSecret } from "#records/credentials";
import { lockUser, userWithLinks } from "#records/users";
import { presentUser, User } from "./schema.ts";

/** SEC-8: ends the overlap of a rotation early. */
export const revokeOldSecret = write({
  id: "revokeOldSecret",
  route: "POST /api/users/revoke-old-secret",
  tag: "Users",
  summary: "Revoke a machine user's old secret after a rotation",
  description:
    "The secret from before the last rotation stops working immediately. The access key and the current secret stay valid. Succeeds if there is no old secret.",
  scope: "admin:write",
  query: { email: targetParameter("The machine user's email, case-insensitive", "build-bot@machine.example.com") },
  answers: { 200: z.object({ data: User }) },
  refusals: [400, 404],
  onCrash: "Failed to revoke old secret",
  async run({ tx, trail, query }) {
    const row = await lockUser(tx, query.email);
    if (!row) throw notFound.user(query.email);
    if (!row.is_machine_user) throw invalid("email", `not a machine user: ${query.email}`);
    const { accessKey, expiresAt } = await revokePreviousSecret(tx, trail, row.id);
    const state = (at: number | null) => ({
      access_key: accessKey,
      previous_secret_expires_at: at === null ? null : isoTime(at),
    });
    trail.audit({
      operation: "revokeOldSecret",
      target: { kind: "user", id: row.id, name: row.email },
      before: state(expiresAt),
      after: state(null),
    });
    return { status: 200, body: { data: presentUser(await userWithLinks(tx, row.id)) } };
  },
});
