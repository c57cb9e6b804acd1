/** Messages between the supervisor and its workers, as JSON over the channel that Node opens for a child process. */

/** What one worker or the supervisor requests from workers. */
export type WorkerRequest =
  /** Respond when the snapshot holds the revision. */
  | { readonly kind: "apply"; readonly revision: number }
  /** Respond when all calls answered so far are in the database. */
  | { readonly kind: "store-calls" }
  /** Respond with the metrics as text. */
  | { readonly kind: "metrics" };

/** Calls of one key that a worker counted since its last message, and its calls in flight now. */
export type CountEntry = readonly [key: string, calls: number, inFlight: number];

/** `replaced`: another worker serves instead. `shutdown`: load balancers must notice first. `interrupt`: Ctrl-C. */
export type StopReason = "replaced" | "shutdown" | "interrupt";

export interface WorkerReport {
  readonly port: number;
  /** Only of the control worker: where it accepts the requests that other workers forward. */
  readonly controlSocket: string | undefined;
  readonly adminTokenFile: string | undefined;
  readonly setupToken: string | undefined;
  readonly sealedBecause: string | undefined;
}

export type ToWorker =
  | { readonly kind: "start"; readonly number: number; readonly isControl: boolean }
  | { readonly kind: "joined" }
  | { readonly kind: "control"; readonly socket: string }
  | { readonly kind: "state"; readonly running: number; readonly wanted: number }
  | { readonly kind: "request"; readonly id: number; readonly request: WorkerRequest }
  | { readonly kind: "asked"; readonly id: number; readonly isDone: boolean }
  | { readonly kind: "counts"; readonly from: number; readonly entries: readonly CountEntry[] }
  | { readonly kind: "gone"; readonly from: number }
  | { readonly kind: "stop"; readonly reason: StopReason }
  | { readonly kind: "others-gone" };

export type ToSupervisor =
  /** The worker runs and waits for `start`. */
  | { readonly kind: "hello" }
  /** From the answer on, the worker must confirm every revision. It serves nothing before. */
  | { readonly kind: "join" }
  | { readonly kind: "ready"; readonly report: WorkerReport }
  | { readonly kind: "ask"; readonly id: number; readonly request: WorkerRequest }
  | { readonly kind: "response"; readonly id: number; readonly isDone: boolean; readonly text?: string }
  | { readonly kind: "counts"; readonly entries: readonly CountEntry[] };
