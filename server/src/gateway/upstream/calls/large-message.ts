import { ByteSource } from "#lib/json/byte-source";
import type { ReadLane } from "#lib/read-pacer";
import { readLargeResponse, type UpstreamMessage } from "../../envelope/read-response.ts";

interface ReadingCall {
  readonly doneAt: number | undefined;
  pause(): void;
  resume(): void;
}

/** A large message of a call, which is read in turns. What happens to the call meanwhile is handled afterwards. */
export class LargeMessage {
  readonly #later: (() => void)[] = [];

  /** The upstream's connection is not read until the message was handled. */
  constructor(
    body: Buffer | ByteSource,
    lane: ReadLane,
    call: ReadingCall,
    handle: (message: UpstreamMessage) => void,
  ) {
    call.pause();
    const done = (message: UpstreamMessage) => {
      // First, because a later step may be another large message, which pauses the call again.
      call.resume();
      if (call.doneAt === undefined) handle(message);
      for (const step of this.#later) if (call.doneAt === undefined) step();
    };
    readLargeResponse(body instanceof ByteSource ? body : new ByteSource(body), lane, done);
  }

  afterwards(step: () => void): void {
    this.#later.push(step);
  }
}
