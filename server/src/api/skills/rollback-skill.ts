import { z } from "zod";
import { write } from "#api/kit/operation";
import { pathParameter } from "#api/kit/parameters";
import { notFound } from "#lib/errors";
import { fileOf, filesOfVersion, findSkill, findVersion, lockSkill, updateSkill } from "#records/skills";
import { checkSkillContent } from "./check-guards.ts";
import { changedMeanwhile } from "./prepare.ts";
import { presentSkill } from "./present.ts";
import { Skill, skillWarningsField } from "./schema.ts";

const RollbackBody = z
  .object({
    version: z
      .int({ error: (issue) => (issue.input === undefined ? "version is required" : "must be an integer") })
      .min(1, { error: "must be at least 1" })
      .max(2_147_483_647, { error: "must be at most 2147483647" })
      .describe("The version to restore"),
  })
  .meta({ id: "RollbackSkill", description: "The version to restore", example: { version: 1 } });

/** Families 3. */
export const rollbackSkill = write({
  id: "rollbackSkill",
  route: "POST /api/skills/{slug}/rollback",
  tag: "Skills",
  summary: "Restore a version of a skill",
  description: "Adds a version with the content of an earlier one. If the content is the current one, nothing changes.",
  scope: "admin:write",
  path: { slug: pathParameter("The skill's slug", "release-notes") },
  body: RollbackBody,
  answers: { 200: z.object({ data: Skill, warnings: skillWarningsField }) },
  refusals: [400, 404, 409],
  onCrash: "Failed to restore version",
  async prepare({ db, path, body }) {
    const row = await findSkill(db, path.slug);
    if (!row) throw notFound.skill();
    const version = await findVersion(db, row.id, body.version);
    if (!version) throw notFound.skillVersion();
    return { row, version, files: (await filesOfVersion(db, row.id, body.version)).map(fileOf) };
  },
  async run({ tx, trail, path, body, actor, context, checkContent, prepared }) {
    const row = await lockSkill(tx, path.slug);
    if (!row) throw notFound.skill();
    if (row.id !== prepared.row.id) throw changedMeanwhile();
    const before = await presentSkill(tx, row);
    const now = context.clock.now();
    const { fields, front_matter: frontMatter, digest, size } = prepared.version;
    const source = { type: "rollback" as const, version: body.version, imported_at: now };
    const content = { fields, frontMatter, digest, size, files: prepared.files, contents: new Map(), source };
    const after = await updateSkill({ tx, trail, now, createdBy: actor.name }, row, { content });
    const warnings = await checkSkillContent(tx, checkContent, row, after);
    const data = await presentSkill(tx, after);
    const target = { kind: "skill", id: row.id, name: row.slug };
    trail.audit({ operation: "rollbackSkill", target, before, after: data });
    return { status: 200, body: { data, ...(warnings.length > 0 && { warnings }) } };
  },
});
