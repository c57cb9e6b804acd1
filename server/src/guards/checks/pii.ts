import { recognizerOf } from "../pii/recognizers.ts";
import type { LiteralRegistry } from "../text/literal-scanner.ts";
import { replacementFor, type TextCheck } from "./text-check.ts";

/** One check per entity, because each has its own literals. */
export function createPiiChecks(entities: readonly string[], literals: LiteralRegistry): TextCheck[] {
  return entities.map((entity) => {
    const recognizer = recognizerOf(entity);
    const replacement = replacementFor(entity);
    const triggers = recognizer.literals?.map((literal) => literals.add(literal));
    return {
      triggers,
      keyTrigger: recognizer.keyTrigger,
      minLength: 6,
      minDigits: recognizer.minDigits,
      readsBase64: false,
      scan(form, report) {
        if (form.profile.longestRun < (recognizer.minRun ?? 0)) return;
        recognizer.find(form, (start, end, certainty) => report(start, end, certainty, replacement), triggers ?? []);
      },
    };
  });
}
