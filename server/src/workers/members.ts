import type { Clock, Timer } from "#lib/clock";
import type { Logger } from "#lib/logger";
import type { Member } from "./member.ts";
import type { ToSupervisor, ToWorker, WorkerRequest } from "./messages.ts";

/** The API reports that a change is not in effect yet when a worker takes longer to confirm it. */
const RESPONSE_MS = 5_000;
/** A worker whose event loop does not respond for this long is killed and started again. */
const HUNG_MS = 30_000;

export interface Response {
  readonly member: Member;
  readonly isDone: boolean;
  readonly text: string | undefined;
}

interface Pending {
  readonly member: Member;
  readonly hung: Timer;
  settle(response: Omit<Response, "member">): void;
}

/** The worker processes, and requests that all of them must answer. */
export class Members {
  readonly #clock: Clock;
  readonly #logger: Logger;
  readonly #members = new Set<Member>();
  readonly #pending = new Map<number, Pending>();
  #lastId = 0;

  constructor(clock: Clock, logger: Logger) {
    this.#clock = clock;
    this.#logger = logger;
  }

  add(member: Member): void {
    this.#members.add(member);
  }

  all(): Member[] {
    return [...this.#members];
  }

  /** A process that has ended serves no request anymore, so nothing waits for it. */
  remove(member: Member): void {
    this.#members.delete(member);
    for (const [id, pending] of this.#pending) {
      if (pending.member === member) this.#settle(id, { isDone: true, text: undefined });
    }
    this.broadcast({ kind: "gone", from: member.id });
  }

  /** Sends to every worker that has joined. */
  broadcast(message: ToWorker, except?: Member): void {
    for (const member of this.#members) if (member.hasJoined && member !== except) member.send(message);
  }

  /** Resolves when each worker has answered, has ended, or is late. */
  ask(request: WorkerRequest, except?: Member): Promise<Response[]> {
    const asked = this.all().filter((member) => member.hasJoined && member !== except);
    return Promise.all(asked.map((member) => this.askOne(member, request)));
  }

  askOne(member: Member, request: WorkerRequest): Promise<Response> {
    return new Promise((resolve) => {
      const id = ++this.#lastId;
      const late = this.#clock.after(RESPONSE_MS, () => resolve({ member, isDone: false, text: undefined }));
      const hung = this.#clock.after(HUNG_MS, () => {
        this.#logger.error({ worker: member.number, pid: member.pid }, "a worker does not respond and is killed");
        member.kill();
      });
      const settle = (response: Omit<Response, "member">) => {
        late.cancel();
        resolve({ member, ...response });
      };
      this.#pending.set(id, { member, hung, settle });
      member.send({ kind: "request", id, request });
    });
  }

  responded({ id, isDone, text }: Extract<ToSupervisor, { kind: "response" }>): void {
    this.#settle(id, { isDone, text });
  }

  #settle(id: number, response: Omit<Response, "member">): void {
    const pending = this.#pending.get(id);
    this.#pending.delete(id);
    pending?.hung.cancel();
    pending?.settle(response);
  }
}
