import { z } from "zod";
import { requiredText } from "#api/kit/body-fields";
import { write } from "#api/kit/operation";
import { pathParameter } from "#api/kit/parameters";
import { knownGroupIds } from "#api/presenters/group-ids";
import { notFound, Refusal } from "#lib/errors";
import { REDACTED } from "#policy/redact";
import { findSkillText, lockItem, requestEvaluation, updateItem } from "#records/discovery";
import { checkSkill, Findings, insertSkill, SKILL_MD, setSkillGroups, warningText } from "#records/skills";
import type { DiscoveryItemRow } from "#storage/discovery-tables";

const ImportBody = z
  .object({
    groups: z
      .array(requiredText("group"), { error: "must be an array" })
      .max(200, { error: "must contain at most 200 groups" })
      .optional()
      .describe("Names of the groups that get the skill"),
  })
  .meta({ id: "ImportDiscoveredSkill", description: "How to import it", example: { groups: ["Engineering"] } });

/** Families 9. */
export const importDiscoveredSkill = write({
  id: "importDiscoveredSkill",
  route: "POST /api/ai-discovery/skills/{digest}/import",
  tag: "AI Discovery",
  summary: "Import a discovered skill",
  description:
    "Creates a draft skill from the text of SKILL.md that a device sent, and approves the discovered skill. Devices send texts only with `--include-content`, and they are stored only if the setting `discovery_skill_texts` is on. Other files of the skill are not sent; `warnings` says so.",
  scope: "admin:write",
  path: { digest: pathParameter("The digest of the discovered skill") },
  body: ImportBody,
  bodyIsOptional: true,
  answers: {
    201: z.object({
      data: z.object({ slug: z.string().describe("Slug of the new skill") }).describe("The new skill"),
      warnings: z.array(z.string()).optional().describe("What to check before you activate it"),
    }),
  },
  refusals: [400, 404, 409],
  onCrash: "Failed to import skill",
  async run({ tx, trail, path, body, context, actor }) {
    const item = await lockItem(tx, "skill", path.digest);
    if (!item) throw notFound.discoveredItem("Skill");
    const text = importableText(item, await findSkillText(tx, item.id));
    const groupIds = await knownGroupIds(tx, body.groups ?? []);
    const findings = new Findings();
    const checked = checkSkill([{ path: SKILL_MD, executable: false, content: Buffer.from(text, "utf8") }], findings);
    findings.throwFirst();
    if (!checked) throw new Error("A skill without errors was not checked");
    const now = context.clock.now();
    const id = context.newId("skl");
    const content = { ...checked, source: { type: "discovery" as const, imported_at: now } };
    const row = await insertSkill({ tx, trail, now, createdBy: actor.name }, { id, status: "draft" }, content);
    if (groupIds.length > 0) await setSkillGroups(tx, trail, id, groupIds);
    await updateItem(tx, item.id, { review_status: "approved", reviewed_by: actor.name, reviewed_at: now });
    await requestEvaluation(tx);
    trail.audit({
      operation: "importDiscoveredSkill",
      target: { kind: "skill", id, name: row.slug },
      after: { name: row.slug, status: "draft", digest: item.key, groups: body.groups ?? [] },
    });
    const warnings = [...warningsOf(item, text), ...findings.warnings.map(warningText)];
    return { status: 201, body: { data: { slug: row.slug }, ...(warnings.length > 0 && { warnings }) } };
  },
  async finish(answer, { context }) {
    await context.discovery.settle();
    return answer;
  },
});

function importableText({ action, managed }: DiscoveryItemRow, text: string | undefined): string {
  if (managed) throw new Refusal("conflict", "This skill is a skill of your organization already");
  if (action === "block") {
    throw new Refusal("unknown-reference", "The AI discovery policy blocks this skill. Change the policy first");
  }
  if (text === undefined) {
    throw new Refusal(
      "unknown-reference",
      "No device sent the text of this skill. Turn on the setting discovery_skill_texts and run the scan agent with --include-content",
    );
  }
  return text;
}

function warningsOf({ facts }: DiscoveryItemRow, text: string): string[] {
  const missing = typeof facts.files_count === "number" ? facts.files_count - 1 : 0;
  const files = missing === 1 ? "1 other file" : `${missing} other files`;
  return [
    ...(missing > 0 ? [`Only SKILL.md was imported. Add the ${files} of this skill before you activate it`] : []),
    ...(text.includes(REDACTED) ? ["The scan agent removed a secret from SKILL.md"] : []),
  ];
}
