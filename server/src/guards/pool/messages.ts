import type { GuardDefinition } from "../definition.ts";
import type { ScanInput, ScanResult } from "../scan.ts";
import type { ExtractLimits } from "../text/extract.ts";

/** Sets of guards that a worker keeps: while a new one is published, calls still use the previous one. */
export const MAX_SETS = 4;

/** What the pool sends to a worker. The bytes are transferred, not copied. */
export interface ScanRequest {
  readonly id: number;
  /** Identifies the set of guards. */
  readonly set: number;
  /** The guards, the first time that this worker sees the set. */
  readonly definitions: readonly GuardDefinition[] | undefined;
  /** Indexes of the guards to run. */
  readonly guards: readonly number[];
  readonly input: Omit<ScanInput, "bytes"> & { readonly bytes: Uint8Array<ArrayBuffer> };
  readonly limits: ExtractLimits;
  readonly limitMs: number;
  /** Whether the texts are needed, for webhooks and judges. */
  readonly wantsLeaves: boolean;
}

export type ScanAnswer =
  | { readonly id: number; readonly kind: "scanned"; readonly result: ScanResult }
  | { readonly id: number; readonly kind: "timeout" }
  | { readonly id: number; readonly kind: "failed" };
