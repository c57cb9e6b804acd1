import { z } from "zod";
import { read } from "#api/kit/operation";
import { pathParameter, targetParameter } from "#api/kit/parameters";
import { notFound } from "#lib/errors";
import { findBlob } from "#records/file-blobs";
import { filesOfVersion, findSkill, findVersion } from "#records/skills";
import { versionParameter } from "./get-skill.ts";
import { presentFile } from "./present.ts";
import { SkillFileShape } from "./schema.ts";

/** Families 3. */
export const getSkillFile = read({
  id: "getSkillFile",
  route: "GET /api/skills/{slug}/files",
  tag: "Skills",
  summary: "Get one file of a skill",
  description: "With its content: as text if it is UTF-8, in base64 otherwise.",
  scope: "admin:read",
  path: { slug: pathParameter("The skill's slug", "release-notes") },
  query: { path: targetParameter("The path of the file", "scripts/run.sh"), version: versionParameter },
  answers: { 200: z.object({ data: SkillFileShape }) },
  refusals: [400, 404],
  onCrash: "Failed to retrieve file",
  async run({ db, path, query }) {
    const row = await findSkill(db, path.slug);
    if (!row) throw notFound.skill();
    const version = query.version ?? row.version;
    if (!(await findVersion(db, row.id, version))) throw notFound.skillVersion();
    const file = (await filesOfVersion(db, row.id, version)).find((each) => each.path === query.path);
    const content = file && (await findBlob(db, file.digest));
    if (!content) throw notFound.skillFile();
    return { status: 200, body: { data: presentFile(file, content) } };
  },
});
