import assert from "node:assert/strict";
import { after, before, it } from "node:test";
import { type Clock, systemClock } from "#lib/clock";
import { Refusal } from "#lib/errors";
import type { MainDb } from "#storage/database";
import { testClock } from "#test/clock";
import { forEachDatabase, onSqlite, type TestDatabase } from "#test/databases";
import { manyItems } from "#test/discovery-report";
import type { GivenReport } from "../check-report.ts";
import { contentOf } from "../report-content.ts";
import { headOf } from "../sent-report.ts";
import type { ReportToStore, StoredReports, UncheckedReport } from "./messages.ts";
import { ReportThread } from "./report-thread.ts";

const IDLE_MS = 60_000;
const ACTOR = { kind: "api-token", id: "tok_1", name: "mdm" } as const;

function given(device: number): GivenReport {
  return { errors: [], enforcement: [], ...manyItems(device) };
}

function uncheckedOf(report: GivenReport): UncheckedReport {
  const { report_id, scanned_at } = report;
  return { identity: { report_id, scanned_at }, text: contentOf(report, [])?.text ?? "" };
}

/** A thread for the reports of one database. */
class Fixture {
  readonly #open: () => Promise<TestDatabase>;
  readonly #threads: ReportThread[] = [];
  #db: MainDb | undefined;

  constructor(open: () => Promise<TestDatabase>) {
    this.#open = open;
  }

  get db(): MainDb {
    assert.ok(this.#db);
    return this.#db;
  }

  get thread(): ReportThread {
    return this.#threads.at(-1) ?? this.start(systemClock);
  }

  async open(): Promise<void> {
    this.#db = (await this.#open()).databases.main;
  }

  start(clock: Clock): ReportThread {
    const thread = new ReportThread(clock, { gatewayUrls: [], connectorIds: new Map() });
    this.#threads.push(thread);
    return thread;
  }

  async close(): Promise<void> {
    await Promise.all(this.#threads.map((each) => each.close()));
  }

  check(report: GivenReport): Promise<number> {
    return this.thread.check(uncheckedOf(report));
  }

  store(report: GivenReport, content: ReportToStore["content"]): Promise<StoredReports> {
    const sent = [{ head: headOf(report), digest: "d", actor: ACTOR, content }];
    return this.db.transaction().execute((tx) => this.thread.store(tx, sent, systemClock.now()));
  }

  /** The number of its decisions. */
  async decide(report: GivenReport): Promise<number | undefined> {
    return (await this.store(report, await this.check(report))).results[0]?.decisions.length;
  }
}

forEachDatabase("the thread for reports", (open) => {
  const fixture = new Fixture(open);
  before(() => fixture.open());
  after(() => fixture.close());

  it("stores a checked report without secrets, and returns decisions and events", async () => {
    const secret = { ...manyItems(1).mcp_servers[0], url: "https://ada:hunter2@example.com/mcp?token=abc" };
    const report = { ...given(1), mcp_servers: [secret, 7, { name: "" }] };
    const { results, events } = await fixture.store(report, await fixture.check(report));
    assert.deepEqual(
      [results.length, results[0]?.rejected.length, results[0]?.accepted.mcp_servers, results[0]?.decisions.length],
      [1, 2, 1, 11],
    );
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

  it("checks a report while it stores it if it was not checked before", async () => {
    const report = given(2);
    assert.equal((await fixture.store(report, uncheckedOf(report))).results[0]?.decisions.length, 22);
  });

  it("passes on a refusal, and stores nothing", async () => {
    const [original, clone, impostor] = ["one", "two", "three"].map((serial_hash, n) => ({
      ...given(3),
      device: { ...given(3).device, id: n === 2 ? "device-3~two" : "device-3", serial_hash },
    }));
    assert.ok(original && clone && impostor);
    await fixture.decide(original);
    await fixture.decide(clone);
    await assert.rejects(fixture.decide(impostor), (error) => {
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
      fixture.thread.check({ ...uncheckedOf(given(2)), text: "{" }),
      fixture.check(given(3)),
    ]);
    assert.deepEqual([one?.status, broken?.status, two?.status], ["fulfilled", "rejected", "fulfilled"]);
  });

  it("refuses a checked report that it has forgotten", async () => {
    const report = given(4);
    const checked = await fixture.check(report);
    fixture.thread.forget(checked);
    await assert.rejects(fixture.store(report, checked), /the thread that checked the report ended/);
  });

  it("checks a report of the largest size that consists of nested lists", async () => {
    const report = { ...given(5), mcp_servers: [0] };
    const entry = `{"x":[${"[[]],".repeat(1_000_000)}0]}`;
    const text = uncheckedOf(report).text.replace("[0]", () => `[${entry}]`);
    const { results } = await fixture.store(report, await fixture.thread.check({ ...uncheckedOf(report), text }));
    assert.deepEqual(results[0]?.rejected, [{ path: "mcp_servers.0.name", reason: "name is required" }]);
  });

  it("starts another thread after the first one ended", async () => {
    await fixture.check(given(6));
    await fixture.thread.close();
    assert.equal(await fixture.decide(given(6)), 22);
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
    assert.equal((await fixture.store(given(8), checked)).results[0]?.decisions.length, 22);
  });

  it("checks everything that was sent before it closes", async () => {
    const reports = [fixture.check(given(9)), fixture.check(given(10))];
    await fixture.thread.close();
    assert.equal((await Promise.all(reports)).length, 2);
  });
});
