import { StepGuards } from "#agents/step-guards";
import { CLEAN } from "#guards/evaluation";
import { systemClock } from "#lib/clock";

/** For tests without guards. */
export function noStepGuards(): StepGuards {
  return new StepGuards({
    clock: systemClock,
    engine: { evaluate: () => CLEAN },
    applied: { guards: () => new Map(), groupsOf: () => [], serverIdOf: () => undefined },
  });
}
