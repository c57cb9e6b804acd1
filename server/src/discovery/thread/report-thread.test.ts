import assert from "node:assert/strict";
import { after, before, it } from "node:test";
import { type Clock, systemClock } from "#lib/clock";
import { Refusal } from "#lib/errors";
import type { Databases, MainDb, MainTransaction } from "#storage/database";
import { SqliteThreadGone } from "#storage/sqlite-thread";
import { testClock } from "#test/clock";
import { forEachDatabase, onSqlite, type TestDatabase } from "#test/databases";
import { manyItems } from "#test/discovery-report";
import type { GivenReport } from "../check-report.ts";
import type { StoredReports } from "./messages.ts";
import { type CheckedInThread, ReportThread } from "./report-thread.ts";

/** The import rules allow no import of it here. */
const PROGRAM = new URL("../../api/ai-discovery/thread/start-report-worker.mjs", import.meta.url);
const IDLE_MS = 60_000;
const ACTOR = { kind: "user", id: "usr_1", name: "ada@example.com" } as const;

function given(device: number): GivenReport {
  return { errors: [], enforcement: [], ...manyItems(device) };
}

/** What differs in a report that repeats the last one. */
function pickNew({ report_id, scanned_at }: GivenReport) {
  return { report_id, scanned_at };
}

function bytesOf(value: unknown): Uint8Array {
  return new TextEncoder().encode(JSON.stringify(value));
}

/** The response to the first report. */
function answerOf({ answers: [json] }: StoredReports) {
  return JSON.parse(new TextDecoder().decode(json)).data;
}

/** A thread for the reports of one database. */
class Fixture {
  readonly #open: () => Promise<TestDatabase>;
  readonly #threads: { readonly thread: ReportThread; readonly db: MainDb }[] = [];
  #databases: Databases | undefined;

  constructor(open: () => Promise<TestDatabase>) {
    this.#open = open;
  }

  get databases(): Databases {
    assert.ok(this.#databases);
    return this.#databases;
  }

  get db(): MainDb {
    return this.databases.main;
  }

  get thread(): ReportThread {
    return this.#last.thread;
  }

  get #last() {
    return this.#threads.at(-1) ?? this.start(systemClock);
  }

  async open(): Promise<void> {
    this.#databases = (await this.#open()).databases;
  }

  start(clock: Clock) {
    const thread = new ReportThread(clock, PROGRAM, { gatewayUrls: [], connectorIds: new Map() });
    const started = { thread, db: this.databases.mainIn(thread) };
    this.#threads.push(started);
    return started;
  }

  async close(): Promise<void> {
    await Promise.all(this.#threads.map(({ thread }) => thread.close()));
  }

  check(report: GivenReport): Promise<CheckedInThread> {
    return this.thread.check(bytesOf(report), ACTOR);
  }

  store(...reports: CheckedInThread[]): Promise<StoredReports> {
    return this.inTransaction((tx) => this.thread.store(tx, reports, systemClock.now()));
  }

  inTransaction<Result>(work: (tx: MainTransaction) => Promise<Result>): Promise<Result> {
    return this.#last.db.transaction().execute(work);
  }

  /** The number of its decisions. */
  async decide(report: GivenReport): Promise<number> {
    return answerOf(await this.store(await this.check(report))).decisions.length;
  }
}

forEachDatabase("the thread for reports", (open) => {
  const fixture = new Fixture(open);
  before(() => fixture.open());
  after(() => fixture.close());

  it("stores a checked report without secrets, and returns decisions and events", async () => {
    const secret = { ...manyItems(1).mcp_servers[0], url: "https://ada:hunter2@example.com/mcp?token=abc" };
    const report = { ...given(1), mcp_servers: [secret, 7, { name: "" }] };
    const stored = await fixture.store(await fixture.check(report));
    const { events } = stored;
    const { rejected, accepted, decisions } = answerOf(stored);
    assert.deepEqual([rejected.length, accepted.mcp_servers, decisions.length], [2, 1, 11]);
    assert.deepEqual(
      events.map(({ type }) => type),
      ["discovery.violation"],
    );
    const rows = await fixture.db
      .selectFrom("discovery_instances")
      .selectAll()
      .where("device_id", "=", "device-1")
      .execute();
    assert.equal(rows.length, 19);
    assert.equal(JSON.stringify(rows).includes("hunter2"), false);
  });

  it("confirms a report that repeats the last one", async () => {
    const report = given(2);
    await fixture.decide(report);
    assert.equal(await fixture.decide({ ...report, ...pickNew(given(2)) }), 22);
  });

  it("checks a repeated report that has to be applied in full", async () => {
    const report = { ...given(4), device: { ...given(4).device, id: "device-4a" } };
    await fixture.decide(report);
    await fixture.db.deleteFrom("discovery_devices").where("id", "=", "device-4a").execute();
    assert.equal(await fixture.decide({ ...report, ...pickNew(given(4)) }), 22);
  });

  it("stores the instances of a device next to each other, and keeps those of earlier releases", async () => {
    const report = given(11);
    await fixture.decide(report);
    const rows = () =>
      fixture.db.selectFrom("discovery_instances").select("id").where("device_id", "=", "device-11").orderBy("id");
    const ids = (await rows().execute()).map(({ id }) => id);
    assert.deepEqual([ids.length, new Set(ids.map((id) => id.slice(0, 12))).size], [30, 1]);
    await fixture.db.deleteFrom("discovery_violations").where("device_id", "=", "device-11").execute();
    const reversed = (id: string) => [...id].reverse().join("");
    for (const id of ids)
      await fixture.db
        .updateTable("discovery_instances")
        .set({ id: reversed(id) })
        .where("id", "=", id)
        .execute();
    await fixture.decide({ ...report, ...pickNew(given(11)), agents: report.agents.slice(1) });
    const after = await rows().select("removed_at").execute();
    assert.deepEqual(
      after.map(({ id }) => id),
      ids.map(reversed).sort(),
    );
    assert.equal(after.filter(({ removed_at: at }) => at !== null).length, 1);
  });

  it("refuses a body that is not a report", async () => {
    await assert.rejects(fixture.thread.check(bytesOf({ schema_version: 2 }), ACTOR), (error) => {
      assert.ok(error instanceof Refusal);
      assert.deepEqual([error.kind, error.message], ["invalid", "schema_version: must be 1"]);
      return true;
    });
  });

  it("passes on a refusal, and stores nothing", async () => {
    await fixture.decide(given(3));
    await fixture.db
      .updateTable("discovery_devices")
      .set({ reported_id: "another" })
      .where("id", "=", "device-3")
      .execute();
    await assert.rejects(fixture.decide(given(3)), (error) => {
      assert.ok(error instanceof Refusal);
      assert.deepEqual([error.kind, error.message], ["invalid", "device.id: belongs to another device"]);
      return true;
    });
  });
});

onSqlite("the worker of the thread for reports", (open) => {
  const fixture = new Fixture(open);
  before(() => fixture.open());
  after(() => fixture.close());

  it("checks other reports after one that cannot be read", async () => {
    const [one, broken, two] = await Promise.allSettled([
      fixture.check(given(1)),
      fixture.thread.check(Buffer.from("{"), ACTOR),
      fixture.check(given(3)),
    ]);
    assert.deepEqual([one?.status, broken?.status, two?.status], ["fulfilled", "rejected", "fulfilled"]);
  });

  it("refuses a checked report that it has forgotten", async () => {
    const checked = await fixture.check(given(4));
    fixture.thread.forget(checked);
    await assert.rejects(fixture.store(checked), /the thread that checked the report ended/);
  });

  it("checks a report of the largest size that consists of nested lists", async () => {
    const report = { ...given(5), mcp_servers: [0] };
    const entry = `{"x":[${"[[]],".repeat(1_000_000)}0]}`;
    const text = JSON.stringify(report).replace("[0]", () => `[${entry}]`);
    const stored = await fixture.store(await fixture.thread.check(Buffer.from(text), ACTOR));
    assert.deepEqual(answerOf(stored).rejected, [{ path: "mcp_servers.0.name", reason: "name is required" }]);
  });

  it("starts another thread after the first one ended", async () => {
    await fixture.check(given(6));
    await fixture.thread.close();
    assert.equal(await fixture.decide(given(6)), 22);
  });

  it("rolls back when the thread ends during a transaction, and other writes continue", async () => {
    const checked = await fixture.check(given(12));
    const interrupted = fixture.inTransaction(async (tx) => {
      await fixture.thread.store(tx, [checked], systemClock.now());
      await fixture.thread.close();
      await tx.selectFrom("settings").select("name").execute();
    });
    await assert.rejects(interrupted, SqliteThreadGone);
    await fixture.db.deleteFrom("discovery_devices").where("id", "=", "none").execute();
    const stored = fixture.db.selectFrom("discovery_devices").select("id").where("id", "=", "device-12");
    assert.deepEqual(await stored.execute(), []);
    assert.equal(await fixture.decide(given(12)), 22);
  });

  it("refuses a transaction of another thread", async () => {
    const checked = await fixture.check(given(13));
    const foreign = fixture.db.transaction().execute((tx) => fixture.thread.store(tx, [checked], systemClock.now()));
    await assert.rejects(foreign, /only a transaction of Databases.mainIn can be shared/);
    assert.equal(answerOf(await fixture.store(checked)).decisions.length, 22);
  });

  it("stores a report that arrives when the idle thread ends", async () => {
    const clock = testClock();
    fixture.start(clock);
    fixture.thread.forget(await fixture.check(given(7)));
    clock.advance(IDLE_MS);
    assert.equal(await fixture.decide(given(7)), 22);
  });

  it("keeps the thread while a checked report waits to be stored", async () => {
    const clock = testClock();
    fixture.start(clock);
    const checked = await fixture.check(given(8));
    clock.advance(2 * IDLE_MS);
    assert.equal(answerOf(await fixture.store(checked)).decisions.length, 22);
  });

  it("checks everything that was sent before it closes", async () => {
    const reports = [fixture.check(given(9)), fixture.check(given(10))];
    await fixture.thread.close();
    assert.equal((await Promise.all(reports)).length, 2);
  });
});
