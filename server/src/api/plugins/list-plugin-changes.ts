import { z } from "zod";
import type { ApiContext } from "#api/kit/api-context";
import { read } from "#api/kit/operation";
import { pathParameter, textParameter } from "#api/kit/parameters";
import { notFound } from "#lib/errors";
import { fileChanges } from "#plugins/release/changes";
import { draftTree } from "#plugins/release/draft";
import { checkReferences, filesOfRelease, findPlugin, findRelease, findReleaseByVersion } from "#records/plugins";
import type { MainDb } from "#storage/database";
import type { PluginRow } from "#storage/plugin-tables";

const Changes = z
  .object({
    since: z.string().nullable().describe("The version that it is compared with. Null: there is none"),
    files: z
      .array(
        z.object({
          path: z.string().meta({ description: "Path in the release", example: "skills/notes/SKILL.md" }),
          change: z.enum(["added", "changed", "removed"]).describe("What happened to the file"),
        }),
      )
      .describe("By path"),
  })
  .meta({ id: "PluginChanges", description: "Which files differ from an earlier release" });

/** Families 5. */
export const listPluginChanges = read({
  id: "listPluginChanges",
  route: "GET /api/plugins/{slug}/changes",
  tag: "Plugins",
  summary: "List what changed since the last release",
  description:
    "Compares the next release with the latest one, without the version number in its manifests. With `version`, compares that release with the one before it.",
  scope: "admin:read",
  path: { slug: pathParameter("The plugin's slug", "engineering") },
  query: { version: textParameter("The version of a release. Default: the next release") },
  answers: { 200: z.object({ data: Changes }) },
  refusals: [400, 404],
  onCrash: "Failed to retrieve changes",
  async run({ db, path, query, context }) {
    const row = await findPlugin(db, path.slug);
    if (!row) throw notFound.plugin();
    const data =
      query.version === undefined ? await nextChanges(db, row, context) : await changesOf(db, row, query.version);
    return { status: 200, body: { data } };
  },
});

async function nextChanges(db: MainDb, row: PluginRow, context: ApiContext) {
  await checkReferences(db, row.definition, { ...row.definition, skills: [], commands: [] });
  const latest = await findRelease(db, row.id, row.releases);
  const tree = await draftTree(db, row, latest?.version ?? "1.0.0", context);
  const before = latest ? await filesOfRelease(db, row.id, latest.number) : [];
  return { since: latest?.version ?? null, files: fileChanges(before, tree?.files ?? []) };
}

async function changesOf(db: MainDb, row: PluginRow, version: string) {
  const release = await findReleaseByVersion(db, row.id, version);
  if (!release) throw notFound.pluginRelease();
  const earlier = await findRelease(db, row.id, release.number - 1);
  const before = earlier ? await filesOfRelease(db, row.id, earlier.number) : [];
  const files = fileChanges(before, await filesOfRelease(db, row.id, release.number));
  return { since: earlier?.version ?? null, files };
}
