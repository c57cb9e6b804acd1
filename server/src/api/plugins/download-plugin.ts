import { download } from "#api/kit/operation";
import { choiceParameter, pathParameter, textParameter } from "#api/kit/parameters";
import { notFound } from "#lib/errors";
import { writeZip } from "#lib/zip/write-zip";
import { filesForTarget } from "#plugins/release/tree";
import { readBlobs } from "#records/file-blobs";
import { filesOfRelease, findPlugin, findRelease, findReleaseByVersion } from "#records/plugins";
import type { MainDb } from "#storage/database";
import { PLUGIN_TARGETS, type PluginFileRow } from "#storage/plugin-tables";

/** Families 5. */
export const downloadPlugin = download({
  id: "downloadPlugin",
  route: "GET /api/plugins/{slug}/download",
  tag: "Plugins",
  summary: "Download a release of a plugin",
  description: "As a ZIP file with one folder, which has the slug of the plugin.",
  scope: "admin:read",
  path: { slug: pathParameter("The plugin's slug", "engineering") },
  query: {
    version: textParameter("The version of a release. Default: the latest one"),
    target: choiceParameter("Only the files for this client. Default: all", PLUGIN_TARGETS),
  },
  media: { "application/zip": "The files of the release below one folder" },
  refusals: [400, 404],
  onCrash: "Failed to download plugin",
  async run({ db, path, query: { version, target } }) {
    const row = await findPlugin(db, path.slug);
    if (!row) throw notFound.plugin();
    const release =
      version === undefined
        ? await findRelease(db, row.id, row.releases)
        : await findReleaseByVersion(db, row.id, version);
    if (!release) throw notFound.pluginRelease();
    const all = await filesOfRelease(db, row.id, release.number);
    const files = target === undefined ? all : filesForTarget(all, target);
    return {
      type: "application/zip",
      fileName: `${row.slug}-${release.version}.zip`,
      etag: `"${release.digest}${target === undefined ? "" : `-${target}`}"`,
      pieces: writeZip(filesBelow(row.slug, db, files)),
    };
  },
});

async function* filesBelow(folder: string, db: MainDb, files: readonly PluginFileRow[]) {
  for await (const { path, executable, content } of readBlobs(db, files)) {
    yield { path: `${folder}/${path}`, executable, content };
  }
}
