import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { SingleFlight } from "./single-flight.ts";

describe("SingleFlight", () => {
  it("lets concurrent callers share one execution and its result", async () => {
    const flights = new SingleFlight<number>();
    const { promise, resolve } = Promise.withResolvers<number>();
    let started = 0;
    const work = () => {
      started++;
      return promise;
    };
    const callers = [flights.run("a", work), flights.run("a", work), flights.run("a", work)];
    resolve(7);
    assert.deepEqual(await Promise.all(callers), [7, 7, 7]);
    assert.equal(started, 1);
  });

  it("runs different keys separately", async () => {
    const flights = new SingleFlight<string>();
    const answers = ["a", "b"].map((key) => flights.run(key, async () => key));
    assert.deepEqual(await Promise.all(answers), ["a", "b"]);
  });

  it("runs again after the previous execution has succeeded or failed", async () => {
    const flights = new SingleFlight<number>();
    let started = 0;
    const failing = async () => {
      started++;
      throw new Error(`attempt ${started}`);
    };
    const both = await Promise.allSettled([flights.run("a", failing), flights.run("a", failing)]);
    assert.deepEqual(
      both.map((each) => each.status === "rejected" && each.reason.message),
      ["attempt 1", "attempt 1"],
    );
    await assert.rejects(flights.run("a", failing), /attempt 2/);
    assert.equal(await flights.run("a", async () => 3), 3);
  });
});
