import assert from "node:assert/strict";
import type { GuardDefinition } from "#guards/definition";
import { GuardEngine } from "#guards/engine";
import type { Evaluation } from "#guards/evaluation";
import { GuardSet } from "#guards/guard-set";
import { argumentsPayload, contentPayload, type Payload } from "#guards/payload";
import { validateGuard } from "#guards/validate-guard";
import { systemClock } from "#lib/clock";
import { ByteSource } from "#lib/json/byte-source";
import { splice } from "#lib/json/splice";

export const PATIENT_MS = 60_000;

/** A valid guard with these fields. */
export function guard(fields: object): GuardDefinition {
  const defaults = { name: "Test", type: "runtime", action: "block", enabled: true };
  return validateGuard({ ...defaults, ...fields }, "test");
}

/** One check of this type, with its configuration. */
export function check(type: string, config: object = {}, fields: object = {}): object {
  return { type, name: type, config, ...fields };
}

export interface Evaluator {
  evaluate(payload: Payload): Promise<Evaluation>;
  /** Evaluates a text, or the arguments of a call. */
  text(content: unknown): Promise<Evaluation>;
  /** The arguments after redaction. */
  redacted(json: string): Promise<string>;
}

/** An engine with a time limit that a slow test machine does not reach. */
export function patientEngine(): GuardEngine {
  return new GuardEngine({ clock: systemClock, limitMs: PATIENT_MS });
}

/** Evaluates payloads with these guards, all of which apply. The engine has no workers to end if payloads are small. */
export function evaluatorOf(guards: readonly GuardDefinition[], engine = patientEngine()): Evaluator {
  const set = new GuardSet(guards, systemClock);
  const selection = { set, guards: set.compiled.guards };
  const evaluate = async (payload: Payload) =>
    engine.evaluate(selection, payload, { direction: "request", tool: "a__b" });
  return {
    evaluate,
    text: (content) => evaluate(contentPayload(content)),
    async redacted(json) {
      const source = new ByteSource(Buffer.from(json));
      const evaluation = await evaluate(argumentsPayload(source, { start: 0, end: source.length }));
      assert.ok(evaluation.action === "redact" || evaluation.action === undefined, `action ${evaluation.action}`);
      return splice(source, evaluation.edits).toString();
    },
  };
}

/** The parts of a text that were found. */
export function foundIn(text: string, { results }: Evaluation): string[] {
  return results.flatMap(({ findings }) => findings.map(({ start, end }) => text.slice(start, end)));
}
