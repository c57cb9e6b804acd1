import { z } from "zod";
import { isoTime } from "#api/kit/answers";
import { write } from "#api/kit/operation";
import { targetParameter } from "#api/kit/parameters";
import { invalid, notFound } from "#lib/errors";
import { rotateMachineSecret } from "#records/credentials";
import { readSettings } from "#records/settings";
import { lockUser, userWithLinks } from "#records/users";
import { Credentials, presentUser, RotateUserSecretBody, User } from "./schema.ts";

/** D20, SEC-8: the old secret ends immediately unless an overlap is requested. The access key stays. */
export const rotateUserSecret = write({
  id: "rotateUserSecret",
  route: "POST /api/users/rotate-secret",
  tag: "Users",
  summary: "Rotate a machine user's secret",
  description:
    "Returns a new secret; the access key stays the same. With `overlap_seconds`, the old secret stays valid for that long.",
  scope: "admin:write",
  query: { email: targetParameter("The machine user's email, case-insensitive", "build-bot@machine.example.com") },
  body: RotateUserSecretBody,
  bodyIsOptional: true,
  answers: {
    200: z.object({
      data: User,
      credentials: Credentials.optional().meta({
        description: "The access key and the new secret. Omitted when an idempotent request is repeated",
        example: { client_id: "gh_ak_…", secret: "gh_sk_…" },
      }),
    }),
  },
  refusals: [400, 404],
  onCrash: "Failed to rotate secret",
  shownOnce: ["credentials"],
  async run({ tx, trail, query, body, context }) {
    const row = await lockUser(tx, query.email);
    if (!row) throw notFound.user(query.email);
    if (!row.is_machine_user) throw invalid("email", `not a machine user: ${query.email}`);
    const overlapMs = body.overlap_seconds * 1000;
    const previousExpiresAt = overlapMs === 0 ? null : context.clock.now() + overlapMs;
    const { random, vault } = context;
    const { machine_secret_reveal: keepsCopy } = await readSettings(tx);
    const key = await rotateMachineSecret(tx, trail, { userId: row.id, previousExpiresAt, random, vault, keepsCopy });
    trail.audit({
      operation: "rotateUserSecret",
      target: { kind: "user", id: row.id, name: row.email },
      after: {
        access_key: key.accessKey,
        previous_secret_expires_at: previousExpiresAt === null ? null : isoTime(previousExpiresAt),
      },
    });
    const data = presentUser(await userWithLinks(tx, row.id));
    return { status: 200, body: { data, credentials: { client_id: key.accessKey, secret: key.secret } } };
  },
});
