/**
 * Worker processes, started with `node:cluster`: the supervisor holds the port and hands connections to the workers in
 * sequence, so a connection that a closing worker rejects goes to another one (decision 0145). Together with
 * local-process.ts, this is the only file that starts processes.
 */
import cluster from "node:cluster";
import type { ToSupervisor, ToWorker } from "./messages.ts";

/** The supervisor's end of a worker process. */
export interface WorkerProcess {
  readonly pid: number;
  send(message: ToWorker): void;
  kill(): void;
}

export interface WorkerEvents {
  received(message: ToSupervisor): void;
  ended(code: number | null, signal: string | null): void;
}

/** A worker's end of its channel to the supervisor. */
export interface SupervisorPort {
  send(message: ToSupervisor): void;
  receive(listener: (message: ToWorker) => void): void;
}

export function startWorkerProcess(events: WorkerEvents): WorkerProcess {
  cluster.schedulingPolicy = cluster.SCHED_RR;
  const worker = cluster.fork();
  // Only workers of this service send messages here.
  worker.on("message", (message) => events.received(message as ToSupervisor));
  worker.on("exit", (code: number | null, signal: string | null) => events.ended(code, signal));
  // A process that is ending cannot receive; `exit` follows.
  worker.on("error", () => {});
  return {
    pid: worker.process.pid ?? 0,
    send: (message) => void (worker.isConnected() && worker.send(message)),
    kill: () => void worker.process.kill("SIGKILL"),
  };
}

/** Undefined in a process that no supervisor started. */
export function supervisorPort(): SupervisorPort | undefined {
  if (!cluster.isWorker) return undefined;
  return {
    send: (message) => void process.send?.(message),
    // Only the supervisor sends messages here.
    receive: (listener) => void process.on("message", (message) => listener(message as ToWorker)),
  };
}
