import type { Clock } from "#lib/clock";
import { Refusal } from "#lib/errors";
import { FailedAttempts } from "#lib/failed-attempts";
import type { Caller } from "./caller.ts";
import type { Operation } from "./operation.ts";

const HOUR_MS = 60 * 60 * 1000;
const MAX_PER_HOUR = 600;
export const TOO_MANY_CHANGES = "Too many changes. Try again later.";

/**
 * Limits the changes of people without admin scopes, because each adds rows to the audit log. Admins and API tokens are
 * not limited.
 */
export class MemberChanges {
  readonly #changes: FailedAttempts;

  constructor(clock: Clock) {
    this.#changes = new FailedAttempts(clock, MAX_PER_HOUR, undefined, HOUR_MS);
  }

  admit({ visitor, scopes }: Caller, { kind }: Pick<Operation, "kind">): void {
    if (!visitor || scopes.length > 0 || kind === "read" || kind === "download") return;
    const retryAfterSeconds = this.#changes.retryAfter(visitor.user.id);
    if (retryAfterSeconds !== undefined) throw new Refusal("too-many", TOO_MANY_CHANGES, { retryAfterSeconds });
    this.#changes.failed(visitor.user.id);
  }
}
