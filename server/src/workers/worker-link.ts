import type { CountEntry, StopReason, ToWorker, WorkerReport, WorkerRequest } from "./messages.ts";
import type { SupervisorPort } from "./processes.ts";

/** What a worker does for the supervisor and for other workers. */
export interface WorkerHandlers {
  /** Resolves when the snapshot holds the revision. */
  apply(revision: number): Promise<void>;
  storeCalls(): Promise<void>;
  metrics(): string;
  /** Calls that another worker counted for its callers' limits. */
  counted(from: number, entries: readonly CountEntry[]): void;
  /** Another worker has ended. */
  gone(from: number): void;
}

/** A worker's side of its channel to the supervisor, and through it to the other workers (decision 0145). */
export class WorkerLink {
  readonly number: number;
  /** Whether this worker has the control plane and the jobs. */
  readonly isControl: boolean;
  readonly stopped: Promise<StopReason>;
  /** Resolves during a shutdown, when the other workers have ended. */
  readonly othersGone: Promise<void>;
  readonly #port: SupervisorPort;
  readonly #asked = new Map<number, (isDone: boolean) => void>();
  readonly #stopped = Promise.withResolvers<StopReason>();
  readonly #othersGone = Promise.withResolvers<void>();
  readonly #joined = Promise.withResolvers<void>();
  #handlers: WorkerHandlers | undefined;
  #controlSocket: string | undefined;
  #missing: string | undefined;
  #hasLeft = false;
  #lastId = 0;

  private constructor(port: SupervisorPort, number: number, isControl: boolean) {
    this.#port = port;
    this.number = number;
    this.isControl = isControl;
    this.stopped = this.#stopped.promise;
    this.othersGone = this.#othersGone.promise;
  }

  static connect(port: SupervisorPort): Promise<WorkerLink> {
    return new Promise((resolve) => {
      let link: WorkerLink | undefined;
      port.receive((message) => {
        if (message.kind === "start") {
          link = new WorkerLink(port, message.number, message.isControl);
          resolve(link);
        } else if (link) link.#received(message);
      });
      port.send({ kind: "hello" });
    });
  }

  /** Where the control worker accepts forwarded requests. Undefined while there has been none. */
  get controlSocket(): string | undefined {
    return this.#controlSocket;
  }

  /** Why fewer workers serve than the operator wants; undefined if none is missing. */
  get missingWorkers(): string | undefined {
    return this.#missing;
  }

  /** Joins the workers that confirm changes. After this, the caller must read the latest revision before it serves. */
  async join(handlers: WorkerHandlers): Promise<void> {
    this.#handlers = handlers;
    this.#port.send({ kind: "join" });
    await this.#joined.promise;
  }

  /** Call when this worker serves no more requests: changes need not wait for it. */
  leave(): void {
    this.#hasLeft = true;
  }

  ready(report: WorkerReport): void {
    this.#port.send({ kind: "ready", report });
  }

  /** Resolves to false if another worker has not confirmed the revision in time. */
  applyElsewhere(revision: number): Promise<boolean> {
    return this.#ask({ kind: "apply", revision });
  }

  async storeCallsElsewhere(): Promise<void> {
    await this.#ask({ kind: "store-calls" });
  }

  reportCounts(entries: readonly CountEntry[]): void {
    this.#port.send({ kind: "counts", entries });
  }

  #ask(request: WorkerRequest): Promise<boolean> {
    return new Promise((resolve) => {
      const id = ++this.#lastId;
      this.#asked.set(id, resolve);
      this.#port.send({ kind: "ask", id, request });
    });
  }

  #received(message: ToWorker): void {
    switch (message.kind) {
      case "joined":
        return this.#joined.resolve();
      case "control":
        this.#controlSocket = message.socket;
        return;
      case "state":
        this.#missing =
          message.running < message.wanted ? `${message.running} of ${message.wanted} workers are running` : undefined;
        return;
      case "request":
        return void this.#respond(message.id, message.request);
      case "asked":
        this.#asked.get(message.id)?.(message.isDone);
        return void this.#asked.delete(message.id);
      case "counts":
        return this.#handlers?.counted(message.from, message.entries);
      case "gone":
        return this.#handlers?.gone(message.from);
      case "stop":
        return this.#stopped.resolve(message.reason);
      case "others-gone":
        return this.#othersGone.resolve();
      case "start":
        return;
    }
  }

  async #respond(id: number, request: WorkerRequest): Promise<void> {
    try {
      const text = await this.#handle(request);
      this.#port.send({ kind: "response", id, isDone: true, ...(text !== undefined && { text }) });
    } catch {
      // The publisher has logged the reason, and the worker that asked reports that the change is not in effect.
      this.#port.send({ kind: "response", id, isDone: this.#hasLeft });
    }
  }

  async #handle(request: WorkerRequest): Promise<string | undefined> {
    const handlers = this.#hasLeft ? undefined : this.#handlers;
    if (request.kind === "metrics") return handlers?.metrics();
    await (request.kind === "apply" ? handlers?.apply(request.revision) : handlers?.storeCalls());
    return undefined;
  }
}
