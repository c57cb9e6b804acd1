import assert from "node:assert/strict";
import { beforeEach, describe, it } from "node:test";
import { createLogger } from "#lib/logger";
import { type TestClock, testClock } from "#test/clock";
import type { ToWorker, WorkerReport } from "./messages.ts";
import type { WorkerEvents } from "./processes.ts";
import { Supervisor } from "./supervisor.ts";

const REPORT: WorkerReport = {
  port: 1,
  controlSocket: undefined,
  adminTokenFile: undefined,
  setupToken: undefined,
  sealedBecause: undefined,
};

/** A worker process that a test plays. */
interface Played extends WorkerEvents {
  readonly sent: ToWorker[];
  isKilled: boolean;
}

describe("the supervisor", () => {
  let clock: TestClock;
  let processes: Played[];
  let failures: string[];
  let supervisor: Supervisor;

  beforeEach(() => {
    clock = testClock();
    processes = [];
    failures = [];
    supervisor = new Supervisor({
      workers: 2,
      clock,
      logger: createLogger("silent"),
      startProcess(events) {
        const played: Played = { ...events, sent: [], isKilled: false };
        processes.push(played);
        const kill = () => {
          played.isKilled = true;
        };
        return { pid: processes.length, send: (message) => void played.sent.push(message), kill };
      },
      shutdownMs: 60_000,
      controlReady: () => {},
      failed: (message) => failures.push(message),
    });
  });

  const played = (at: number): Played => {
    const found = processes[at];
    assert.ok(found, `process ${at} was not started`);
    return found;
  };
  const becomeReady = async (at: number) => {
    played(at).received({ kind: "join" });
    played(at).received({ kind: "ready", report: REPORT });
    await Promise.resolve();
  };
  const start = async () => {
    const started = supervisor.start();
    await becomeReady(0);
    await becomeReady(1);
    await started;
  };
  const asked = (at: number) => played(at).sent.flatMap((message) => (message.kind === "request" ? [message.id] : []));

  it("starts the other workers only when the control worker is ready", async () => {
    const started = supervisor.start();
    assert.equal(processes.length, 1);
    await becomeReady(0);
    assert.equal(processes.length, 2);
    await becomeReady(1);
    await started;
  });

  it("reports a change as applied when the other worker has confirmed it", async () => {
    await start();
    played(0).received({ kind: "ask", id: 9, request: { kind: "apply", revision: 4 } });
    await new Promise(setImmediate);
    assert.ok(!played(0).sent.some(({ kind }) => kind === "asked"));
    for (const id of asked(1)) played(1).received({ kind: "response", id, isDone: true });
    await new Promise(setImmediate);
    assert.deepEqual(played(0).sent.at(-1), { kind: "asked", id: 9, isDone: true });
  });

  it("does not wait for a worker that has ended", async () => {
    await start();
    played(0).received({ kind: "ask", id: 9, request: { kind: "apply", revision: 4 } });
    played(1).ended(null, "SIGKILL");
    await new Promise(setImmediate);
    assert.ok(played(0).sent.some((message) => message.kind === "asked" && message.isDone));
  });

  it("reports a late worker, and kills one that does not respond", async () => {
    await start();
    played(0).received({ kind: "ask", id: 9, request: { kind: "apply", revision: 4 } });
    clock.advance(5_000);
    await new Promise(setImmediate);
    assert.deepEqual(played(0).sent.at(-1), { kind: "asked", id: 9, isDone: false });
    assert.ok(!played(1).isKilled);
    clock.advance(25_000);
    assert.ok(played(1).isKilled);
  });

  it("starts a worker again with growing delays, and gives up after five ends", async () => {
    await start();
    for (const [at, delayMs] of [100, 400, 1_600, 6_400].entries()) {
      played(at + 1).ended(1, null);
      clock.advance(delayMs - 1);
      assert.equal(processes.length, at + 2);
      clock.advance(1);
      assert.equal(processes.length, at + 3);
    }
    assert.deepEqual(failures, []);
    played(5).ended(1, null);
    assert.deepEqual(failures, ["Worker 2 ended repeatedly right after its start. The log above has the reason."]);
  });

  it("stops an old worker only when its successor is ready", async () => {
    await start();
    const restarted = supervisor.restartAll();
    assert.equal(processes.length, 3);
    assert.ok(!played(1).sent.some(({ kind }) => kind === "stop"));
    await becomeReady(2);
    await new Promise(setImmediate);
    assert.deepEqual(played(1).sent.at(-1), { kind: "stop", reason: "replaced" });
    assert.equal(processes.length, 3);
    played(1).ended(0, null);
    await new Promise(setImmediate);
    await becomeReady(3);
    await new Promise(setImmediate);
    played(0).ended(0, null);
    await restarted;
    assert.equal(supervisor.serving().length, 2);
  });

  it("keeps the old worker if its successor does not start", async () => {
    await start();
    const restarted = supervisor.restartAll();
    played(2).ended(78, null);
    await restarted;
    assert.ok(!played(1).sent.some(({ kind }) => kind === "stop"));
    assert.equal(supervisor.serving().length, 2);
  });
});
