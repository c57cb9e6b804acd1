import { download } from "#api/kit/operation";
import { pathParameter } from "#api/kit/parameters";
import { notFound } from "#lib/errors";
import { writeZip } from "#lib/zip/write-zip";
import { readBlobs } from "#records/file-blobs";
import { byPath, filesOfVersion, findSkill, findVersion } from "#records/skills";
import type { MainDb } from "#storage/database";
import type { SkillFileRow } from "#storage/skill-tables";
import { versionParameter } from "./get-skill.ts";

/** Families 3. */
export const downloadSkill = download({
  id: "downloadSkill",
  route: "GET /api/skills/{slug}/download",
  tag: "Skills",
  summary: "Download a skill",
  description: "As a ZIP file with one folder, which has the name of the skill. Equal versions give equal files.",
  scope: "admin:read",
  path: { slug: pathParameter("The skill's slug", "release-notes") },
  query: { version: versionParameter },
  media: { "application/zip": "All files of the skill below one folder" },
  refusals: [400, 404],
  onCrash: "Failed to download skill",
  async run({ db, path, query }) {
    const row = await findSkill(db, path.slug);
    if (!row) throw notFound.skill();
    const version = await findVersion(db, row.id, query.version ?? row.version);
    if (!version) throw notFound.skillVersion();
    const files = (await filesOfVersion(db, row.id, version.version)).toSorted(byPath);
    return {
      type: "application/zip",
      fileName: `${row.slug}.zip`,
      etag: `"${version.digest}"`,
      pieces: writeZip(filesBelow(row.slug, db, files)),
    };
  },
});

async function* filesBelow(folder: string, db: MainDb, files: readonly SkillFileRow[]) {
  for await (const { path, executable, content } of readBlobs(db, files)) {
    yield { path: `${folder}/${path}`, executable, content };
  }
}
