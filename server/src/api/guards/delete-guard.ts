import { Message } from "#api/kit/answers";
import { write } from "#api/kit/operation";
import { targetParameter } from "#api/kit/parameters";
import { notFound, Refusal } from "#lib/errors";
import { deleteGuard as deleteRow, lockGuard } from "#records/guards";
import { presentGuards } from "./schema.ts";

/** Families 6. */
export const deleteGuard = write({
  id: "deleteGuard",
  route: "DELETE /api/guards",
  tag: "Guards",
  summary: "Delete a guard",
  description: "It no longer applies to any call. Built-in guards can be disabled, but not deleted.",
  scope: "admin:write",
  query: { slug: targetParameter("The guard's slug", "ticket-numbers") },
  answers: { 200: Message },
  refusals: [400, 404, 409],
  onCrash: "Failed to delete guard",
  async run({ tx, trail, query }) {
    const row = await lockGuard(tx, query.slug);
    if (!row) throw notFound.guard();
    if (row.builtin_key !== null) throw new Refusal("unknown-reference", "Built-in guards cannot be deleted");
    const [before] = await presentGuards(tx, [row]);
    await deleteRow(tx, trail, row.id);
    trail.audit({
      operation: "deleteGuard",
      target: { kind: "guard", id: row.id, name: row.slug },
      before: before ?? {},
    });
    return { status: 200, body: { message: "Guard deleted successfully" } };
  },
});
