/**
 * Writes `server/test/fixtures/releases/<version>/`: a backup of a small organization of every family, made by this release.
 * A test restores it with later releases. Run it once per release, before the version is tagged; never replace an old one.
 */
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { VERSION } from "#lib/version";
import { openTestSqlite } from "#test/databases";
import { createGroup, createMachineUser, createPerson, createSyncedServer } from "#test/factories";
import { generateOrganization, PEOPLE } from "#test/generated-organization";
import { startService } from "#test/start-service";
import { startRawUpstream } from "#test/upstreams/raw";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const SEED = 20_261_117;
const CALLS = 3;
const folder = join(ROOT, "server/test/fixtures/releases", VERSION);
if (existsSync(folder)) throw new Error(`${folder} exists, and fixtures are never replaced`);

const database = await openTestSqlite();
const upstream = await startRawUpstream();
const service = await startService(database);
const slug = await createSyncedServer(service, "Echo", upstream.url);
for (const email of PEOPLE) await createPerson(service, email, email);
const caller = await createMachineUser(service, "Fixture caller");
await createGroup(service, "Fixture callers", { slugs: [slug], emails: [caller.email] });
const applied = await service.api("POST", "/api/config/apply", { config: generateOrganization(SEED) });
if (applied.status !== 200) throw new Error(applied.text);
for (let id = 1; id <= CALLS; id++) {
  const params = { name: "echo__echo", arguments: { id } };
  const answer = await service.mcp(caller.credential, { jsonrpc: "2.0", id, method: "tools/call", params });
  if (answer.status !== 200) throw new Error(answer.text);
}
const exported = (await service.api("GET", "/api/config")).body.data.config;
await service.close();
await upstream.close();

mkdirSync(folder, { recursive: true });
const settings = { DATA_DIR: database.dataDir, GATEHOUSE_KEY_FILE: join(database.dataDir, "gatehouse.key") };
const backup = [join(ROOT, "bin/gatehouse.mjs"), "backup", join(folder, "backup.ghb"), "--with-key"];
execFileSync(process.execPath, backup, { env: { PATH: process.env.PATH, ...settings }, stdio: "inherit" });
const facts = {
  note: "Throwaway data. The backup has its key, and no secret in it was ever used elsewhere.",
  ...{ apiToken: service.token, callerKey: caller.credential, calls: CALLS, server: slug },
  counts: Object.fromEntries(Object.entries<unknown[]>(exported).map(([kind, objects]) => [kind, objects.length])),
};
writeFileSync(join(folder, "facts.json"), `${JSON.stringify(facts, null, 2)}\n`);
await database.close();
