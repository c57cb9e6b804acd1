import { z } from "zod";
import type { ApiContext } from "#api/kit/api-context";
import { write } from "#api/kit/operation";
import { pathParameter } from "#api/kit/parameters";
import { invalid, notFound, Refusal } from "#lib/errors";
import { bumpVersion, compareVersions } from "#lib/semantic-version";
import { draftTree } from "#plugins/release/draft";
import { MAX_RELEASE_BYTES, type ReleaseContents, readContents } from "#plugins/release/read-contents";
import type { ReleaseTree } from "#plugins/release/tree";
import { checkReferences, findPlugin, findRelease, insertRelease, lockPlugin, setPluginStatus } from "#records/plugins";
import type { MainDb } from "#storage/database";
import type { PluginReleaseRow, PluginRow } from "#storage/plugin-tables";
import { PublishPluginBody } from "./bodies.ts";
import { checkPluginContent } from "./check-guards.ts";
import { presentPublished } from "./present.ts";
import { PublishedRelease, pluginWarningsField } from "./schema.ts";

type Body = z.output<typeof PublishPluginBody>;
const FIRST_VERSION = "1.0.0";

/** Families 5, F43. */
export const publishPlugin = write({
  id: "publishPlugin",
  route: "POST /api/plugins/{slug}/publish",
  tag: "Plugins",
  summary: "Publish a plugin",
  description:
    "Makes a release, which never changes, and makes the plugin active. Skills and commands are copied as they are now. The build-time guards check all files first. Without a version, the latest one is increased; the first one is 1.0.0. An unpublished plugin without changes becomes active again with its latest release.",
  scope: "admin:write",
  path: { slug: pathParameter("The plugin's slug", "engineering") },
  body: PublishPluginBody,
  answers: { 201: z.object({ data: PublishedRelease, warnings: pluginWarningsField }) },
  refusals: [400, 404, 409],
  onCrash: "Failed to publish plugin",
  async prepare({ db, path, body, context }) {
    const row = await findPlugin(db, path.slug);
    if (!row) throw notFound.plugin();
    const { tree, version } = await nextRelease(db, row, body, context);
    return { version, digest: tree.digest, contents: await readContents(db, tree) };
  },
  async run({ tx, trail, path, body, actor, context, checkContent, prepared }) {
    const row = await lockPlugin(tx, path.slug);
    if (!row) throw notFound.plugin();
    const { latest, version, tree, isUnchanged } = await nextRelease(tx, row, body, context);
    if (version !== prepared.version || tree.digest !== prepared.digest) throw changedMeanwhile();
    const warnings = await checkPluginContent(checkContent, prepared.contents.texts);
    const now = context.clock.now();
    let release: PluginReleaseRow;
    if (latest && isUnchanged) {
      release = latest;
      await setPluginStatus(tx, row, "active", now);
    } else {
      const files = releaseFiles(tree, prepared.contents);
      const fields = { version, digest: tree.digest, notes: body.notes ?? "", manifest: tree.manifest };
      const published = { published_by: actor.name, published_at: now, contents: prepared.contents.contents };
      ({ release } = await insertRelease(tx, row, { ...fields, ...published, files }));
    }
    const data = presentPublished(release);
    trail.audit({
      operation: "publishPlugin",
      target: { kind: "plugin", id: row.id, name: row.slug },
      before: { status: row.status, version: latest?.version ?? null },
      after: { status: "active", ...data },
    });
    return { status: 201, body: { data, ...(warnings.length > 0 && { warnings }) } };
  },
});

interface NextRelease {
  readonly latest: PluginReleaseRow | undefined;
  readonly version: string;
  readonly tree: ReleaseTree;
  /** The plugin becomes active again with its latest release. */
  readonly isUnchanged: boolean;
}

async function nextRelease(
  db: MainDb,
  row: PluginRow,
  { version: wanted, bump }: Body,
  context: Pick<ApiContext, "orgName" | "gatewayUrl">,
): Promise<NextRelease> {
  const latest = await findRelease(db, row.id, row.releases);
  if (latest && wanted !== undefined && compareVersions(wanted, latest.version) <= 0)
    throw invalid("version", `must be greater than ${latest.version}`);
  await checkReferences(db, row.definition);
  const current = latest && (await draftTree(db, row, latest.version, context));
  if (latest && current?.digest === latest.digest) {
    if (row.status === "active") throw new Refusal("conflict", "nothing to publish");
    if (wanted === undefined && bump === undefined)
      return { latest, version: latest.version, tree: current, isUnchanged: true };
  }
  const version = wanted ?? (latest ? bumpVersion(latest.version, bump ?? "patch") : FIRST_VERSION);
  const tree = await draftTree(db, row, version, context);
  if (!tree) throw changedMeanwhile();
  if (tree.size > MAX_RELEASE_BYTES)
    throw invalid(
      "skills",
      `a release can have at most 32 MiB; this one has ${Math.ceil(tree.size / 1024 / 1024)} MiB`,
    );
  return { latest, version, tree, isUnchanged: false };
}

function releaseFiles({ files }: ReleaseTree, { blobIds }: ReleaseContents) {
  return files.map(({ path, digest, size, executable }) => {
    return { path, digest, size, executable, blob_id: blobIds.get(digest) ?? "" };
  });
}

/** The content was read from another state of the plugin. */
function changedMeanwhile(): Refusal {
  return new Refusal("conflict", "The plugin was changed at the same time. Load it again, then publish it again.");
}
