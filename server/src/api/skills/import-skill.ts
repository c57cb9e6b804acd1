import { z } from "zod";
import { write } from "#api/kit/operation";
import { flagParameter } from "#api/kit/parameters";
import { invalid } from "#lib/errors";
import { Findings, insertSkill, lockSkill, updateSkill, warningText } from "#records/skills";
import { ImportSkillBody, SKILL_BODY_BYTES } from "./bodies.ts";
import { checkSkillContent } from "./check-guards.ts";
import { readImport } from "./prepare.ts";
import { presentSkill } from "./present.ts";
import { Skill, skillWarningsField } from "./schema.ts";

/** Families 3. */
export const importSkill = write({
  id: "importSkill",
  route: "POST /api/skills/import",
  tag: "Skills",
  summary: "Import a skill",
  description:
    "From a ZIP file with SKILL.md at the top or in its only folder, or from the text of SKILL.md. All files keep their bytes. A new skill is a draft (201). With `overwrite`, an existing skill gets a new version instead (200). An archive with an unsafe path, a link or too much content is refused, and nothing is stored.",
  scope: "admin:write",
  query: { overwrite: flagParameter("Adds a version to the skill that has this name already") },
  body: ImportSkillBody,
  archive: "A ZIP file of at most 24 MiB, with at most 512 files and 16 MiB when unpacked",
  bodyLimitBytes: SKILL_BODY_BYTES,
  answers: {
    200: z.object({ data: Skill, warnings: skillWarningsField }),
    201: z.object({ data: Skill, warnings: skillWarningsField }),
  },
  refusals: [400, 409],
  onCrash: "Failed to import skill",
  async prepare({ archive, body }) {
    const findings = new Findings();
    const { checked, type } = await readImport(archive, body, findings);
    findings.throwFirst();
    if (!checked) throw new Error("A skill without errors was not checked");
    return { checked, type, found: findings.warnings.map(warningText) };
  },
  async run({ tx, trail, query, actor, context, checkContent, prepared: { checked, type, found } }) {
    const now = context.clock.now();
    const writing = { tx, trail, now, createdBy: actor.name };
    const content = { ...checked, source: { type, imported_at: now } };
    const row = await lockSkill(tx, checked.fields.name);
    if (!row) {
      const id = context.newId("skl");
      const data = await presentSkill(tx, await insertSkill(writing, { id, status: "draft" }, content));
      trail.audit({ operation: "importSkill", target: { kind: "skill", id, name: data.slug }, after: data });
      return { status: 201, body: { data, ...(found.length > 0 && { warnings: found }) } };
    }
    if (!query.overwrite) throw invalid("name", "skill with this name already exists");
    const before = await presentSkill(tx, row);
    const after = await updateSkill(writing, row, { content });
    const warnings = [...found, ...(await checkSkillContent(tx, checkContent, row, after))];
    const data = await presentSkill(tx, after);
    const target = { kind: "skill", id: row.id, name: row.slug };
    trail.audit({ operation: "importSkill", target, before, after: data });
    return { status: 200, body: { data, ...(warnings.length > 0 && { warnings }) } };
  },
});
