import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { ProcessorShare, type Processors } from "./processor-share.ts";

/** Two processors. A pause takes no processor time of this process, and others go on. */
class TestProcessors implements Processors {
  readonly pauses: number[] = [];
  #now = 0;
  #own = 0;
  #used = 0;
  /** Of all processors, between 0 and 1. */
  othersShare = 0;

  now(): number {
    return this.#now;
  }

  own(): number {
    return this.#own;
  }

  all() {
    return { used: this.#used, unused: this.#now * 2 - this.#used };
  }

  async sleep(ms: number): Promise<void> {
    this.pauses.push(ms);
    this.#pass(ms);
  }

  work(ms: number): void {
    this.#own += ms;
    this.#used += ms;
    this.#pass(ms);
  }

  #pass(ms: number): void {
    this.#now += ms;
    this.#used += ms * 2 * this.othersShare;
  }
}

/** Works in pieces of 10 ms. Returns the pauses. */
async function work(processors: TestProcessors, share: ProcessorShare, pieces: number): Promise<number[]> {
  processors.pauses.length = 0;
  for (let piece = 0; piece < pieces; piece++) {
    processors.work(10);
    await share.afterWork();
  }
  return [...processors.pauses];
}

describe("the share of the processors", () => {
  it("works a quarter of the time while others are busy", async () => {
    const processors = new TestProcessors();
    processors.othersShare = 0.4;
    const share = new ProcessorShare(processors);
    assert.deepEqual(await work(processors, share, 30), Array(10).fill(90));
    assert.equal(processors.now(), 4 * 300);
  });

  it("does not pause while the processors are otherwise unused", async () => {
    const processors = new TestProcessors();
    const share = new ProcessorShare(processors);
    // Until the first measurement, after 200 ms.
    assert.deepEqual(await work(processors, share, 6), [90, 90]);
    assert.deepEqual(await work(processors, share, 60), []);
  });

  it("follows others that begin and end", async () => {
    const processors = new TestProcessors();
    const share = new ProcessorShare(processors);
    await work(processors, share, 30);
    processors.othersShare = 0.5;
    assert.ok((await work(processors, share, 60)).length > 10);
    processors.othersShare = 0.1;
    await work(processors, share, 30);
    assert.deepEqual(await work(processors, share, 30), []);
  });
});
