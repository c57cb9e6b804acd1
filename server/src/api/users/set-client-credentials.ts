import { z } from "zod";
import { write } from "#api/kit/operation";
import { targetParameter } from "#api/kit/parameters";
import { changeClientCredentials, openClientCredentials } from "#connect/connect";
import { invalid, notFound } from "#lib/errors";
import { lockUser, userWithLinks } from "#records/users";
import { ClientCredentialsBody, presentClient, presentUser, User } from "./schema.ts";

/** D24. A separate operation because `client_credentials` of a user are create-only (Spec 2.6, D17). */
export const setClientCredentials = write({
  id: "setClientCredentials",
  route: "PUT /api/users/client-credentials",
  tag: "Users",
  summary: "Set or remove a machine user's OAuth client",
  description:
    "Tokens of the previous client are deleted, and the next call requests one with the new client. The client secret is stored encrypted and never returned; `GET /api/users?include_details=true` shows the client ID and the token URL.",
  scope: "admin:write",
  query: { email: targetParameter("The machine user's email, case-insensitive", "build-bot@machine.example.com") },
  body: ClientCredentialsBody,
  answers: { 200: z.object({ data: User }) },
  refusals: [400, 404, 409],
  onCrash: "Failed to set client credentials",
  async run({ tx, trail, query, body, context }) {
    const row = await lockUser(tx, query.email);
    if (!row) throw notFound.user(query.email);
    if (!row.is_machine_user) throw invalid("email", `not a machine user: ${query.email}`);
    const { client_credentials: next } = body;
    await changeClientCredentials({ tx, trail, vault: context.vault, now: context.clock.now() }, row, next);
    trail.audit({
      operation: "setClientCredentials",
      target: { kind: "user", id: row.id, name: row.email },
      before: { client_credentials: presentClient(openClientCredentials(context.vault, row)) },
      after: { client_credentials: presentClient(next) },
    });
    return { status: 200, body: { data: presentUser(await userWithLinks(tx, row.id)) } };
  },
});
