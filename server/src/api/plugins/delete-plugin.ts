import { Message } from "#api/kit/answers";
import { write } from "#api/kit/operation";
import { targetParameter } from "#api/kit/parameters";
import { notFound } from "#lib/errors";
import { deletePlugin as deleteRow, lockPlugin } from "#records/plugins";
import { presentPlugin } from "./present.ts";

/** Families 5. */
export const deletePlugin = write({
  id: "deletePlugin",
  route: "DELETE /api/plugins",
  tag: "Plugins",
  summary: "Delete a plugin",
  description: "Deletes all its releases. Callers cannot install or update it from now on.",
  scope: "admin:write",
  query: { slug: targetParameter("The plugin's slug", "engineering") },
  answers: { 200: Message },
  refusals: [400, 404, 409],
  onCrash: "Failed to delete plugin",
  async run({ tx, trail, query, context }) {
    const row = await lockPlugin(tx, query.slug);
    if (!row) throw notFound.plugin();
    const before = await presentPlugin(tx, row, context);
    await deleteRow(tx, row.id);
    trail.audit({ operation: "deletePlugin", target: { kind: "plugin", id: row.id, name: row.slug }, before });
    return { status: 200, body: { message: "Plugin deleted successfully" } };
  },
});
