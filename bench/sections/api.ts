import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startPostgres } from "../../tooling/start-postgres.ts";
import { load, type Measured, percentile } from "../load.ts";
import { startGatehouse } from "../processes.ts";
import type { Report } from "../report.ts";
import { type Installation, install, LARGE } from "./large.ts";

const LISTS = [
  ["first page of users", "/api/users?limit=100"],
  ["last page of users", "/api/users?skip=99900&limit=100"],
  ["search among users", "/api/users?search=machine%204242&limit=100"],
  ["first page of servers", "/api/mcp-servers?limit=100"],
  ["search among servers", "/api/mcp-servers?search=server%20424&limit=100"],
] as const;
const ASKED = 100;

/** Lists, searches and creations among 100,000 users and 10,000 servers, on both databases. For information. */
export async function measureApi(report: Report): Promise<void> {
  await measureOn(report, "SQLite", undefined);
  const directory = mkdtempSync(join(tmpdir(), "gatehouse-bench-"));
  // Under root, Postgres runs as another user, who must be able to read this directory.
  chmodSync(directory, 0o755);
  const postgres = await startPostgres(join(directory, "postgres"));
  await measureOn(report, "Postgres", postgres.url);
  await postgres.server.stop();
  rmSync(directory, { recursive: true, force: true });
}

async function measureOn(report: Report, database: string, databaseUrl: string | undefined): Promise<void> {
  const large = await install(LARGE, databaseUrl);
  const key = `${large.dataDir}/gatehouse.key`;
  const house = await startGatehouse(
    large.dataDir,
    databaseUrl === undefined ? {} : { DATABASE_URL: databaseUrl, GATEHOUSE_KEY_FILE: key },
  );
  const headers = { authorization: `Bearer ${large.token}` };
  for (const [what, path] of LISTS) {
    const target = { port: house.port, method: "GET", path, headers };
    await load(target, 1, 10);
    add(report, `${database}: ${what}`, await load(target, 1, ASKED));
  }
  const create = (path: string, bodyOf: (n: number) => object) => createMany(house.port, large, path, bodyOf);
  const user = (n: number) => ({ name: `Created ${n}`, is_machine_user: true });
  add(report, `${database}: creating a machine user`, await create("/api/users", user));
  add(report, `${database}: creating a server`, await create("/api/mcp-servers", (n) => ({ name: `Created ${n}` })));
  await house.stop();
  await large.remove();
}

async function createMany(port: number, { token }: Installation, path: string, bodyOf: (n: number) => object) {
  const times = new Float64Array(ASKED);
  for (let n = 0; n < ASKED; n++) {
    const startedAt = performance.now();
    const answer = await fetch(`http://127.0.0.1:${port}${path}`, {
      method: "POST",
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
      body: JSON.stringify(bodyOf(n)),
    });
    if (answer.status !== 201) throw new Error(await answer.text());
    await answer.text();
    times[n] = performance.now() - startedAt;
  }
  times.sort();
  return { p50Ms: percentile(times, 0.5), p99Ms: percentile(times, 0.99) };
}

function add(report: Report, what: string, { p50Ms, p99Ms }: Pick<Measured, "p50Ms" | "p99Ms">): void {
  report.add({ what: `${what}: p50, p99`, seen: `${p50Ms.toFixed(1)}, ${p99Ms.toFixed(1)} ms` });
}
