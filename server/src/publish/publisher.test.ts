import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import type { KyselyPlugin } from "kysely";
import type { Clock, Timer } from "#lib/clock";
import type { Databases } from "#storage/database";
import { forEachDatabase, openTestSqlite, type TestDatabase } from "#test/databases";
import { addUser, Replica, write } from "#test/example-replica";
import { publishedKinds } from "./published-kinds.ts";
import { advanceState, buildState } from "./published-state.ts";

/** A clock that only the test advances. */
class ManualClock implements Clock {
  readonly #timers = new Map<Timer, { due: number; task: () => void }>();
  #now = 0;

  now = () => this.#now;
  monotonic = () => this.#now;

  after(delayMs: number, task: () => void): Timer {
    const timer = { cancel: () => void this.#timers.delete(timer) };
    this.#timers.set(timer, { due: this.#now + delayMs, task });
    return timer;
  }

  pass(ms: number): void {
    this.#now += ms;
    for (const [timer, { due, task }] of [...this.#timers]) {
      if (due > this.#now || !this.#timers.delete(timer)) continue;
      task();
    }
  }

  get waiting(): number {
    return this.#timers.size;
  }
}

/** The real databases, which the test can disconnect. */
class DisconnectableDatabases {
  isDisconnected = false;
  refused = 0;
  readonly databases: Databases;

  constructor(real: Databases) {
    const check = () => {
      if (!this.isDisconnected) return;
      this.refused++;
      throw new Error("The database is away");
    };
    this.databases = {
      dialect: real.dialect,
      get main() {
        check();
        return real.main;
      },
      mainIn: (host) => real.mainIn(host),
      calls: real.calls,
      callReports: real.callReports,
      async mayHaveChanged() {
        check();
        return real.mayHaveChanged();
      },
      withoutTimeout: (work) => real.withoutTimeout(work),
      readSnapshot: (work) => real.readSnapshot(work),
      runLong: (statement, signal) => real.runLong(statement, signal),
      reclaimSpace: () => real.reclaimSpace(),
      compact: real.compact,
      close: () => real.close(),
    };
  }
}

/** The real databases. `disturb` runs after each query on `main`, before the rows are returned. */
function afterQueries(real: Databases, disturb: (index: number) => Promise<void>): Databases {
  let count = 0;
  const plugin: KyselyPlugin = {
    transformQuery: ({ node }) => node,
    async transformResult({ result }) {
      await disturb(count++);
      return result;
    },
  };
  return { ...real, main: real.main.withPlugin(plugin) };
}

async function until(isSo: () => boolean): Promise<void> {
  for (let i = 0; i < 2_000 && !isSo(); i++) await sleep(5);
  assert.ok(isSo());
}

function userIds({ holder }: Replica): string[] {
  return [...holder.current().usersById].map(([id]) => id).sort();
}

forEachDatabase("publisher", (open) => {
  async function withDatabase(work: (database: TestDatabase) => Promise<void>): Promise<void> {
    const database = await open();
    try {
      await work(database);
    } finally {
      await database.close();
    }
  }

  it("holds the revision of each of many concurrent writes when applyUpTo resolves", () =>
    withDatabase(async ({ databases }) => {
      const { holder, publisher } = new Replica(databases);
      await publisher.start();
      await Promise.all(
        Array.from({ length: 40 }, async (_, i) => {
          const revision = await addUser(databases, `usr_${i}`);
          await publisher.applyUpTo(revision);
          assert.ok(holder.current().revision >= revision);
          assert.ok(holder.current().usersById.has(`usr_${i}`));
        }),
      );
      await publisher.stop();
    }));

  it("includes writes made during a full build", () =>
    withDatabase(async ({ databases }) => {
      await addUser(databases, "usr_b");
      // One write after each query of the build.
      const during = ["usr_a1", "usr_a2", "usr_a3", "usr_a4", "usr_a5"];
      const disturbed = afterQueries(databases, async (index) => {
        const id = during[index];
        if (id !== undefined) await addUser(databases, id);
      });
      const replica = new Replica(disturbed);
      await replica.publisher.start();
      assert.deepEqual(userIds(replica), [...during, "usr_b"]);
      assert.equal(replica.holder.current().revision, 6);
      await replica.publisher.stop();
    }));

  it("reads changes and records from one moment", () =>
    withDatabase(async ({ databases, dialect }) => {
      await addUser(databases, "usr_1");
      const before = await buildState(databases, publishedKinds());
      const rename = (email: string) =>
        write(databases, async (tx, trail) => {
          await tx.updateTable("users").set({ email }).where("id", "=", "usr_1").execute();
          trail.changed("user", "usr_1");
        });
      const first = await rename("first@example.com");
      let second: Promise<number> | undefined;
      const disturbed = afterQueries(databases, async (index) => {
        // Query 0 reads the revision, 1 and 2 read the counter and the changes, 3 reads the user.
        if (index !== 2) return;
        second = rename("second@example.com");
        if (dialect === "postgres") await second; // on SQLite it waits for our transaction
      });
      const state = await advanceState(disturbed, publishedKinds(), before);
      assert.equal(state.snapshot.revision, first);
      assert.equal(state.snapshot.usersById.get("usr_1")?.email, "first@example.com");
      await second;
      const later = await advanceState(databases, publishedKinds(), state);
      assert.equal(later.snapshot.usersById.get("usr_1")?.email, "second@example.com");
    }));

  it("follows the writes of another process by polling", () =>
    withDatabase(async ({ databases }) => {
      const clock = new ManualClock();
      const other = new Replica(databases, clock);
      await other.publisher.start();
      await addUser(databases, "usr_new");
      assert.equal(other.holder.current().usersById.size, 0);
      clock.pass(500);
      await until(() => other.holder.current().usersById.has("usr_new"));
      await addUser(databases, "usr_newer");
      await until(() => clock.waiting > 0);
      clock.pass(500);
      await until(() => other.holder.current().usersById.has("usr_newer"));
      await other.publisher.stop();
    }));

  it("rebuilds when the changes it needs were trimmed", () =>
    withDatabase(async ({ databases }) => {
      const replica = new Replica(databases);
      await replica.publisher.start();
      for (const id of ["usr_1", "usr_2", "usr_3"]) await addUser(databases, id);
      await databases.main.deleteFrom("changes").where("revision", "<", 3).execute();
      await replica.publisher.catchUp();
      assert.deepEqual(userIds(replica), ["usr_1", "usr_2", "usr_3"]);
      await replica.publisher.stop();
    }));

  it("rebuilds when the database was restored to an older state", () =>
    withDatabase(async ({ databases }) => {
      const clock = new ManualClock();
      const replica = new Replica(databases, clock);
      for (const id of ["usr_1", "usr_2"]) await addUser(databases, id);
      await replica.publisher.start();
      await databases.main.deleteFrom("users").where("id", "=", "usr_2").execute();
      await databases.main.deleteFrom("changes").where("revision", ">", 1).execute();
      await databases.main.updateTable("change_counter").set({ revision: 1 }).execute();
      clock.pass(500);
      await until(() => replica.holder.current().revision === 1);
      assert.deepEqual(userIds(replica), ["usr_1"]);
      await replica.publisher.stop();
    }));
});

describe("publisher without its database", () => {
  it("serves the last known state, retries, and rejects waiting writes after 5 s", async (test) => {
    const database = await openTestSqlite();
    test.after(() => database.close());
    const connection = new DisconnectableDatabases(database.databases);
    const clock = new ManualClock();
    const { holder, publisher } = new Replica(connection.databases, clock);
    await addUser(database.databases, "usr_1");
    await publisher.start();
    const revision = await addUser(database.databases, "usr_2");

    connection.isDisconnected = true;
    const timedOut = assert.rejects(publisher.applyUpTo(revision), { name: "Refusal", kind: "unavailable" });
    await until(() => connection.refused > 0);
    clock.pass(5_000);
    await timedOut;
    assert.equal(holder.current().usersById.size, 1);

    const waiting = publisher.applyUpTo(revision);
    connection.isDisconnected = false;
    await until(() => {
      clock.pass(100);
      return holder.current().usersById.size === 2;
    });
    await waiting;
    await publisher.stop();
  });

  it("retries before the next poll", async (test) => {
    const database = await openTestSqlite();
    test.after(() => database.close());
    const connection = new DisconnectableDatabases(database.databases);
    const clock = new ManualClock();
    const { holder, publisher } = new Replica(connection.databases, clock);
    await publisher.start();
    const revision = await addUser(database.databases, "usr_1");
    connection.isDisconnected = true;
    const applied = publisher.applyUpTo(revision);
    await until(() => clock.waiting === 3); // the poll, the wait timeout, the retry
    connection.isDisconnected = false;
    clock.pass(50);
    await until(() => holder.current().revision === revision);
    await applied;
    await publisher.stop();
  });

  it("stops immediately between two retries", async (test) => {
    const database = await openTestSqlite();
    test.after(() => database.close());
    const connection = new DisconnectableDatabases(database.databases);
    const { publisher } = new Replica(connection.databases, new ManualClock());
    await publisher.start();
    connection.isDisconnected = true;
    const waiting = assert.rejects(publisher.applyUpTo(7), { kind: "unavailable" });
    await until(() => connection.refused > 0);
    await publisher.stop();
    await waiting;
    await assert.rejects(publisher.applyUpTo(8), { kind: "unavailable" });
  });
});
