import type { Timer } from "#lib/clock";
import { ByteSource } from "#lib/json/byte-source";
import { splice } from "#lib/json/splice";
import type { ApprovalState, CallToApprove } from "../../ports.ts";
import { acceptsEvents } from "../answer-stream.ts";
import { begin } from "../begin.ts";
import type { Call } from "../call.ts";
import { endBlocked } from "../end-blocked.ts";
import type { CheckOutcome } from "../run-checks.ts";
import type { Decided, WaitingCall } from "./approval-waits.ts";
import { endUnapproved, progressEvent } from "./unapproved.ts";

type Held = Extract<CheckOutcome, { kind: "held" }>;

const PROGRESS_MS = 5_000;

/**
 * F17: the call waits for an approval, at most for the time in the settings. It continues when a person approves it, and
 * ends with a result that names the approval otherwise.
 */
export function holdForApproval(call: Call, outcome: Held): void {
  new HeldForApproval(call, outcome).start();
}

class HeldForApproval implements WaitingCall {
  readonly bytes: number;
  readonly #call: Call;
  readonly #outcome: Held;
  #stop: (() => void) | undefined;
  #deadline: Timer | undefined;
  #nextProgress: Timer | undefined;
  #sent = 0;
  #pending: Extract<ApprovalState, { kind: "pending" }> | undefined;

  constructor(call: Call, outcome: Held) {
    this.#call = call;
    this.#outcome = outcome;
    this.bytes = call.request.call.source.length;
  }

  start(): void {
    const { approvals } = this.#call.context;
    const state = approvals.request(callToApprove(this.#call, this.#outcome));
    this.#follow(state.then((received) => this.#receive(received)));
  }

  decided(state: Decided): void {
    this.#end();
    if (this.#call.ended) return;
    if (state !== "approved") return this.#receive(state);
    const { approvals } = this.#call.context;
    const id = this.#pending?.id ?? "";
    const obstacle = this.#call.continueApproved();
    if (obstacle !== undefined)
      return endUnapproved(this.#call, this.#outcome.guard, { kind: "obstructed", id, obstacle });
    this.#follow(approvals.use(id).then((used) => this.#receive(used)));
  }

  giveUp(): void {
    this.#end();
    if (this.#pending) endUnapproved(this.#call, this.#outcome.guard, this.#pending);
  }

  /** An error ends this call, like an error in the request's own turn. */
  #follow(step: Promise<void>): void {
    step.catch((error: unknown) => {
      this.#end();
      endBlocked(this.#call, { kind: "failed", error });
    });
  }

  #receive(state: ApprovalState): void {
    const call = this.#call;
    if (call.ended) return;
    const { guard, edits, report } = this.#outcome;
    // Also for the log of a call that ends while it waits.
    if (!this.#pending) call.noteReport(report && { ...report, approvalId: "id" in state ? state.id : undefined });
    if (state.kind === "pending") return this.#wait(state);
    if (state.kind !== "used") return endUnapproved(call, guard, state);
    call.requestEdits = edits;
    begin(call);
  }

  #wait(state: Extract<ApprovalState, { kind: "pending" }>): void {
    const { holder, clock, approvalWaits } = this.#call.context;
    this.#pending = state;
    this.#call.waitForApproval(() => this.#end());
    // A session of an agent waits without an open call, so that it can show the approval.
    const isAgent = this.#call.request.principal.via === "agent";
    const mostMs = isAgent ? 0 : holder.current().limits.approvalWaitMs;
    const waitMs = Math.min(mostMs, state.expiresAt - clock.now());
    this.#stop = waitMs > 0 ? approvalWaits.add(state.id, this) : undefined;
    if (!this.#stop) return this.giveUp();
    this.#deadline = clock.after(waitMs, () => this.giveUp());
    this.#report();
  }

  /** For clients that count the time without a message, and for proxies that close silent connections. */
  #report(): void {
    const { request, context } = this.#call;
    const token = request.call.params?.progressToken;
    if (token && acceptsEvents(request.exchange) && this.#pending) {
      const text = request.call.source.text(token);
      this.#call.sendEvent(progressEvent(text, this.#sent++, context.approvalUrl(this.#pending.id)));
    } else this.#call.waiting(context.clock.monotonic());
    this.#nextProgress = context.clock.after(PROGRESS_MS, () => this.#report());
  }

  #end(): void {
    this.#stop?.();
    this.#deadline?.cancel();
    this.#nextProgress?.cancel();
  }
}

/** With the arguments as a toolkit changes them, so that an approval is for what the server receives. */
function callToApprove({ request, to }: Call, { guard }: Held): CallToApprove {
  const { principal, exchange, call } = request;
  const { start, end } = call.params?.arguments ?? { start: 0, end: 0 };
  const given = call.source.slice(start, end);
  const edits = (to.edits ?? []).filter((edit) => edit.start >= start && edit.end <= end);
  const moved = edits.map((edit) => ({ ...edit, start: edit.start - start, end: edit.end - start }));
  return {
    requestId: exchange.requestId,
    userId: principal.userId,
    userEmail: principal.email,
    server: to.server,
    method: to.method,
    tool: to.tool ?? "",
    arguments: moved.length === 0 ? given : splice(new ByteSource(given), moved),
    guard,
  };
}
