import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { testClock } from "#test/clock";
import { systemClock } from "./clock.ts";
import { createIds } from "./ids.ts";
import { systemRandom } from "./random.ts";
import { createRequestIds } from "./request-ids.ts";

describe("ids", () => {
  it("have a prefix per kind and 26 characters of Crockford's alphabet", () => {
    const newId = createIds(systemClock, systemRandom);
    assert.match(newId("srv"), /^srv_[0-9a-hjkmnp-tv-z]{26}$/);
  });

  it("sort by creation time, whatever the random part", () => {
    const time = fc.integer({ min: 0, max: 2 ** 48 - 1 });
    fc.assert(
      fc.property(time, time, fc.uint8Array({ minLength: 32, maxLength: 32 }), (a, b, bytes) => {
        fc.pre(a < b);
        const idAt = (time: number, random: Uint8Array) => createIds(testClock(time), () => random)("usr");
        const [first, second] = [idAt(a, bytes.subarray(0, 16)), idAt(b, bytes.subarray(16))];
        assert.ok(first < second, `${first} ${second}`);
      }),
    );
  });

  it("created in the same millisecond differ", () => {
    const newId = createIds(testClock(), systemRandom);
    assert.equal(new Set(Array.from({ length: 10_000 }, () => newId("req"))).size, 10_000);
  });

  it("use every random byte once, and ask for them rarely", () => {
    const asked: number[] = [];
    let next = 0;
    const newId = createIds(testClock(), (size) => {
      asked.push(size);
      return Uint8Array.from({ length: size }, () => next++);
    });
    const parts = Array.from({ length: 256 }, () => newId("req").slice(-16));
    // The lower five bits of each byte are one character.
    assert.deepEqual([...new Set(parts)], ["0123456789abcdef", "ghjkmnpqrstvwxyz"]);
    assert.equal(next, 256 * 16);
    assert.equal(asked.length, 2);
  });
});

describe("request ids", () => {
  it("are unique, even between processes, and use random bytes only once", () => {
    let asked = 0;
    const random = (size: number) => {
      asked++;
      return systemRandom(size);
    };
    const processes = [createRequestIds(random), createRequestIds(random)];
    const askedAtStart = asked;
    const ids = processes.flatMap((next) => Array.from({ length: 5_000 }, next));
    assert.equal(new Set(ids).size, ids.length);
    assert.equal(asked, askedAtStart);
    for (const id of ids) assert.match(id, /^req_[0-9A-Za-z]{12}[0-9a-z]{6}$/);
  });
});
