/**
 * A repository for each user with all plugins of the user. A change of the plugins is a new commit, so clients pull by
 * fast-forward even if a plugin leaves the groups of the user.
 */
import { createHash } from "node:crypto";
import type { Clock } from "#lib/clock";
import {
  addMarketplaceCommit,
  findPluginsById,
  type MarketplaceCommit,
  marketplaceCommitsOf,
  pluginsOfUser,
} from "#records/plugins";
import type { MainDb } from "#storage/database";
import type { MarketplaceFileRow, PluginRow } from "#storage/plugin-tables";
import { type KnownFolder, type ObjectId, objectId } from "../git/objects.ts";
import { Repository, type Snapshot } from "../git/repository.ts";
import { folderOf, type MarketplaceEntry, marketplaceFiles } from "../marketplace/manifests.ts";
import type { PluginRepositories, PluginRepository } from "./plugin-repositories.ts";

/** Part of the commits, so it never changes. */
const AUTHOR = { name: "Gatehouse", email: "plugins@gatehouse.invalid" };
/** Then a new history starts, so that one user's does not take memory without limit. */
const MAX_COMMITS = 500;
const MAX_ATTEMPTS = 5;

export interface MarketplaceRepository {
  readonly repository: Repository;
  /** The number of the newest commit. */
  readonly number: number;
  digestOf(blobId: ObjectId): string | undefined;
}

interface Needs {
  readonly db: MainDb;
  readonly clock: Clock;
  readonly plugins: PluginRepositories;
  readonly orgName: string;
  readonly maxCommits?: number | undefined;
}

type OwnFile = Pick<MarketplaceFileRow, "path" | "digest" | "blob_id" | "size">;

interface State {
  readonly releases: MarketplaceCommit["releases"];
  readonly files: readonly OwnFile[];
  /** Of the files, by digest. */
  readonly contents: ReadonlyMap<string, Uint8Array>;
}

/** A commit of the history. */
type Step = Pick<MarketplaceCommit, "number" | "releases" | "created_at" | "commit_id"> & Pick<State, "files">;
type KnownPlugins = ReadonlyMap<string, { readonly slug: string; readonly plugin: PluginRepository }>;

/** The repository of a user, with a new commit if the plugins of the user have changed since the last one. */
export async function marketplaceRepository(needs: Needs, userId: string): Promise<MarketplaceRepository> {
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    const commits = await marketplaceCommitsOf(needs.db, userId);
    const state = await currentState(needs, userId);
    const built = await build(needs, commits);
    const last = commits.at(-1);
    if (built && last && isSame(last, state)) return built;
    // A plugin in the history was deleted, with all its files: only a new history is complete.
    const history = built && commits.length < (needs.maxCommits ?? MAX_COMMITS) ? commits : [];
    const number = (last?.number ?? 0) + 1;
    const step = { number, created_at: needs.clock.now(), commit_id: "", ...state };
    const next = await build(needs, [...history, step], "unchecked");
    const commitId = next?.repository.tip;
    if (!next || commitId === undefined) continue;
    // Otherwise, another request of the user was faster.
    if (await addMarketplaceCommit(needs.db, userId, { ...step, commit_id: commitId }, history.length === 0))
      return next;
  }
  throw new Error("The marketplace changes too often");
}

async function currentState({ db, plugins, orgName }: Needs, userId: string): Promise<State> {
  const entries: MarketplaceEntry[] = [];
  const releases: State["releases"] = [];
  for (const row of await pluginsOfUser(db, userId)) {
    const latest = (await plugins.get(row)).releases.at(-1);
    if (!latest) continue;
    entries.push({ slug: row.slug, version: latest.version, manifest: latest.manifest });
    releases.push({ plugin_id: row.id, number: row.releases });
  }
  const contents = new Map<string, Uint8Array>();
  const files = marketplaceFiles(orgName, entries).map(([path, text]) => {
    const content = Buffer.from(text);
    const digest = createHash("sha256").update(content).digest("hex");
    contents.set(digest, content);
    return { path, digest, blob_id: objectId("blob", content), size: content.length };
  });
  return { releases, files, contents };
}

function isSame(last: MarketplaceCommit, state: State): boolean {
  const releases = (of: State["releases"]) => of.map(({ plugin_id, number }) => `${plugin_id} ${number}`).sort();
  const files = (of: readonly OwnFile[]) => of.map(({ path, digest }) => `${path} ${digest}`).sort();
  return (
    releases(last.releases).join("\n") === releases(state.releases).join("\n") &&
    files(last.files).join("\n") === files(state.files).join("\n")
  );
}

/** Undefined if a release is gone, or if the result differs from the commits that clients have. */
async function build(
  { db, plugins }: Needs,
  commits: readonly Step[],
  mode: "checked" | "unchecked" = "checked",
): Promise<MarketplaceRepository | undefined> {
  const last = commits.at(-1);
  if (!last) return undefined;
  const ids = [...new Set(commits.flatMap(({ releases }) => releases.map(({ plugin_id: id }) => id)))];
  const known = await knownPlugins(await findPluginsById(db, ids), plugins);
  const snapshots: Snapshot[] = [];
  for (const commit of commits) {
    const snapshot = snapshotOf(commit, known);
    if (!snapshot) return undefined;
    snapshots.push(snapshot);
  }
  const repository = new Repository(snapshots);
  if (mode === "checked" && repository.tip !== last.commit_id) return undefined;
  const own = new Map(commits.flatMap(({ files }) => files.map(({ blob_id: id, digest }) => [id, digest] as const)));
  const digestOf = (id: ObjectId) => {
    const digest = own.get(id);
    if (digest !== undefined) return digest;
    for (const { plugin } of known.values()) {
      const found = plugin.digests.get(id);
      if (found !== undefined) return found;
    }
    return undefined;
  };
  return { repository, number: last.number, digestOf };
}

async function knownPlugins(rows: readonly PluginRow[], plugins: PluginRepositories): Promise<KnownPlugins> {
  const known = new Map<string, { slug: string; plugin: PluginRepository }>();
  for (const row of rows) known.set(row.id, { slug: row.slug, plugin: await plugins.get(row) });
  return known;
}

function snapshotOf({ number, releases, files, created_at: at }: Step, known: KnownPlugins) {
  const folders: KnownFolder[] = [];
  for (const { plugin_id: id, number: release } of releases) {
    const found = known.get(id);
    const tree = found?.plugin.releases[release - 1]?.tree;
    if (!found || !tree) return undefined;
    folders.push({ path: folderOf(found.slug), tree });
  }
  const own = files.map(({ path, blob_id: blobId }) => ({ path, blobId, executable: false }));
  const snapshot: Snapshot = { files: own, folders, author: AUTHOR, at, message: `Marketplace ${number}` };
  return snapshot;
}
