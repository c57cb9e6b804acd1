/**
 * Worker processes, started with `node:cluster`: the supervisor holds the port and hands connections to the workers in
 * sequence, so a connection that a closing worker rejects goes to another one (decision 0145). Together with
 * local-process.ts, this is the only file that starts processes.
 */
import type { ChildProcess } from "node:child_process";
import cluster from "node:cluster";
import { isObject } from "#lib/is-object";
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
  /** The channel no longer keeps this process alive. */
  release(): void;
}

export function startWorkerProcess(events: WorkerEvents): WorkerProcess {
  cluster.schedulingPolicy = cluster.SCHED_RR;
  const worker = cluster.fork();
  closeUnclaimedConnections(worker.process);
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
    release: () => process.channel?.unref(),
  };
}

/** A connection as `node:cluster` passes it to a worker. */
interface Handle {
  close(): void;
}

/**
 * `node:cluster` closes its side of a connection when a worker has claimed it, and forgets a connection that a worker did
 * not claim before it ended: its client would wait forever. Closes such connections, as the system closes those that the
 * worker had claimed. They are not handed to another worker, because the ended one may have read from them.
 */
function closeUnclaimedConnections(worker: ChildProcess): void {
  const unclaimed = new Map<unknown, Handle>();
  const send = worker.send.bind(worker);
  worker.send = (message: unknown, handle?: unknown, ...rest: unknown[]) => {
    if (isHandedOver(message) && isHandle(handle)) unclaimed.set(message.seq, handle);
    // The overloads of `send` cannot be named in one type.
    return Reflect.apply(send, worker, [message, handle, ...rest]) as boolean;
  };
  worker.on("internalMessage", (message: unknown) => {
    if (isObject(message) && "ack" in message) unclaimed.delete(message.ack);
  });
  worker.on("exit", () => {
    for (const handle of unclaimed.values()) handle.close();
    unclaimed.clear();
  });
}

function isHandedOver(message: unknown): message is { readonly seq: unknown } {
  return isObject(message) && "act" in message && message.act === "newconn" && "seq" in message;
}

function isHandle(value: unknown): value is Handle {
  return isObject(value) && "close" in value && typeof value.close === "function";
}
