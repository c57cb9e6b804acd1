import type { SecretConfig } from "../definition.ts";
import { SECRET_FORMATS } from "../secrets/formats.ts";
import { findByKey, genericSecret } from "../secrets/generic.ts";
import { STRUCTURED_SECRETS } from "../secrets/structured.ts";
import { isWordAt } from "../text/char-table.ts";
import type { LiteralRegistry } from "../text/literal-scanner.ts";
import type { Report, TextCheck, TextForm } from "./text-check.ts";

const REPLACEMENT = "[REDACTED-SECRET]";
/** Before these, letters are part of a URL or of another word. */
const JOINED_PREFIXES = /^(?::AA|hooks\.|discord|AccountKey|SharedAccessKey)/;

const NONE: readonly Trigger[] = [];

interface Trigger {
  readonly literal: number;
  find(form: TextForm, at: number, report: Report): void;
}

/** Everything that grants access. Each format is tried only where its prefix occurs. */
export function createSecretCheck(config: SecretConfig, literals: LiteralRegistry): TextCheck {
  const wanted = config.providers === undefined ? undefined : new Set(config.providers);
  const isWanted = (provider: string) => wanted === undefined || wanted.has(provider);
  const triggers = [...formatTriggers(isWanted, literals), ...structuredTriggers(isWanted, literals)];
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

function formatTriggers(isWanted: (provider: string) => boolean, literals: LiteralRegistry): Trigger[] {
  return SECRET_FORMATS.filter(({ provider }) => isWanted(provider)).flatMap(({ prefixes, body, certainty }) =>
    prefixes.map((prefix) => {
      const pattern = new RegExp(`${escapePattern(prefix)}${body}`, "y");
      const mayBeJoined = JOINED_PREFIXES.test(prefix);
      return {
        literal: literals.add(prefix),
        find({ text }: TextForm, at: number, report: Report) {
          if (!mayBeJoined && isWordAt(text, at - 1)) return;
          pattern.lastIndex = at;
          const match = pattern.exec(text)?.[0];
          if (match !== undefined && !isWordAt(text, at + match.length)) {
            report(at, at + match.length, certainty, REPLACEMENT);
          }
        },
      };
    }),
  );
}

function structuredTriggers(isWanted: (provider: string) => boolean, literals: LiteralRegistry): Trigger[] {
  return [...STRUCTURED_SECRETS, genericSecret]
    .filter(({ provider }) => isWanted(provider))
    .flatMap((secret) =>
      secret.literals.map((literal) => ({
        literal: literals.add(literal),
        find: (form: TextForm, at: number, report: Report) =>
          secret.find(form, at, (start, end, certainty) => report(start, end, certainty, REPLACEMENT)),
      })),
    );
}

function escapePattern(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\/]/g, "\\$&");
}
