import { once } from "node:events";
import { DatabaseSync } from "node:sqlite";
import { Worker } from "node:worker_threads";
import { load, median, type Target } from "../load.ts";
import { type Running, startGatehouse } from "../processes.ts";
import type { AdminQueries } from "../query-admin.ts";
import type { Report } from "../report.ts";
import { callTarget } from "./calls.ts";
import { type Installation, install, LARGE } from "./large.ts";

const ROUNDS = 24;
const CALLS = 3_000;
const HEAVY_PATHS = [
  "/api/users?search=9&skip=15000&limit=200",
  "/api/users?skip=99800&limit=200",
  "/api/mcp-servers?fields=slug,tools(name,slug,description)&cursor=9800&limit=200&includeTotal=true",
  "/api/logs?limit=200&tool=echo",
];

/** The query of the list. */
const USERS_WITH_LINKS = `select users.*,
  (select json_group_array(group_id) from group_users where user_id = users.id) as group_ids,
  (select json_group_array(owner_id) from user_owners where user_id = users.id) as owner_ids
  from users order by created_at, id limit 100`;

/** How administration slows down the gateway, and how much the API adds to its query. */
export async function measureAdmin(report: Report): Promise<void> {
  const large = await install(LARGE);
  const house = await startGatehouse(large.dataDir);
  await measureDuringAdmin(report, house, large);
  await measureListCost(report, house, large);
  await house.stop();
  await large.remove();
}

async function measureDuringAdmin(report: Report, house: Running, { credential, token }: Installation): Promise<void> {
  const calls = callTarget(house.port, "server-0__echo", credential);
  const url = `http://127.0.0.1:${house.port}`;
  const variants = [
    { admins: [], p99s: [] as number[] },
    { admins: [HEAVY_PATHS], p99s: [] as number[] },
    { admins: HEAVY_PATHS.map((path) => [path]), p99s: [] as number[] },
  ];
  await load(calls, 8, CALLS);
  for (let round = 0; round < ROUNDS; round++) {
    // In turns, and each as often after one as after the other: what a variant leaves behind is paid by the next.
    for (const { admins, p99s } of round % 2 === 0 ? variants : variants.toReversed()) {
      const threads = await Promise.all(admins.map((paths) => startQueries({ url, token, paths })));
      p99s.push((await load(calls, 8, CALLS)).p99Ms);
      await Promise.all(threads.map((thread) => thread.terminate()));
    }
  }
  const [alone = Number.NaN, one = Number.NaN, four = Number.NaN] = variants.map(({ p99s }) => median(p99s));
  report.add({
    what: "p99 of tools/call at 8 connections, alone / during the heaviest admin queries",
    seen: `${alone.toFixed(1)} / ${one.toFixed(1)} ms: ${(one / alone).toFixed(2)}`,
    budget: "≤ 1.20",
    met: one / alone <= 1.2,
  });
  report.add({
    what: `— during concurrent queries of ${HEAVY_PATHS.length} admins`,
    seen: `${four.toFixed(1)} ms: ${(four / alone).toFixed(2)}`,
    budget: "≤ 1.50",
    met: four / alone <= 1.5,
  });
}

async function startQueries(queries: AdminQueries): Promise<Worker> {
  const thread = new Worker(new URL("../query-admin.ts", import.meta.url), { workerData: queries });
  thread.on("error", (error) => {
    throw error;
  });
  await once(thread, "message");
  return thread;
}

async function measureListCost(report: Report, house: Running, { dataDir, token }: Installation): Promise<void> {
  const target: Target = {
    port: house.port,
    method: "GET",
    path: "/api/users?limit=100",
    headers: { authorization: `Bearer ${token}` },
  };
  await load(target, 1, 100);
  const list = (await load(target, 1, 300)).p50Ms;
  const database = new DatabaseSync(`${dataDir}/gatehouse.db`, { readOnly: true });
  const query = database.prepare(USERS_WITH_LINKS);
  const times = Array.from({ length: 300 }, () => {
    const startedAt = performance.now();
    query.all();
    return performance.now() - startedAt;
  });
  database.close();
  const bare = median(times);
  report.add({
    what: "GET /api/users of 100 among 100,000 against its bare query",
    seen: `${list.toFixed(2)} / ${bare.toFixed(2)} ms: ${(list / bare).toFixed(1)}`,
    budget: "≤ 8",
    met: list / bare <= 8,
  });
}
