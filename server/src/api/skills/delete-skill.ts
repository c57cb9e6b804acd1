import { Message } from "#api/kit/answers";
import { write } from "#api/kit/operation";
import { targetParameter } from "#api/kit/parameters";
import { notFound } from "#lib/errors";
import { deleteSkill as deleteRow, lockSkill } from "#records/skills";
import { presentSkill } from "./present.ts";

/** Families 3. */
export const deleteSkill = write({
  id: "deleteSkill",
  route: "DELETE /api/skills",
  tag: "Skills",
  summary: "Delete a skill",
  description: "Deletes all its versions. Callers cannot read it from now on. Toolkits, commands and agents lose it.",
  scope: "admin:write",
  query: { slug: targetParameter("The skill's slug", "release-notes") },
  answers: { 200: Message },
  refusals: [400, 404, 409],
  onCrash: "Failed to delete skill",
  async run({ tx, trail, query }) {
    const row = await lockSkill(tx, query.slug);
    if (!row) throw notFound.skill();
    const before = await presentSkill(tx, row);
    await deleteRow(tx, trail, row);
    trail.audit({ operation: "deleteSkill", target: { kind: "skill", id: row.id, name: row.slug }, before });
    return { status: 200, body: { message: "Skill deleted successfully" } };
  },
});
