/**
 * Everything concurrently, for CHAOS_SECONDS (600 by default): `kill -9`, a full disk, a Postgres that stops, steps of the
 * clock, and a slow and hostile upstream. Afterwards every answered call is in the log once, no acknowledged write is lost,
 * no caller got the answer of another one, and the audit chain verifies. The test also proves that each disturbance had an
 * effect.
 */
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { it, type TestContext } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { createGroup, createMachineUser, createSyncedServer, type MachineUser } from "../factories.ts";
import { SeededRandom, seedFor } from "../seed.ts";
import { type Behaviour, startRawUpstream } from "../upstreams/raw.ts";
import { AdminWriter } from "./admin-writer.ts";
import { callRepeatedly, History, markerIn } from "./callers.ts";
import { checkData } from "./check-data.ts";
import { checkLog, type LogRow, readWholeLog } from "./check-log.ts";
import {
  createSteppedClock,
  mountSmallDisk,
  type SmallDisk,
  type SteppedClock,
  type StoppablePostgres,
  startStoppablePostgres,
} from "./disturbances.ts";
import type { KillableService } from "./killable-service.ts";
import { type Dialect, inLongSetup, type LongSetup } from "./setup.ts";

const SECONDS = Number(process.env.CHAOS_SECONDS ?? 600);
const TIMEOUT = { timeout: (SECONDS + 300) * 1_000 };
const BIN = fileURLToPath(new URL("../../../dist/bin/gatehouse.mjs", import.meta.url));
const HOUR = 3_600;
/** Longer than calls wait for space, so that some waits end with a refusal and not with a kill. */
const LONGEST_FULL_MS = 25_000;
/** Calls wait for 10 s (OPS-5). A process that had a full disk for this time must have refused some. */
const CERTAIN_REFUSAL_MS = 13_000;
/** A shorter run may end before a disturbance has hit a call. */
const PROVING_SECONDS = 300;

interface Disturbance {
  readonly name: string;
  readonly pauseSeconds: readonly [number, number];
  disturb(share: number): Promise<void>;
}

/** Each disturbance runs in its own rhythm, so that they overlap. */
async function disturbUntil(
  over: () => boolean,
  random: SeededRandom,
  disturbances: readonly Disturbance[],
): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  const wait = async (seconds: number) => {
    for (const until = performance.now() + seconds * 1_000; performance.now() < until && !over(); ) await sleep(100);
  };
  const repeat = async ({ name, pauseSeconds: [shortest, longest], disturb }: Disturbance) => {
    counts[name] = 0;
    for (;;) {
      await wait(shortest + random.next() * (longest - shortest));
      if (over()) return;
      await disturb(random.next());
      counts[name]++;
    }
  };
  await Promise.all(disturbances.map(repeat));
  return counts;
}

const HOSTILE: readonly Behaviour[] = [
  ...(["json", "sse", "json", "hang", "reset", "reset-mid-body", "sse-cut", "sse-foreign", "wrong-id"] as const),
  ...(["not-json", "html", "lying-length", "sse-pings", "hang-after-headers", { status: 500 }] as const),
];

interface Hostile {
  readonly history: History;
  readonly users: readonly MachineUser[];
  call(isOver: () => boolean): Promise<unknown>;
}

/** Its callers notice failures, and never an answer to another request. */
async function withHostileUpstream(
  { service }: LongSetup,
  random: SeededRandom,
  work: (hostile: Hostile) => Promise<void>,
): Promise<void> {
  const history = new History();
  const upstream = await startRawUpstream({ record: false, delayMs: () => random.next() * 300 });
  try {
    const first = await service.current();
    const slug = await createSyncedServer(first, "Hostile", upstream.url);
    await first.api("PATCH", `/api/mcp-servers?slug=${slug}`, { limits: { first_byte_seconds: 2, total_seconds: 5 } });
    const users = [await createMachineUser(first, "victim 1"), await createMachineUser(first, "victim 2")];
    await createGroup(first, "victims", { slugs: [slug], emails: users.map(({ email }) => email) });
    upstream.behave = (request) => {
      if (request.method !== "tools/call") return "json";
      const marker = markerIn(request);
      history.seen.set(marker, (history.seen.get(marker) ?? 0) + 1);
      return HOSTILE[Math.floor(random.next() * HOSTILE.length)] ?? "json";
    };
    const options = { tool: "hostile__echo", mayFail: true } as const;
    const call: Hostile["call"] = (isOver) =>
      Promise.all(users.map((user) => callRepeatedly(user, service, history, isOver, options)));
    await work({ history, users, call });
  } finally {
    await upstream.close();
  }
}

async function verifyAudit(environment: Readonly<Record<string, string>>): Promise<string> {
  const { stdout } = await promisify(execFile)(process.execPath, [BIN, "audit", "verify"], {
    env: { PATH: process.env.PATH, ...environment },
  });
  return stdout.trim();
}

/** What the disturbances did to the service. */
interface Effects {
  /** How often the disk had no free block. */
  filledDisks: number;
  /** How often the service reported that it cannot write the call log. */
  unreadyOnFullDisk: number;
  /** Writes of the admin that failed while the disk was full. */
  writesOnFullDisk: number;
  /** The longest time during which one process had a full disk, without a kill. */
  longestFullMs: number;
}

interface Surroundings {
  readonly disk: SmallDisk | undefined;
  readonly clock: SteppedClock;
  readonly postgres: StoppablePostgres | undefined;
}

function disturbances({ service }: LongSetup, around: Surroundings, effects: Effects): Disturbance[] {
  const { disk, clock, postgres } = around;
  const list: Disturbance[] = [
    { name: "kills", pauseSeconds: [5, 15], disturb: () => service.die() },
    {
      name: "clock steps",
      pauseSeconds: [3, 10],
      disturb: (share) => clock.step(Math.round((share - 0.5) * 2 * HOUR)),
    },
  ];
  if (disk) {
    const disturb = async (share: number) => {
      let isFree = false;
      const watched = watchFullDisk(service, disk, () => isFree);
      if (await disk.fill(share * LONGEST_FULL_MS)) effects.filledDisks++;
      isFree = true;
      const { wasUnready, longestMs } = await watched;
      if (wasUnready) effects.unreadyOnFullDisk++;
      effects.longestFullMs = Math.max(effects.longestFullMs, Math.round(longestMs));
    };
    list.push({ name: "full disks", pauseSeconds: [10, 25], disturb });
  }
  if (postgres) {
    const disturb = (share: number) => postgres.stopFor(share * 6_000);
    list.push({ name: "stops of Postgres", pauseSeconds: [10, 25], disturb });
  }
  return list;
}

/** Whether the service reported that it cannot write the call log, and how long one process had no space. */
async function watchFullDisk(service: KillableService, disk: SmallDisk, isFree: () => boolean) {
  let [wasUnready, longestMs] = [false, 0];
  let stretch: { readonly pid: number; readonly from: number } | undefined;
  for (; !isFree(); await sleep(200)) {
    const life = disk.isFull() ? await Promise.race([service.current(), sleep(500, undefined)]) : undefined;
    if (!life || !service.isServing(life)) {
      stretch = undefined;
      continue;
    }
    if (stretch?.pid !== life.pid) stretch = { pid: life.pid, from: performance.now() };
    longestMs = Math.max(longestMs, performance.now() - stretch.from);
    const answer = await life.http("/readyz").catch(() => undefined);
    if (answer?.text.includes("the call log cannot be written")) wasUnready = true;
  }
  return { wasUnready, longestMs };
}

function proveEffects(
  rows: readonly LogRow[],
  { disk }: Surroundings,
  effects: Effects,
  dialect: Dialect,
  refused: number,
): void {
  const off = rows.filter(({ ts }) => Math.abs(Date.parse(ts) - Date.now()) > (SECONDS + 300) * 1_000).length;
  if (SECONDS < PROVING_SECONDS) return;
  assert.ok(off > 0, "calls have times of a stepped clock");
  if (!disk) return;
  assert.ok(effects.filledDisks > 0, "the disk was full");
  assert.ok(effects.unreadyOnFullDisk > 0, "the service reported that it cannot write the call log");
  const { longestFullMs } = effects;
  if (longestFullMs > CERTAIN_REFUSAL_MS)
    assert.ok(refused > 0, `no call was refused, although one process had a full disk for ${longestFullMs} ms`);
  // With Postgres, records are not on this disk.
  if (dialect === "sqlite") assert.ok(effects.writesOnFullDisk > 0, "writes were refused because the disk was full");
}

async function runChaos(
  context: LongSetup,
  hostile: Hostile,
  around: Surroundings,
  dialect: Dialect,
  test: TestContext,
  random: SeededRandom,
): Promise<void> {
  const { service, history, users, upstream, dataDir, databaseUrl } = context;
  const effects: Effects = { filledDisks: 0, unreadyOnFullDisk: 0, writesOnFullDisk: 0, longestFullMs: 0 };
  const end = performance.now() + SECONDS * 1_000;
  const isOver = () => performance.now() >= end || test.signal.aborted;
  let isQuiet = false;
  const writer = new AdminWriter();
  writer.onRefusal = () => {
    if (around.disk?.isFull()) effects.writesOnFullDisk++;
  };
  const load = Promise.all([
    ...users.map((user) => callRepeatedly(user, service, history, () => isQuiet, { mayFail: true })),
    writer.writeRepeatedly(service, upstream.url, () => isQuiet, { mayFail: true }),
    hostile.call(() => isQuiet),
  ]);
  const counts = await disturbUntil(isOver, random, disturbances(context, around, effects));
  isQuiet = true;
  await load;
  await around.clock.step(0);
  await sleep(3_000);
  const last = await service.current();
  const rows = await readWholeLog(last);
  const rowsOf = (some: readonly MachineUser[]) =>
    rows.filter(({ user_email: email }) => some.some((user) => user.email === email));
  const { sent, answered, refused, unlogged } = history;
  test.diagnostic(`${JSON.stringify({ ...counts, ...effects })}, ${service.failedStarts} failed starts`);
  test.diagnostic(
    `calls: ${sent.length} sent, ${answered} answered, ${refused} refused, ${unlogged} of them on a full disk`,
  );
  const { outcomes } = checkLog(rowsOf(users), history);
  const attacked = checkLog(rowsOf(hostile.users), hostile.history);
  await writer.check(last);
  await service.close();
  await checkData(dataDir, databaseUrl);
  test.diagnostic(await verifyAudit(context.environment));
  const written = [...writer.acknowledged.values()].reduce((sum, names) => sum + names.size, 0);
  test.diagnostic(`log: ${rows.length} rows, ${JSON.stringify(outcomes)}; ${written} writes acknowledged`);
  test.diagnostic(`hostile: ${hostile.history.sent.length} sent, ${JSON.stringify(attacked.outcomes)}`);
  proveEffects(rows, around, effects, dialect, unlogged + hostile.history.unlogged);
}

for (const dialect of ["sqlite", "postgres"] as const satisfies Dialect[]) {
  it(`keeps its promises while everything goes wrong (${dialect})`, TIMEOUT, async (test) => {
    const random = new SeededRandom();
    random.seed(seedFor(test));
    const disk = await mountSmallDisk();
    const clock = await createSteppedClock();
    const postgres = dialect === "postgres" ? await startStoppablePostgres() : undefined;
    if (!disk) test.diagnostic("without a full disk: no permission to mount a file system");
    const special = {
      dataDir: disk?.folder,
      databaseUrl: postgres?.url,
      restarts: true,
      environment: clock.environment,
    };
    try {
      await inLongSetup(
        dialect,
        test.signal,
        (context) =>
          withHostileUpstream(context, random, (hostile) =>
            runChaos(context, hostile, { disk, clock, postgres }, dialect, test, random),
          ),
        special,
      );
    } finally {
      await postgres?.close();
      await clock.close();
      await disk?.close();
    }
  });
}
