import { z } from "zod";
import { write } from "#api/kit/operation";
import { knownGroupIds } from "#api/presenters/group-ids";
import { Findings, insertSkill, requestedFiles, setSkillGroups, warningText } from "#records/skills";
import { CreateSkillBody, SKILL_BODY_BYTES } from "./bodies.ts";
import { checkSkillContent } from "./check-guards.ts";
import { checkRequested } from "./prepare.ts";
import { presentSkill } from "./present.ts";
import { Skill, skillWarningsField } from "./schema.ts";

/** Families 3. */
export const createSkill = write({
  id: "createSkill",
  route: "POST /api/skills",
  tag: "Skills",
  summary: "Create a skill",
  description:
    "A skill follows the Agent Skills specification. SKILL.md is generated from the fields and the content. Members of the groups of an active skill get it at the gateway.",
  scope: "admin:write",
  body: CreateSkillBody,
  bodyLimitBytes: SKILL_BODY_BYTES,
  answers: { 201: z.object({ data: Skill, warnings: skillWarningsField }) },
  refusals: [400],
  onCrash: "Failed to create skill",
  async prepare({ body }) {
    const findings = new Findings();
    const checked = checkRequested(body, requestedFiles(body.files ?? []), findings);
    findings.throwFirst();
    if (!checked) throw new Error("A skill without errors was not checked");
    return { checked, warnings: findings.warnings.map(warningText) };
  },
  async run({ tx, trail, body, actor, context, checkContent, prepared: { checked, warnings: found } }) {
    const groupIds = await knownGroupIds(tx, body.groups ?? []);
    const id = context.newId("skl");
    const writing = { tx, trail, now: context.clock.now(), createdBy: actor.name };
    const row = await insertSkill(writing, { id, status: body.status ?? "draft" }, { ...checked, source: null });
    const warnings = [...found, ...(await checkSkillContent(tx, checkContent, undefined, row))];
    await setSkillGroups(tx, trail, id, groupIds);
    const data = await presentSkill(tx, row);
    trail.audit({ operation: "createSkill", target: { kind: "skill", id, name: row.slug }, after: data });
    return { status: 201, body: { data, ...(warnings.length > 0 && { warnings }) } };
  },
});
