import type { z } from "zod";

/** A request, its response, and the conclusion. Server operators use the steps to fix their server. */
export interface Step {
  readonly asked: string;
  readonly answered: string;
  readonly concluded: string;
}

/** Spec 4.6: the customer's server does not support connecting. The message is public. */
export class DiscoveryFailed extends Error {
  override readonly name = "DiscoveryFailed";
  readonly steps: readonly Step[];

  constructor(message: string, steps: readonly Step[]) {
    super(message);
    this.steps = steps;
  }
}

/** Why a user could not be connected; the message is shown to them. */
export class ConnectRefused extends Error {
  override readonly name = "ConnectRefused";
}

/** The authorization server no longer recognizes our client. */
export class UnknownClient extends ConnectRefused {}

export class StepLog {
  readonly steps: Step[] = [];

  add(asked: string, answered: string, concluded: string): void {
    this.steps.push({ asked, answered, concluded });
  }

  /** The last step and the error have the same reason. */
  fail(asked: string, answered: string, reason: string): DiscoveryFailed {
    this.add(asked, answered, reason);
    return new DiscoveryFailed(reason, this.steps);
  }
}

/** `redirect_uris: expected array, received undefined`: the first problem, in the format of Spec 4.6. */
export function firstFault(error: z.ZodError): string {
  const issue = error.issues[0];
  if (!issue) return "is invalid";
  const message = issue.message.replace(/^Invalid input: /, "");
  return issue.path.length === 0 ? message : `${issue.path.join(".")}: ${message}`;
}

/** Makes text of other servers safe to show: one line, printable, at most 300 characters. */
export function quoted(text: string): string {
  const plain = text.replace(/[^\p{L}\p{N}\p{P}\p{S}\p{Zs}]+/gu, " ").trim();
  return plain.length > 300 ? `${plain.slice(0, 300)}…` : plain;
}
