import { Message } from "#api/kit/answers";
import { write } from "#api/kit/operation";
import { flagParameter, targetParameter } from "#api/kit/parameters";
import { presentToolkits } from "#api/presenters/toolkit";
import { notFound, Refusal } from "#lib/errors";
import { agentsBoundTo } from "#records/agents";
import { deleteToolkit as deleteRow, lockToolkit, usersBoundTo } from "#records/toolkits";

/** Families 2. */
export const deleteToolkit = write({
  id: "deleteToolkit",
  route: "DELETE /api/toolkits",
  tag: "Toolkits",
  summary: "Delete a toolkit",
  description:
    "Users keep the access that their groups give them. A machine user or an agent that is bound to the toolkit would lose all access, so this is a 409 unless `force` is true.",
  scope: "admin:write",
  query: {
    slug: targetParameter("The toolkit's slug", "triage"),
    force: flagParameter("Deletes it although machine users or agents are bound to it"),
  },
  answers: { 200: Message },
  refusals: [400, 404, 409],
  onCrash: "Failed to delete toolkit",
  async run({ tx, trail, query }) {
    const row = await lockToolkit(tx, query.slug);
    if (!row) throw notFound.toolkit();
    const [bound] = query.force ? [] : await usersBoundTo(tx, row.slug, 1);
    if (bound !== undefined) throw new Refusal("conflict", `toolkit is used by machine user ${bound}`);
    const [agent] = query.force ? [] : await agentsBoundTo(tx, row.slug, 1);
    if (agent !== undefined) throw new Refusal("conflict", `toolkit is used by agent ${agent}`);
    const [before] = await presentToolkits(tx, [row]);
    await deleteRow(tx, trail, row.id);
    trail.audit({
      operation: "deleteToolkit",
      target: { kind: "toolkit", id: row.id, name: row.slug },
      before: before ?? {},
    });
    return { status: 200, body: { message: "Toolkit deleted successfully" } };
  },
});
