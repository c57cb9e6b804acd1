import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createSampler } from "./sampler.ts";
import { readContext, traceparentOf } from "./trace-context.ts";

const TRACE = "4bf92f3577b34da6a3ce929d0e0e4736";
const SPAN = "00f067aa0ba902b7";

describe("trace context", () => {
  it("parses a valid context and writes it as version 00", () => {
    const context = readContext(`00-${TRACE}-${SPAN}-01`, "a=1,b=2");
    assert.deepEqual(context, { traceId: TRACE, spanId: SPAN, flags: "01", state: "a=1,b=2" });
    assert.ok(context);
    assert.equal(traceparentOf(context), `00-${TRACE}-${SPAN}-01`);
    assert.equal(readContext(`cc-${TRACE}-${SPAN}-01-what-comes-later`, undefined)?.traceId, TRACE);
  });

  it("rejects an invalid context", () => {
    for (const parent of [
      undefined,
      "",
      TRACE,
      `00-${TRACE}-${SPAN}`,
      `00-${TRACE}-${SPAN}-01-more`,
      `00-${TRACE}-${SPAN}-01x`,
      `ff-${TRACE}-${SPAN}-01`,
      `00-${TRACE.toUpperCase()}-${SPAN}-01`,
      `00-${"0".repeat(32)}-${SPAN}-01`,
      `00-${TRACE}-${"0".repeat(16)}-01`,
      `00-${TRACE}-${SPAN}-01\r\nx-evil: 1`,
    ]) {
      assert.equal(readContext(parent, undefined), undefined, parent);
    }
  });

  it("ignores an invalid state", () => {
    for (const state of ["", "x", "=x", "a=1,b", "a=é", `a=${"x".repeat(511)}`, "a=1\n"]) {
      assert.equal(readContext(`00-${TRACE}-${SPAN}-01`, state)?.state, undefined, state);
    }
  });
});

describe("sampler", () => {
  const parent = (flags: string) => ({ traceId: TRACE, spanId: SPAN, flags, state: undefined });
  it("follows the caller's decision only when it is parent-based", () => {
    assert.equal(createSampler("parentbased_always_on", 1)(TRACE, parent("00")), false);
    assert.equal(createSampler("parentbased_always_off", 1)(TRACE, parent("03")), true);
    assert.equal(createSampler("parentbased_always_off", 1)(TRACE, undefined), false);
    assert.equal(createSampler("always_on", 1)(TRACE, parent("00")), true);
    assert.equal(createSampler("always_off", 1)(TRACE, parent("01")), false);
  });

  it("records a fraction of the traces, consistently across processes", () => {
    const sample = createSampler("traceidratio", 0.25);
    const taken = Array.from({ length: 16 }, (_, digit) =>
      sample(`${"a".repeat(19)}${digit.toString(16).repeat(13)}`, undefined),
    );
    assert.equal(taken.filter(Boolean).length, 4);
    assert.equal(createSampler("traceidratio", 0)("f".repeat(19) + "0".repeat(13), undefined), false);
    assert.equal(createSampler("traceidratio", 1)("f".repeat(32), undefined), true);
  });
});
