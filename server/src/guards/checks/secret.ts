import { SECRET_FINDERS } from "#policy/secrets/finders";
import { findByKey } from "#policy/secrets/generic";
import type { SecretConfig } from "../definition.ts";
import type { LiteralRegistry } from "../text/literal-scanner.ts";
import type { Report, TextCheck, TextForm } from "./text-check.ts";

const REPLACEMENT = "[REDACTED-SECRET]";

const NONE: readonly Trigger[] = [];

interface Trigger {
  readonly literal: number;
  find(form: TextForm, at: number, report: Report): void;
}

/** Everything that grants access. Each format is tried only where its prefix occurs. */
export function createSecretCheck(config: SecretConfig, literals: LiteralRegistry): TextCheck {
  const wanted = config.providers === undefined ? undefined : new Set(config.providers);
  const isWanted = (provider: string) => wanted === undefined || wanted.has(provider);
  const triggers = triggersOf(isWanted, literals);
  const byLiteral = Map.groupBy(triggers, ({ literal }) => literal);
  const byKey = isWanted("generic");
  return {
    triggers: byKey ? undefined : triggers.map(({ literal }) => literal),
    minLength: 6,
    minDigits: 0,
    readsBase64: true,
    scan(form, report) {
      for (const id of form.hits.ids) {
        for (const trigger of byLiteral.get(id) ?? NONE) findAll(trigger, form, report);
      }
      if (byKey) findByKey(form, (start, end, certainty) => report(start, end, certainty, REPLACEMENT));
    },
  };
}

/** Hits inside the previous finding are part of it. */
function findAll({ literal, find }: Trigger, form: TextForm, report: Report): void {
  let covered = 0;
  const cover: Report = (start, end, certainty, replacement) => {
    covered = Math.max(covered, end);
    report(start, end, certainty, replacement);
  };
  for (const at of form.hits.positions(literal)) if (at >= covered) find(form, at, cover);
}

function triggersOf(isWanted: (provider: string) => boolean, literals: LiteralRegistry): Trigger[] {
  return SECRET_FINDERS.filter(({ provider }) => isWanted(provider)).flatMap((finder) =>
    finder.literals.map((literal) => ({
      literal: literals.add(literal),
      find: (form: TextForm, at: number, report: Report) =>
        finder.find(form, at, (start, end, certainty) => report(start, end, certainty, REPLACEMENT)),
    })),
  );
}
