import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { ReadPacer } from "#lib/read-pacer";
import { testClock } from "#test/clock";
import { createCaller, type Outcome, serverEntry, until } from "#test/upstreams/caller";
import { type SeenRequest, startRawUpstream } from "#test/upstreams/raw";
import { DEFAULT_SERVER_LIMITS, type ServerLimits } from "../../snapshot/limits.ts";
import type { UpstreamFault } from "../failure.ts";
import { type AdmittedCall, Bulkhead } from "./bulkhead.ts";
import { UpstreamMeter } from "./upstream-meter.ts";

/** A call that only records what its bulkhead does with it. */
class NotedCall implements AdmittedCall {
  stage: AdmittedCall["stage"] = "outside";
  started = false;
  fault: UpstreamFault | undefined;
  readonly method = "tools/call";
  readonly startedAt: number;
  readonly #bulkhead: Bulkhead;

  constructor(bulkhead: Bulkhead, now: number) {
    this.#bulkhead = bulkhead;
    this.startedAt = now;
    bulkhead.enter(this);
  }

  start(): void {
    this.started = true;
  }

  stop(fault: UpstreamFault): void {
    this.fault = fault;
    this.#bulkhead.leave(this, "none");
  }

  end(sign: "up" | "down" | "none"): void {
    this.#bulkhead.leave(this, sign);
  }
}

function setUp(limits: Partial<ServerLimits>) {
  const clock = testClock();
  const bulkhead = new Bulkhead(clock, 1_000, new ReadPacer(clock).lane(), new UpstreamMeter("echo"));
  bulkhead.update({ ...DEFAULT_SERVER_LIMITS, ...limits }, serverEntry("http://one.example/mcp"));
  const enter = () => new NotedCall(bulkhead, clock.monotonic());
  return { clock, bulkhead, enter, enterMany: (count: number) => Array.from({ length: count }, enter) };
}

describe("a bulkhead limits the calls to one upstream (GW-12)", () => {
  it("admits a limited number of other calls while calls wait for a person", () => {
    const { bulkhead, enterMany } = setUp({ concurrentCalls: 2, queuedCalls: 4 });
    const calls = enterMany(6);
    const stages = () => calls.map((call) => call.stage);
    for (const call of calls.slice(0, 2)) bulkhead.defer(call);
    assert.deepEqual(stages(), ["deferred", "deferred", "inside", "inside", "waiting", "waiting"]);
    for (const call of calls.slice(1, 6)) bulkhead.defer(call);
    assert.deepEqual(stages(), ["deferred", "deferred", "inside", "inside", "waiting", "waiting"]);
    calls[0]?.end("up");
    assert.deepEqual(stages(), ["outside", "deferred", "inside", "inside", "waiting", "waiting"]);
    calls[2]?.end("up");
    assert.deepEqual(stages(), ["outside", "deferred", "outside", "inside", "inside", "waiting"]);
    assert.deepEqual(bulkhead.load, { server: "echo", inside: 3, waiting: 1, paused: 0 });
    for (const call of calls) call.end("up");
    assert.equal(bulkhead.isIdle, true);
  });

  it("starts and queues calls up to the limits, and rejects the next with a clear message", () => {
    const { enterMany, enter } = setUp({ concurrentCalls: 3, queuedCalls: 2 });
    const calls = enterMany(5);
    assert.deepEqual(
      calls.map((call) => call.stage),
      ["inside", "inside", "inside", "waiting", "waiting"],
    );
    const refused = enter();
    assert.equal(refused.fault?.kind, "busy");
    assert.equal(refused.fault?.message, "is busy (calls in progress: 3, queued: 2); try again later");
    assert.equal(refused.fault?.nothingSent, true);
  });

  it("admits the oldest queued call when another call ends", () => {
    const { enterMany, bulkhead } = setUp({ concurrentCalls: 1, queuedCalls: 9, failuresUntilPause: 9 });
    const [first, second, third, fourth] = enterMany(4);
    third?.end("none");
    first?.end("down");
    assert.deepEqual([second?.started, third?.started, fourth?.started], [true, false, false]);
    second?.end("up");
    assert.equal(fourth?.started, true);
    fourth?.end("up");
    assert.ok(bulkhead.isIdle);
  });

  it("stops only the calls that have waited too long", () => {
    const { clock, bulkhead, enter } = setUp({ concurrentCalls: 1, queueMs: 5_000 });
    enter();
    const early = enter();
    clock.advance(3_000);
    const late = enter();
    bulkhead.sweep(clock.monotonic());
    assert.deepEqual([early.fault, late.fault], [undefined, undefined]);
    clock.advance(2_000);
    bulkhead.sweep(clock.monotonic());
    assert.equal(early.fault?.kind, "timeout");
    assert.match(early.fault?.message ?? "", /calls in progress: 1\); this call waited 5 s$/);
    assert.equal(late.fault, undefined);
  });

  it("applies a new limit from the next call on", () => {
    const { bulkhead, enterMany, enter } = setUp({ concurrentCalls: 1, queuedCalls: 0 });
    enterMany(1);
    assert.ok(enter().fault);
    const server = serverEntry("http://one.example/mcp");
    bulkhead.update(DEFAULT_SERVER_LIMITS, { ...server, limits: { concurrentCalls: 2 } });
    assert.equal(enter().started, true);
  });
});

describe("an upstream that is down is paused (GW-12)", () => {
  const failing = (limits: Partial<ServerLimits> = {}) => {
    const it = setUp(limits);
    for (const call of it.enterMany(5)) call.end("down");
    return it;
  };

  it("after five consecutive failures, with a message that contains the time of the next attempt", () => {
    const { clock, enter } = failing();
    clock.advance(400);
    const refused = enter();
    assert.equal(refused.fault?.kind, "busy");
    assert.equal(refused.fault?.message, "is paused after 5 consecutive failures; retries in 1 s");
  });

  it("not after four failures, nor when a response came in between", () => {
    const { enterMany, enter } = setUp({});
    for (const sign of ["down", "down", "down", "down", "up", "down", "none", "down"] as const) enter().end(sign);
    assert.ok(enterMany(9).every((call) => call.started));
  });

  it("stops queued calls immediately", () => {
    const { enterMany } = setUp({ concurrentCalls: 5 });
    const calls = enterMany(12);
    // Each of the first four failures admits another call.
    for (const call of calls.slice(0, 5)) call.end("down");
    assert.deepEqual(
      calls.slice(9).map((call) => [call.started, call.fault?.kind]),
      [
        [false, "busy"],
        [false, "busy"],
        [false, "busy"],
      ],
    );
  });

  it("then sends one probe call, and admits all calls when it succeeds", () => {
    const { clock, enter, enterMany } = failing();
    clock.advance(1_000);
    const probe = enter();
    assert.equal(probe.started, true);
    assert.equal(enter().fault?.message, "is paused after 5 consecutive failures; a trial call is in progress");
    probe.end("up");
    assert.ok(enterMany(9).every((call) => call.started));
  });

  it("doubles the pause with each failed probe up to the limit, and starts with 1 s again after a success", () => {
    const { clock, enter } = failing();
    for (const [failures, seconds] of [2, 4, 8, 16, 30, 30].entries()) {
      clock.advance(Math.min(1_000 * 2 ** failures, 30_000));
      enter().end("down");
      const message = `is paused after ${6 + failures} consecutive failures; retries in ${seconds} s`;
      assert.equal(enter().fault?.message, message);
    }
    clock.advance(30_000);
    enter().end("up");
    for (let count = 0; count < 5; count++) enter().end("down");
    assert.equal(enter().fault?.message, "is paused after 5 consecutive failures; retries in 1 s");
  });

  it("probes again immediately when the probe is canceled", () => {
    const { clock, enter } = failing();
    clock.advance(1_000);
    enter().end("none");
    assert.equal(enter().started, true);
  });

  it("ends the pause when the URL changes, but not when only limits change", () => {
    const { bulkhead, enter } = failing();
    bulkhead.update(DEFAULT_SERVER_LIMITS, serverEntry("http://one.example/mcp", ["legacy"]));
    assert.equal(enter().started, false);
    bulkhead.update(DEFAULT_SERVER_LIMITS, serverEntry("http://two.example/mcp"));
    assert.equal(enter().started, true);
  });

  it("is not prolonged by failures of earlier calls, and ends with a response to one", () => {
    const { clock, enter, enterMany } = setUp({});
    const calls = enterMany(8);
    for (const call of calls.slice(0, 5)) call.end("down");
    clock.advance(900);
    calls[5]?.end("down");
    assert.match(enter().fault?.message ?? "", /retries in 1 s$/);
    calls[6]?.end("up");
    assert.equal(enter().started, true);
  });
});

describe("calls to real upstreams", () => {
  const onCalls = (behaviour: "hang" | "reset") => (seen: SeenRequest) =>
    seen.method === "tools/call" ? behaviour : "json";

  it("limits the calls to a hanging upstream, and a canceled call makes room", async (t) => {
    const upstream = await startRawUpstream({ behave: onCalls("hang") });
    const caller = createCaller({ limits: { concurrentCalls: 3, queuedCalls: 2 } });
    t.after(async () => {
      await caller.close();
      await upstream.close();
    });
    const server = serverEntry(upstream.url, ["modern"]);
    const calls = Array.from({ length: 5 }, () => caller.call(server));
    const { failure } = await caller.call(server);
    assert.match(failure?.message ?? "", /^Server "echo" is busy \(calls in progress: 3, queued: 2\)/);
    assert.equal(failure?.mayHaveRun, false);
    await until(() => upstream.count("tools/call") === 3);
    calls[0]?.handle.cancel();
    await until(() => upstream.count("tools/call") === 4);
  });

  it("sends no queued calls on close", async (t) => {
    const upstream = await startRawUpstream({ behave: onCalls("hang") });
    t.after(() => upstream.close());
    const caller = createCaller({ limits: { concurrentCalls: 1 } });
    const server = serverEntry(upstream.url, ["modern"]);
    const calls = Array.from({ length: 4 }, () => caller.call(server));
    await until(() => upstream.count("tools/call") === 1);
    await caller.close();
    for (const { failure } of await Promise.all(calls)) assert.equal(failure?.kind, "cancelled");
    assert.equal(upstream.count("tools/call"), 1);
  });

  it("pauses an upstream that breaks every connection after five calls", async (t) => {
    const upstream = await startRawUpstream({ behave: onCalls("reset") });
    const caller = createCaller();
    t.after(async () => {
      await caller.close();
      await upstream.close();
    });
    const server = serverEntry(upstream.url, ["modern"]);
    const outcomes: Outcome[] = [];
    for (let call = 0; call < 7; call++) outcomes.push(await caller.call(server));
    assert.deepEqual(
      outcomes.map(({ failure }) => failure?.kind),
      [...Array(5).fill("unreachable"), "busy", "busy"],
    );
    assert.equal(upstream.count("tools/call"), 5);
    // Another server with the same URL has a separate bulkhead.
    upstream.behave = () => "json";
    assert.equal((await caller.call(serverEntry(upstream.url, ["modern"], "other"))).failure, undefined);
  });
});
