import type { Edit } from "#lib/json/splice";
import type { UpstreamNotification } from "../envelope/read-response.ts";
import type { Call } from "./call.ts";
import { type CheckOutcome, runChecks } from "./run-checks.ts";

/** An upstream that sends faster than webhooks of guards answer loses messages. */
const MAX_WAITING = 100;

/** Progress and log messages of a call. They stay in order, and the response waits until they are checked. */
export class CheckedMessages {
  readonly #call: Call;
  readonly #send: (message: UpstreamNotification, edits?: readonly Edit[]) => void;
  #waiting = 0;
  #last: Promise<void> = Promise.resolve();

  constructor(call: Call, send: (message: UpstreamNotification, edits?: readonly Edit[]) => void) {
    this.#call = call;
    this.#send = send;
  }

  get isWaiting(): boolean {
    return this.#waiting > 0;
  }

  receive(message: UpstreamNotification): void {
    if (this.#waiting >= MAX_WAITING) return;
    const { source, text } = message;
    const outcome = text && runChecks(this.#call.checks.message, this.#call, { source, range: text });
    if (outcome instanceof Promise || this.isWaiting) this.#later(message, outcome);
    else this.#proceed(message, outcome);
  }

  /** When the messages so far are sent. */
  afterAll(run: () => void): void {
    void this.#last.then(run);
  }

  #later(message: UpstreamNotification, outcome: CheckOutcome | Promise<CheckOutcome> | undefined): void {
    this.#waiting++;
    this.#last = Promise.all([outcome, this.#last]).then(([late]) => {
      this.#waiting--;
      this.#proceed(message, late);
    });
  }

  #proceed(message: UpstreamNotification, outcome: CheckOutcome | undefined): void {
    const call = this.#call;
    if (outcome === undefined) return this.#send(message);
    if (outcome.kind === "passed") {
      call.noteReport(outcome.report);
      this.#send(message, outcome.edits);
    } else if (outcome.kind !== "failed") {
      // The call continues without the message, so for its log this is a redaction.
      call.noteReport(outcome.report && { ...outcome.report, action: "redact", redactions: 1 });
    } else {
      const { requestId } = call.request.exchange;
      call.context.logger.error({ err: outcome.error, requestId }, "a check failed, so a message was not sent");
    }
  }
}
