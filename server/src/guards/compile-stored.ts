import type { Clock } from "#lib/clock";
import type { CheckDefinition, GuardDefinition } from "./definition.ts";
import { GuardSet } from "./guard-set.ts";

/** Guards are validated when they are saved, so only one that an older release saved can fail to compile. */
export function compileStored(guards: readonly GuardDefinition[], clock: Clock): GuardSet {
  try {
    return new GuardSet(guards, clock);
  } catch {
    return new GuardSet(
      guards.map((guard) => (compiles(guard, clock) ? guard : { ...guard, checks: [FAILING] })),
      clock,
    );
  }
}

function compiles(guard: GuardDefinition, clock: Clock): boolean {
  try {
    return new GuardSet([guard], clock).definitions.length === 1;
  } catch {
    return false;
  }
}

/** There is no such URL, so that `on_error` of the guard decides. */
const FAILING: CheckDefinition = {
  ...{ id: "failing", type: "webhook", name: "Cannot be compiled", certainty: 10 },
  config: { url: "", headers: {}, timeout_ms: 1, send: "text" },
};
