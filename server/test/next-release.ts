/** A later release for tests of upgrades: this code with a higher version and one more migration. */
import { cp, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const COPIED = ["bin", "server/src", "server/catalog", "cli", "openapi", "policy", "package.json"];
const LINKED = ["node_modules", "web", "scan"];
const VERSION = "99.0.0";

/** `additive` adds a column that this release does not know; `breaking` excludes this release. */
export type NextMigration = "additive" | "breaking";

const MIGRATIONS: Readonly<Record<NextMigration, string>> = {
  additive: "ALTER TABLE groups ADD COLUMN added_by_the_next_release TEXT;\n",
  breaking: "-- breaks-earlier-releases\nALTER TABLE groups ADD COLUMN added_by_the_next_release TEXT;\n",
};

export interface NextRelease {
  readonly version: string;
  readonly bin: string;
  remove(): Promise<void>;
}

export async function makeNextRelease(migration: NextMigration): Promise<NextRelease> {
  const folder = await mkdtemp(join(tmpdir(), "gatehouse-next-release-"));
  for (const path of COPIED) await cp(join(ROOT, path), join(folder, path), { recursive: true });
  for (const path of LINKED) await symlink(join(ROOT, path), join(folder, path));
  const manifest = JSON.parse(await readFile(join(folder, "package.json"), "utf8"));
  await writeFile(join(folder, "package.json"), JSON.stringify({ ...manifest, version: VERSION }));
  await writeFile(join(folder, "server/src/storage/migrations/main/9999-next-release.sql"), MIGRATIONS[migration]);
  return {
    version: VERSION,
    bin: join(folder, "bin/gatehouse.mjs"),
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}

/** For `wrap` of a service process: the same command with the program of that release. */
export function ofRelease(bin: string): (command: readonly string[]) => readonly string[] {
  return (command) => command.map((part) => (part.endsWith("bin/gatehouse.mjs") ? bin : part));
}
