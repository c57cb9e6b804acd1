import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { readEvents } from "./event-stream.ts";

describe("readEvents", () => {
  it("joins pieces, decodes characters that are split, and leaves out comments", async () => {
    const bytes = new TextEncoder().encode(
      ': hello\n\nid: 1\nevent: step\ndata: {"ü":1}\n\nevent: status\ndata: x\n\nevent: cut',
    );
    const stream = new ReadableStream<Uint8Array>({
      start(controller) {
        for (const byte of bytes) controller.enqueue(Uint8Array.of(byte));
        controller.close();
      },
    });
    const events = [];
    for await (const event of readEvents(stream)) events.push(event);
    assert.deepEqual(events, [
      { name: "step", data: '{"ü":1}' },
      { name: "status", data: "x" },
    ]);
  });
});
