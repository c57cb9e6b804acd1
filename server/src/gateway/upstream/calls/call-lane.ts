import type { UpstreamCredential } from "../../ports.ts";
import { ownerOf, type QuestionRecipient, type Target } from "../sessions/upstream-session.ts";

interface LaneCaller {
  readonly userId: string;
  readonly credential: UpstreamCredential | undefined;
}

/** The lane of one call of a modern caller: the same for all attempts, until the call ends. */
export class CallLane {
  readonly #target: Target;
  readonly #key: string;
  number: number | undefined;
  #isHeld = false;

  constructor(target: Target, { userId, credential }: LaneCaller, recipient: QuestionRecipient) {
    this.#target = target;
    this.#key = `${userId} ${recipient.key}`;
    if (!target.asksOutsideCalls && !target.lanes.isHeld(this.#key)) return;
    const caller = { userId, credential, recipient, session: undefined };
    this.number = target.lanes.take(this.#key, (lane) => {
      return (target.sessions.get(ownerOf({ ...caller, lane }))?.inFlight ?? 0) === 0;
    });
  }

  /** The call waits for answers, so other calls must not share its session. */
  hold(): void {
    if (!this.#isHeld) this.#target.lanes.hold(this.#key, 1);
    this.#isHeld = true;
  }

  release(): void {
    const { lanes } = this.#target;
    if (this.number !== undefined) lanes.release(this.#key, this.number);
    if (this.#isHeld) lanes.hold(this.#key, -1);
  }
}
