import { z } from "zod";
import { write } from "#api/kit/operation";
import { targetParameter } from "#api/kit/parameters";
import { knownGroupIds } from "#api/presenters/group-ids";
import { invalid, notFound } from "#lib/errors";
import {
  changedSkillMd,
  checkSkill,
  Findings,
  findSkill,
  lockSkill,
  readStoredSkill,
  requestedFiles,
  SKILL_MD,
  setSkillGroups,
  updateSkill as update,
  warningText,
} from "#records/skills";
import type { MainDb } from "#storage/database";
import type { SkillRow } from "#storage/skill-tables";
import { SKILL_BODY_BYTES, type SkillFieldsBody, UpdateSkillBody } from "./bodies.ts";
import { checkSkillContent } from "./check-guards.ts";
import { changedMeanwhile, requestField, skillMdFile } from "./prepare.ts";
import { presentSkill } from "./present.ts";
import { Skill, skillWarningsField } from "./schema.ts";

/** Families 3. */
export const updateSkill = write({
  id: "updateSkill",
  route: "PATCH /api/skills",
  tag: "Skills",
  summary: "Update a skill",
  description:
    "Omitted fields keep their values; `files` and `groups` replace the whole list. A file that stays can be given with its `digest` instead of its content. A change of the content makes a new version; if only files change, SKILL.md keeps its bytes.",
  scope: "admin:write",
  query: { slug: targetParameter("The skill's slug", "release-notes") },
  body: UpdateSkillBody,
  bodyLimitBytes: SKILL_BODY_BYTES,
  answers: { 200: z.object({ data: Skill, warnings: skillWarningsField }) },
  refusals: [400, 404, 409],
  onCrash: "Failed to update skill",
  async prepare({ db, query, body }) {
    const row = await findSkill(db, query.slug);
    if (!row) throw notFound.skill();
    if (body.name !== undefined && body.name !== row.slug) throw invalid("name", "cannot be changed");
    return { row, ...(await changedContent(db, row, body)) };
  },
  async run({ tx, trail, query, body, actor, context, checkContent, prepared }) {
    const row = await lockSkill(tx, query.slug);
    if (!row) throw notFound.skill();
    if (row.id !== prepared.row.id || row.version !== prepared.row.version) throw changedMeanwhile();
    const groupIds = body.groups && (await knownGroupIds(tx, body.groups));
    const before = await presentSkill(tx, row);
    const writing = { tx, trail, now: context.clock.now(), createdBy: actor.name };
    const content = prepared.checked && { ...prepared.checked, source: null };
    const after = await update(writing, row, { status: body.status, content });
    const warnings = [...prepared.warnings, ...(await checkSkillContent(tx, checkContent, row, after))];
    if (groupIds) await setSkillGroups(tx, trail, row.id, groupIds);
    const data = await presentSkill(tx, after);
    const target = { kind: "skill", id: row.id, name: row.slug };
    trail.audit({ operation: "updateSkill", target, before, after: data });
    return { status: 200, body: { data, ...(warnings.length > 0 && { warnings }) } };
  },
});

/** `checked` is undefined if the request changes neither fields nor files. */
async function changedContent(db: MainDb, row: SkillRow, body: SkillFieldsBody) {
  const { files, description, license, compatibility, metadata, allowed_tools: tools, content } = body;
  const given = [files, description, license, compatibility, metadata, tools, content];
  if (given.every((value) => value === undefined)) return { checked: undefined, warnings: [] };
  const stored = await readStoredSkill(db, row);
  const before = (await presentSkill(db, row)) satisfies object;
  const { name, description: oldDescription, license: oldLicense, ...rest } = before;
  const fields = {
    ...{ name, description: oldDescription, license: oldLicense },
    ...{ compatibility: rest.compatibility, metadata: rest.metadata, allowed_tools: rest.allowed_tools },
  };
  const skillMd = changedSkillMd(stored.skillMd, fields, {
    ...(description !== undefined && { description }),
    ...(license !== undefined && { license }),
    ...(compatibility !== undefined && { compatibility }),
    ...(metadata !== undefined && { metadata: metadata ?? {} }),
    ...(tools !== undefined && { allowed_tools: tools ?? [] }),
    ...(content !== undefined && { content }),
  });
  const findings = new Findings();
  const others = files ? requestedFiles(files, stored.files) : stored.files.filter(({ path }) => path !== SKILL_MD);
  const checked = checkSkill([...others, skillMdFile(skillMd ?? stored.skillMd)], findings, { fieldOf: requestField });
  findings.throwFirst();
  return { checked, warnings: findings.warnings.map(warningText) };
}
