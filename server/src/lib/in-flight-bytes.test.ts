import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { InFlightBytes } from "./in-flight-bytes.ts";

describe("InFlightBytes", () => {
  it("rejects what exceeds the share of a payer, and accepts others", () => {
    const memory = new InFlightBytes(100);
    assert.equal(memory.take("ada", 20, 0), true);
    assert.equal(memory.take("ada", 6, 0), false);
    assert.equal(memory.take("ada", 5, 0), true);
    assert.equal(memory.take("ben", 25, 0), true);
    memory.giveBack("ada", 5);
    assert.equal(memory.take("ada", 5, 0), true);
  });

  it("lets a single request exceed the share, but not the total", () => {
    const memory = new InFlightBytes(100);
    assert.equal(memory.take("ada", 30, 0), true);
    assert.equal(memory.take("ada", 50, 30), true);
    assert.equal(memory.take("ada", 1, 0), false, "a second request");
    assert.equal(memory.take("ada", 21, 80), false, "more than the total");
    memory.giveBack("ada", 80);
    assert.equal(memory.take("ada", 100, 0), true);
  });

  it("limits the total of all payers", () => {
    const memory = new InFlightBytes(100);
    for (const payer of ["ada", "ben", "cleo", "dan"]) assert.equal(memory.take(payer, 25, 0), true);
    assert.equal(memory.take("eve", 1, 0), false);
    memory.giveBack("ben", 25);
    assert.equal(memory.take("eve", 1, 0), true);
  });
});
