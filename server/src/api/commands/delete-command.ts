import { Message } from "#api/kit/answers";
import { write } from "#api/kit/operation";
import { targetParameter } from "#api/kit/parameters";
import { notFound } from "#lib/errors";
import { deleteCommand as deleteRow, lockCommand } from "#records/commands";
import { renameCommandInToolkits } from "#records/toolkits";
import { presentCommand } from "./present.ts";

/** Families 4. */
export const deleteCommand = write({
  id: "deleteCommand",
  route: "DELETE /api/commands",
  tag: "Commands",
  summary: "Delete a command",
  description: "Callers cannot use it from now on. Toolkits lose it.",
  scope: "admin:write",
  query: { slug: targetParameter("The command's slug", "release-notes") },
  answers: { 200: Message },
  refusals: [400, 404, 409],
  onCrash: "Failed to delete command",
  async run({ tx, trail, query }) {
    const row = await lockCommand(tx, query.slug);
    if (!row) throw notFound.command();
    const before = await presentCommand(tx, row);
    await deleteRow(tx, trail, row.id);
    await renameCommandInToolkits(tx, trail, row.slug, undefined);
    trail.audit({ operation: "deleteCommand", target: { kind: "command", id: row.id, name: row.slug }, before });
    return { status: 200, body: { message: "Command deleted successfully" } };
  },
});
