import type { Turns } from "../read-pacer.ts";
import type { ByteSource } from "./byte-source.ts";
import { JsonFault, type Scan } from "./scan.ts";
import { JsonScanner, type ScannerOptions } from "./scanner.ts";

/** Texts from this size on take so long to scan that they are scanned in turns. */
export const LARGE_TEXT_BYTES = 512 * 1024;

/** Scans a complete body like `scanJson`, in turns. `done` is called once. */
export class ScanInTurns implements Turns {
  readonly #chunks: readonly Buffer[];
  readonly #scanner: JsonScanner;
  readonly #done: (scan: Scan | JsonFault) => void;
  /** The chunk to scan next, and the position in it. */
  #next = 0;
  #at = 0;

  constructor({ chunks }: ByteSource, options: ScannerOptions, done: (scan: Scan | JsonFault) => void) {
    this.#chunks = chunks;
    this.#scanner = new JsonScanner(options);
    this.#done = done;
  }

  takeTurn(pieceBytes: number): boolean {
    const outcome = this.#scanPiece(pieceBytes);
    if (outcome) this.#done(outcome);
    return outcome === undefined;
  }

  #scanPiece(pieceBytes: number): Scan | JsonFault | undefined {
    const chunk = this.#chunks[this.#next];
    try {
      if (!chunk) return this.#scanner.end();
      this.#scanner.push(chunk.subarray(this.#at, this.#at + pieceBytes));
    } catch (fault) {
      if (fault instanceof JsonFault) return fault;
      throw fault;
    }
    this.#at += pieceBytes;
    if (this.#at < chunk.length) return undefined;
    this.#at = 0;
    this.#next++;
    return undefined;
  }
}
