import { z } from "zod";
import { type FieldTree, readFields, selectFields } from "#api/kit/fields";
import { read } from "#api/kit/operation";
import { lastSegmentParameter, numberParameter, textParameter } from "#api/kit/parameters";
import { notFound } from "#lib/errors";
import { findSkill } from "#records/skills";
import { SKILL_FIELDS } from "./list-skills.ts";
import { presentDetail } from "./present.ts";
import { SkillDetail, SkillFileShape } from "./schema.ts";

const KNOWN = {
  ...SKILL_FIELDS,
  content: true,
  files: {
    path: true,
    size: true,
    digest: true,
    executable: true,
    mime_type: true,
    content: true,
    content_base64: true,
  },
} as const;
const DetailSelection = SkillDetail.extend({
  files: z.array(SkillFileShape.partial()).describe("All files, SKILL.md first"),
})
  .partial()
  .meta({ id: "SkillDetailSelection", description: "A skill with its files; with `fields`, only the named fields" });

export const versionParameter = numberParameter("A version. Default: the current one", {
  minimum: 1,
  maximum: 2_147_483_647,
});

/** Families 3. */
export const getSkill = read({
  id: "getSkill",
  route: "GET /api/skills/{slug}",
  tag: "Skills",
  summary: "Get one skill",
  description: "With the content of its files, unless `fields` leaves it out, as in `fields=name,files(path,size)`.",
  scope: "admin:read",
  path: { slug: lastSegmentParameter("The skill's slug", "release-notes") },
  query: {
    version: versionParameter,
    fields: textParameter("Comma-separated fields; nested ones in parentheses, such as files(path,size)"),
  },
  answers: { 200: z.object({ data: DetailSelection }) },
  refusals: [400, 404],
  onCrash: "Failed to retrieve skill",
  async run({ db, path, query }) {
    const tree = query.fields ? readFields(query.fields, KNOWN) : undefined;
    const row = await findSkill(db, path.slug);
    if (!row) throw notFound.skill();
    const data = await presentDetail(db, row, query.version ?? row.version, !tree || hasContents(tree));
    if (!data) throw notFound.skillVersion();
    return { status: 200, body: { data: tree ? selectFields(data, tree) : data } };
  },
});

function hasContents(tree: FieldTree): boolean {
  const files = tree.get("files");
  return files === "all" || (files?.has("content") ?? false) || (files?.has("content_base64") ?? false);
}
