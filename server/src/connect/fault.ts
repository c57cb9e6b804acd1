import type { z } from "zod";

/** What was asked, what came back, and what follows from it: a customer mends their server from this. */
export interface Step {
  readonly asked: string;
  readonly answered: string;
  readonly concluded: string;
}

/** Spec 4.6: the customer's server does not do what connecting needs. Its message is public. */
export class DiscoveryFailed extends Error {
  override readonly name = "DiscoveryFailed";
  readonly steps: readonly Step[];

  constructor(message: string, steps: readonly Step[]) {
    super(message);
    this.steps = steps;
  }
}

/** Why somebody could not be connected, in words for the person before the browser. */
export class ConnectRefused extends Error {
  override readonly name = "ConnectRefused";
}

/** The authorization server does not know our client any more. */
export class ClientForgotten extends ConnectRefused {}

export class StepLog {
  readonly steps: Step[] = [];

  add(asked: string, answered: string, concluded: string): void {
    this.steps.push({ asked, answered, concluded });
  }

  /** The last step says what is wrong, and so does the failure. */
  fail(asked: string, answered: string, reason: string): DiscoveryFailed {
    this.add(asked, answered, reason);
    return new DiscoveryFailed(reason, this.steps);
  }
}

/** `redirect_uris: expected array, received undefined`: the first fault, as Spec 4.6 words it. */
export function firstFault(error: z.ZodError): string {
  const issue = error.issues[0];
  if (!issue) return "is not as it must be";
  const message = issue.message.replace(/^Invalid input: /, "");
  return issue.path.length === 0 ? message : `${issue.path.join(".")}: ${message}`;
}

/** Words of others, shown to people: one line, printable, and not long. */
export function quoted(text: string): string {
  const plain = text.replace(/[^\p{L}\p{N}\p{P}\p{S}\p{Zs}]+/gu, " ").trim();
  return plain.length > 300 ? `${plain.slice(0, 300)}…` : plain;
}
