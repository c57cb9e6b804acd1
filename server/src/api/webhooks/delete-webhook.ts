import { Message } from "#api/kit/answers";
import { write } from "#api/kit/operation";
import { targetParameter } from "#api/kit/parameters";
import { notFound } from "#lib/errors";
import { deleteWebhook as deleteRow, lockWebhook } from "#records/webhooks";
import { auditedWebhook } from "./schema.ts";

/** F50. */
export const deleteWebhook = write({
  id: "deleteWebhook",
  route: "DELETE /api/webhooks",
  tag: "Webhooks",
  summary: "Delete a webhook",
  description: "Also deletes its deliveries. Pending events are not sent.",
  scope: "admin:write",
  query: { id: targetParameter("The webhook's ID", "whk_01kc5v6q3zt9x4m2e8h7d5n1pw") },
  answers: { 200: Message },
  refusals: [400, 404, 409],
  onCrash: "Failed to delete webhook",
  async run({ tx, trail, query }) {
    const row = await lockWebhook(tx, query.id);
    if (!row) throw notFound.webhook();
    await deleteRow(tx, row.id);
    const target = { kind: "webhook", id: row.id, name: row.name };
    trail.audit({ operation: "deleteWebhook", target, before: auditedWebhook(row) });
    return { status: 200, body: { message: "Webhook deleted successfully" } };
  },
});
