/**
 * Starts the workers, replaces those that end, and restarts all of them one by one on request (decision 0145). It serves
 * no requests: it only holds the port and relays messages.
 */
import { rmSync } from "node:fs";
import type { Clock } from "#lib/clock";
import type { Logger } from "#lib/logger";
import { type End, Member } from "./member.ts";
import { Members } from "./members.ts";
import type { StopReason, ToSupervisor, WorkerReport } from "./messages.ts";
import type { WorkerEvents, WorkerProcess } from "./processes.ts";
import { Restarts } from "./restarts.ts";

export interface SupervisorOptions {
  readonly workers: number;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly startProcess: (events: WorkerEvents) => WorkerProcess;
  /** How long a shutdown may take before the remaining workers are killed. */
  readonly shutdownMs: number;
  /** Called when the control worker is ready, also after a restart. */
  readonly controlReady: (report: WorkerReport) => void;
  /** Called when a worker is in a crash loop; the service must end. */
  readonly failed: (message: string) => void;
}

/** This worker has the control plane and the jobs. */
const CONTROL = 1;

export class Supervisor {
  readonly members: Members;
  readonly #options: SupervisorOptions;
  readonly #restarts: Restarts;
  /** The worker that serves for each number. */
  readonly #current = new Map<number, Member>();
  /** Its successor during a rolling restart. */
  readonly #next = new Map<number, Member>();
  #controlSocket: string | undefined;
  #isStarting = true;
  #isStopping = false;
  #rolling: Promise<void> | undefined;
  #rollAgain = false;
  #lastId = 0;
  #restartCount = 0;

  constructor(options: SupervisorOptions) {
    this.#options = options;
    this.#restarts = new Restarts(options.clock);
    this.members = new Members(options.clock, options.logger);
  }

  /** Rejects with WorkerDidNotStart. The control worker starts first, because it updates the database. */
  async start(): Promise<void> {
    const { workers } = this.#options;
    await this.#launchCurrent(CONTROL).ready;
    await Promise.all(Array.from({ length: workers - 1 }, (_, index) => this.#launchCurrent(index + 2).ready));
    this.#isStarting = false;
    this.#reportState();
  }

  /** The workers that serve, by number. */
  serving(): Member[] {
    return [...this.#current.values()].filter(({ report }) => report !== undefined);
  }

  get restartCount(): number {
    return this.#restartCount;
  }

  /** Replaces all workers one by one. A request during a rolling restart starts another one afterwards. */
  async restartAll(): Promise<void> {
    if (this.#isStarting || this.#isStopping) return;
    this.#rollAgain = true;
    this.#rolling ??= this.#roll().finally(() => {
      this.#rolling = undefined;
    });
    await this.#rolling;
  }

  async stop(reason: Exclude<StopReason, "replaced">): Promise<void> {
    this.#isStopping = true;
    const overdue = this.#options.clock.after(this.#options.shutdownMs, () => this.killAll());
    const members = this.members.all();
    for (const member of members) member.send({ kind: "stop", reason });
    await Promise.all(members.filter(({ number }) => number !== CONTROL).map(({ ended }) => ended));
    // The control worker answers what the others have forwarded.
    for (const member of this.members.all()) member.send({ kind: "others-gone" });
    await Promise.all(members.map(({ ended }) => ended));
    overdue.cancel();
  }

  killAll(): void {
    this.#isStopping = true;
    for (const member of this.members.all()) member.kill();
  }

  async #roll(): Promise<void> {
    const { logger, workers } = this.#options;
    while (this.#rollAgain && !this.#isStopping) {
      this.#rollAgain = false;
      logger.info("restarting all workers, one by one");
      for (let number = workers; number >= CONTROL && !this.#isStopping; number--) {
        if (!(await this.#replace(number))) return;
      }
      if (!this.#isStopping) logger.info("all workers have restarted");
    }
  }

  /** The new worker accepts connections before the old one stops. False if it did not start. */
  async #replace(number: number): Promise<boolean> {
    const next = this.#launch(number);
    this.#next.set(number, next);
    try {
      await next.ready;
    } catch (error) {
      this.#next.delete(number);
      if (this.#isStopping) return false;
      this.#options.logger.error(
        { err: error, worker: number },
        "a worker was not replaced; the old one keeps serving",
      );
      if (!this.#current.has(number)) this.#restart(next);
      return false;
    }
    this.#next.delete(number);
    const old = this.#current.get(number);
    this.#current.set(number, next);
    this.#reportState();
    old?.send({ kind: "stop", reason: "replaced" });
    await old?.ended;
    return true;
  }

  #launchCurrent(number: number): Member {
    const member = this.#launch(number);
    this.#current.set(number, member);
    return member;
  }

  #launch(number: number): Member {
    const member = new Member(++this.#lastId, number, this.#options.clock.monotonic());
    this.members.add(member);
    member.attach(
      this.#options.startProcess({
        received: (message) => this.#received(member, message),
        ended: (code, signal) => this.#ended(member, { code, signal }),
      }),
    );
    return member;
  }

  #received(member: Member, message: ToSupervisor): void {
    switch (message.kind) {
      case "hello":
        return member.send({ kind: "start", number: member.number, isControl: member.number === CONTROL });
      case "join":
        return this.#join(member);
      case "ready":
        return this.#ready(member, message.report);
      case "ask":
        return void this.members
          .ask(message.request, member)
          .then((responses) =>
            member.send({ kind: "asked", id: message.id, isDone: responses.every(({ isDone }) => isDone) }),
          );
      case "response":
        return this.members.responded(message);
      case "counts":
        return this.members.broadcast({ kind: "counts", from: member.id, entries: message.entries }, member);
    }
  }

  #join(member: Member): void {
    member.hasJoined = true;
    if (this.#controlSocket !== undefined) member.send({ kind: "control", socket: this.#controlSocket });
    member.send({ kind: "joined" });
  }

  #ready(member: Member, report: WorkerReport): void {
    member.becameReady(report);
    if (report.controlSocket !== undefined) {
      this.#controlSocket = report.controlSocket;
      this.members.broadcast({ kind: "control", socket: report.controlSocket });
      this.#options.controlReady(report);
    }
    this.#reportState();
    if (this.#isStopping) member.send({ kind: "stop", reason: "shutdown" });
  }

  #ended(member: Member, end: End): void {
    this.members.remove(member);
    // A process that was killed leaves its socket.
    if (member.report?.controlSocket !== undefined) rmSync(member.report.controlSocket, { force: true });
    member.hasEnded(end);
    if (this.#current.get(member.number) !== member) return;
    this.#current.delete(member.number);
    if (this.#isStarting || this.#isStopping) return;
    this.#reportState();
    const { code, signal } = end;
    this.#options.logger.error({ worker: member.number, code, signal }, "a worker ended unexpectedly");
    if (!this.#next.has(member.number)) this.#restart(member);
  }

  #restart({ number, startedAt }: Member): void {
    const { clock, failed } = this.#options;
    const delayMs = this.#restarts.delayAfterEnd(number, startedAt);
    if (delayMs === undefined) {
      return failed(`Worker ${number} ended repeatedly right after its start. The log above has the reason.`);
    }
    clock.after(delayMs, () => {
      if (this.#isStopping || this.#current.has(number) || this.#next.has(number)) return;
      this.#restartCount++;
      this.#launchCurrent(number);
    });
  }

  #reportState(): void {
    if (this.#isStarting) return;
    this.members.broadcast({ kind: "state", running: this.serving().length, wanted: this.#options.workers });
  }
}
