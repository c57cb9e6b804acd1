import type { Clock } from "#lib/clock";
import { compileSchema, type SchemaCheck } from "./checks/json-schema.ts";
import { createKeywordCheck } from "./checks/keyword.ts";
import { createPiiChecks } from "./checks/pii.ts";
import { createPromptInjectionCheck } from "./checks/prompt-injection.ts";
import { createRegexCheck } from "./checks/regex.ts";
import { createSecretCheck } from "./checks/secret.ts";
import type { TextCheck } from "./checks/text-check.ts";
import { ToolPoisoningCheck } from "./checks/tool-poisoning.ts";
import { createUrlCheck } from "./checks/url.ts";
import { Deadline } from "./deadline.ts";
import type { CheckDefinition, GuardDefinition } from "./definition.ts";
import { LiteralRegistry, type LiteralScanner } from "./text/literal-scanner.ts";

/** The position of a check in its guard, with the compiled check. */
interface At<Check> {
  readonly index: number;
  readonly check: Check;
}

interface CompiledSchema {
  readonly target: string;
  readonly validate: SchemaCheck;
}

type RemoteDefinition = Extract<CheckDefinition, { type: "webhook" | "llm" }>;

export interface CompiledGuard {
  /** Position in the set: by priority, then by slug. */
  readonly index: number;
  readonly definition: GuardDefinition;
  readonly texts: readonly At<TextCheck>[];
  readonly poisoning: readonly At<ToolPoisoningCheck>[];
  readonly schemas: readonly At<CompiledSchema>[];
  readonly sizes: readonly At<number>[];
  readonly remotes: readonly At<RemoteDefinition>[];
  /** Checks whose cost per character is high: patterns of admins, and schemas. */
  readonly heavyChecks: number;
}

export interface CompiledSet {
  readonly guards: readonly CompiledGuard[];
  readonly literals: LiteralScanner;
  readonly deadline: Deadline;
}

/** Compiles guards that were validated. Disabled ones must be left out by the caller. */
export function compileSet(definitions: readonly GuardDefinition[], clock: Clock): CompiledSet {
  const literals = new LiteralRegistry();
  const deadline = new Deadline(clock);
  const guards = inOrder(definitions).map((definition, index) => compileGuard(definition, index, literals, deadline));
  return { guards, literals: literals.build(), deadline };
}

function inOrder(definitions: readonly GuardDefinition[]): GuardDefinition[] {
  return definitions.toSorted((one, other) => one.priority - other.priority || (one.slug < other.slug ? -1 : 1));
}

function compileGuard(
  definition: GuardDefinition,
  index: number,
  literals: LiteralRegistry,
  deadline: Deadline,
): CompiledGuard {
  const guard: GuardDraft = { texts: [], poisoning: [], schemas: [], sizes: [], remotes: [] };
  let heavyChecks = 0;
  for (const [at, check] of definition.checks.entries()) {
    compileCheck(guard, at, check, literals, deadline);
    if (check.type === "regex" || check.type === "json_schema") heavyChecks++;
  }
  return { ...guard, index, definition, heavyChecks };
}

interface GuardDraft {
  readonly texts: At<TextCheck>[];
  readonly poisoning: At<ToolPoisoningCheck>[];
  readonly schemas: At<CompiledSchema>[];
  readonly sizes: At<number>[];
  readonly remotes: At<RemoteDefinition>[];
}

function compileCheck(
  guard: GuardDraft,
  index: number,
  check: CheckDefinition,
  literals: LiteralRegistry,
  deadline: Deadline,
): void {
  switch (check.type) {
    case "tool_poisoning":
      guard.poisoning.push({ index, check: new ToolPoisoningCheck(literals) });
      break;
    case "size":
      guard.sizes.push({ index, check: check.config.max_bytes });
      break;
    case "webhook":
    case "llm":
      guard.remotes.push({ index, check });
      break;
    case "json_schema": {
      const validate = compileSchema(check.config.schema);
      if (typeof validate === "string") throw new TypeError(`invalid schema: ${validate}`);
      guard.schemas.push({ index, check: { target: check.config.target, validate } });
      break;
    }
    default:
      for (const text of compileTextCheck(check, literals, deadline)) guard.texts.push({ index, check: text });
  }
}

type TextDefinition = Extract<
  CheckDefinition,
  { type: "regex" | "keyword" | "pii" | "secret" | "prompt_injection" | "url" }
>;

function compileTextCheck(check: TextDefinition, literals: LiteralRegistry, deadline: Deadline): TextCheck[] {
  switch (check.type) {
    case "regex":
      return [createRegexCheck(check.config, check.name, check.certainty, () => deadline.check())];
    case "keyword":
      return [createKeywordCheck(check.config, check.name, check.certainty)];
    case "pii":
      return createPiiChecks(check.config.entities, literals);
    case "secret":
      return [createSecretCheck(check.config, literals)];
    case "prompt_injection":
      return [createPromptInjectionCheck(literals)];
    case "url":
      return [createUrlCheck(check.config, check.name, check.certainty, literals)];
  }
}
