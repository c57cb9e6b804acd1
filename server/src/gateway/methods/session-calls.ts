import type { McpSession } from "../sessions/sessions.ts";

export interface CancellableCall {
  /** The caller does not want its answer any more. */
  cancel(): void;
}

/**
 * The calls under way that came in a session, so that the caller can cancel one by its id. Calls without a session are
 * not here: several clients of a user count from one.
 */
export class SessionCalls {
  readonly #calls = new Map<string, CancellableCall>();

  add(session: McpSession, rawId: string, call: CancellableCall): void {
    this.#calls.set(keyOf(session, rawId), call);
  }

  delete(session: McpSession, rawId: string, call: CancellableCall): void {
    const key = keyOf(session, rawId);
    if (this.#calls.get(key) === call) this.#calls.delete(key);
  }

  cancel(session: McpSession, rawId: string): void {
    this.#calls.get(keyOf(session, rawId))?.cancel();
  }
}

function keyOf({ id }: McpSession, rawId: string): string {
  return `${id} ${rawId}`;
}
