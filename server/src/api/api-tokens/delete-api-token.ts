import { Message } from "#api/kit/answers";
import { write } from "#api/kit/operation";
import { flagParameter, targetParameter } from "#api/kit/parameters";
import { notFound } from "#lib/errors";
import { deleteCreatedWith, deleteApiToken as deleteRow, findApiTokenById } from "#records/api-tokens";
import { presentApiToken } from "./schema.ts";

/** D22: takes effect immediately, because every request looks up its token, those of devices when they store their report. */
export const deleteApiToken = write({
  id: "deleteApiToken",
  route: "DELETE /api/api-tokens",
  tag: "API Tokens",
  summary: "Delete an API token",
  description:
    "The token stops working immediately. Tokens that were created with it keep working unless `include_created` is true.",
  scope: "all",
  query: {
    id: targetParameter("The token's ID", "tok_01kc5v6q3zt9x4m2e8h7d5n1pw"),
    include_created: flagParameter(
      "Also deletes the API tokens and pending invitations that were created with it, directly or indirectly. Use it if the token may have leaked",
    ),
  },
  answers: { 200: Message },
  refusals: [400, 404],
  onCrash: "Failed to delete API token",
  async run({ tx, trail, query }) {
    const row = await findApiTokenById(tx, query.id);
    if (!row) throw notFound.apiToken();
    await deleteRow(tx, row.id);
    if (query.include_created) await deleteCreatedWith(tx, trail, row.id);
    const target = { kind: "api-token", id: row.id, name: row.name };
    trail.audit({ operation: "deleteApiToken", target, before: presentApiToken(row) });
    return { status: 200, body: { message: "API token deleted successfully" } };
  },
});
