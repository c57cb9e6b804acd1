import { DatabaseSync } from "node:sqlite";
import { load, median, type Target } from "../load.ts";
import { type Running, startGatehouse } from "../processes.ts";
import type { Report } from "../report.ts";
import { callTarget } from "./calls.ts";
import { type Installation, install, LARGE } from "./large.ts";

const ROUNDS = 5;
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
  const alone: number[] = [];
  const withAdmin: number[] = [];
  await load(calls, 8, CALLS);
  const crowded: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    alone.push((await load(calls, 8, CALLS)).p99Ms);
    for (const [measured, admins] of [
      [withAdmin, [HEAVY_PATHS]],
      [crowded, HEAVY_PATHS.map((path) => [path])],
    ] as const) {
      const done = new AbortController();
      const queries = admins.map((paths) => queryUntil(done.signal, house.port, paths, token));
      measured.push((await load(calls, 8, CALLS)).p99Ms);
      done.abort();
      await Promise.all(queries);
    }
  }
  const ratio = median(withAdmin) / median(alone);
  report.add({
    what: "p99 of tools/call at 8 connections, alone / during the heaviest admin queries",
    seen: `${median(alone).toFixed(1)} / ${median(withAdmin).toFixed(1)} ms: ${ratio.toFixed(2)}`,
    budget: "≤ 1.20",
    met: ratio <= 1.2,
  });
  report.add({
    what: `— during concurrent queries of ${HEAVY_PATHS.length} admins`,
    seen: `${median(crowded).toFixed(1)} ms: ${(median(crowded) / median(alone)).toFixed(2)}`,
  });
}

/** Sends the queries in sequence with pauses, like people and scripts. */
async function queryUntil(signal: AbortSignal, port: number, paths: readonly string[], token: string): Promise<void> {
  for (let turn = 0; !signal.aborted; turn++) {
    const path = paths[turn % paths.length] ?? "";
    const answer = await fetch(`http://127.0.0.1:${port}${path}`, { headers: { authorization: `Bearer ${token}` } });
    if (answer.status !== 200) throw new Error(await answer.text());
    await answer.text();
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
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
