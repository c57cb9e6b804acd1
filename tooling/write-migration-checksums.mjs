/**
 * Records the checksum of every migration in `server/src/storage/migrations/checksums.json`. A recorded checksum never
 * changes, because databases have applied that migration: write a new migration instead. With `--check`, writes nothing
 * and fails if a migration is missing in the list, or differs from it.
 */
import { readFile, writeFile } from "node:fs/promises";
import { readMigrations } from "../server/src/storage/migrate.ts";

const FILE = new URL("../server/src/storage/migrations/checksums.json", import.meta.url);

const recorded = JSON.parse(await readFile(FILE, "utf8"));
const migrations = (await Promise.all(["calls", "main"].map(readMigrations))).flat();
const current = Object.fromEntries(migrations.map(({ name, checksum }) => [name, checksum]));

const changed = Object.keys(recorded).filter((name) => current[name] !== recorded[name]);
const missing = Object.keys(current).filter((name) => !(name in recorded));
for (const name of changed) {
  console.log(`${name} was changed or removed after its checksum was recorded. Restore it, and write a new migration.`);
}
if (process.argv.includes("--check")) {
  for (const name of missing) console.log(`${name} has no recorded checksum. Run "npm run migration-checksums".`);
  process.exitCode = changed.length + missing.length > 0 ? 1 : 0;
} else if (changed.length > 0) {
  process.exitCode = 1;
} else {
  await writeFile(FILE, `${JSON.stringify(current, null, 2)}\n`);
}
