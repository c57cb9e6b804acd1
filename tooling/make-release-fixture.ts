/**
 * Writes `server/test/fixtures/releases/<version>/`: what this release leaves of a small organization of every family, as a
 * backup, as files of SQLite, and as a dump of Postgres (decision 0156). Tests start later releases with it. Run it once per
 * release, before the version is tagged; never replace an old one. TEST_DATABASE_URL names a Postgres whose `pg_dump` is in
 * PATH: `TEST_DATABASE_URL=… node tooling/make-release-fixture.ts`.
 */
import { execFileSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { VERSION } from "#lib/version";
import { createPostgresDatabase, makeDataDir } from "#test/databases";
import { createGroup, createMachineUser, createPerson, createSyncedServer } from "#test/factories";
import { generateOrganization, PEOPLE } from "#test/generated-organization";
import { type ServiceProcess, spawnService } from "#test/long/service-process";
import { startRawUpstream } from "#test/upstreams/raw";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const SEED = 20_261_117;
const CALLS = 3;
/** Shared memory, which SQLite creates again, and the files that name the process that ran and its machine. */
const NOT_KEPT = /-shm$|\.owner$|\.lock$/;
const folder = join(ROOT, "server/test/fixtures/releases", VERSION);
if (existsSync(folder)) throw new Error(`${folder} exists, and fixtures are never replaced`);

for (const dialect of ["sqlite", "postgres"] as const) {
  const dataDir = await makeDataDir();
  const keyFile = join(dataDir, "gatehouse.key");
  writeFileSync(keyFile, randomBytes(32).toString("base64"), { mode: 0o600 });
  const database = dialect === "postgres" ? await createPostgresDatabase() : undefined;
  const environment = {
    ...{ DATA_DIR: dataDir, GATEHOUSE_KEY_FILE: keyFile, EGRESS_ALLOW: "127.0.0.0/8", ORG_DOMAIN: "example.com" },
    ...(database && { DATABASE_URL: database.databaseUrl }),
  };
  const token = `fixture-token-${randomBytes(16).toString("hex")}`;
  let service = await spawnService({ token, environment }).ready;
  const { echo, facts } = await fill(service);
  while ((await service.api("GET", "/api/logs")).body.data.length < CALLS) await sleep(100);
  await service.close();
  service = await spawnService({ token, environment }).ready;
  await echo(service);
  // Killed, so that the fixture has a write-ahead log and calls in the spool.
  await service.kill();
  writeFiles(join(folder, dialect), dataDir);
  writeFacts(join(folder, dialect), { ...facts, calls: 2 * CALLS });
  if (database) {
    // As statements, so that a test needs no psql.
    const dump = execFileSync("pg_dump", ["--inserts", "--no-owner", "--no-privileges", database.databaseUrl]);
    writeFileSync(join(folder, dialect, "dump.sql.gz"), gzipSync(dump, { level: 9 }));
  } else {
    mkdirSync(join(folder, "backup"));
    const backup = [join(ROOT, "bin/gatehouse.mjs"), "backup", join(folder, "backup/backup.ghb"), "--with-key"];
    execFileSync(process.execPath, backup, { env: { PATH: process.env.PATH, ...environment }, stdio: "inherit" });
    // A backup does not have the calls in the spool.
    writeFacts(join(folder, "backup"), { ...facts, calls: CALLS });
  }
  await database?.drop();
  rmSync(dataDir, { recursive: true });
}
// Upstreams still listen.
process.exit();

async function fill(service: ServiceProcess) {
  const upstream = await startRawUpstream();
  const slug = await createSyncedServer(service, "Echo", upstream.url);
  for (const email of PEOPLE) await createPerson(service, email, email);
  const caller = await createMachineUser(service, "Fixture caller");
  await createGroup(service, "Fixture callers", { slugs: [slug], emails: [caller.email] });
  const applied = await service.api("POST", "/api/config/apply", { config: generateOrganization(SEED) });
  if (applied.status !== 200) throw new Error(applied.text);
  const echo = async ({ mcp }: ServiceProcess) => {
    for (let id = 1; id <= CALLS; id++) {
      const message = {
        ...{ jsonrpc: "2.0", id, method: "tools/call" },
        params: { name: `${slug}__echo`, arguments: { id } },
      };
      const answer = await mcp(caller.credential, message, { accept: "application/json, text/event-stream" });
      if (answer.status !== 200) throw new Error(answer.text);
    }
  };
  await echo(service);
  const { config } = (await service.api("GET", "/api/config")).body.data;
  const facts = {
    note: "Throwaway data. The fixture has its key, and no secret in it was ever used elsewhere.",
    ...{ apiToken: service.token, callerKey: caller.credential, server: slug },
    counts: Object.fromEntries(Object.entries<unknown[]>(config).map(([kind, objects]) => [kind, objects.length])),
  };
  return { echo, facts };
}

/** Every file of the data folder, compressed, under its name. */
function writeFiles(target: string, dataDir: string): void {
  for (const entry of readdirSync(dataDir, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    if (!entry.isFile() || NOT_KEPT.test(path)) continue;
    const copy = join(target, "files", `${path.slice(dataDir.length + 1)}.gz`);
    mkdirSync(dirname(copy), { recursive: true });
    writeFileSync(copy, gzipSync(readFileSync(path), { level: 9 }));
  }
}

function writeFacts(target: string, facts: object): void {
  writeFileSync(join(target, "facts.json"), `${JSON.stringify(facts, null, 2)}\n`);
}
