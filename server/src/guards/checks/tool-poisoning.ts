import { allMatches } from "../text/all-matches.ts";
import type { LiteralRegistry } from "../text/literal-scanner.ts";
import { InjectionDetector } from "./prompt-injection.ts";
import { type Report, replacementFor, type TextForm } from "./text-check.ts";

/** What the check knows about the tool besides its definition. */
export interface ToolContext {
  /** Names of tools of other servers, as these servers call them and as the gateway does. */
  readonly otherTools: ReadonlySet<string>;
  /** Whether the definition differs from the one that was accepted. */
  readonly changed: boolean;
}

export const CHANGED_CERTAINTY = 8;
const REFERENCE_WEIGHT = 6;
/** A description has no reason to give orders, so weaker signs count more than in other text. */
const BASE_WEIGHT = 2;
const ORDER =
  /(?<![a-z])(?:must|always|never|before|instead of|first|important|required|do not|don't|override|replace)(?![a-z])/;
const IDENTIFIER = /[A-Za-z][A-Za-z0-9]{1,40}(?:[_-]{1,2}[A-Za-z0-9]{1,40}){1,8}/g;
const REPLACEMENT = replacementFor("tool_poisoning");

/** Examines name, title, description and parameters of a tool for instructions to the model. */
export class ToolPoisoningCheck {
  readonly #detector: InjectionDetector;

  constructor(literals: LiteralRegistry) {
    this.#detector = new InjectionDetector(literals);
  }

  scan(form: TextForm, context: ToolContext | undefined, report: Report): void {
    const { evidence, total } = this.#detector.evidence(form);
    const references = context === undefined ? [] : findReferences(form, context.otherTools);
    const sum = total + (references.length > 0 ? REFERENCE_WEIGHT : 0);
    if (sum === 0) return;
    const certainty = Math.min(10, sum + BASE_WEIGHT);
    for (const { start, end } of [...evidence, ...references]) report(start, end, certainty, REPLACEMENT);
  }
}

/** Tools of other servers that the text gives orders about. A plain mention is not suspicious. */
function findReferences({ text, lower }: TextForm, others: ReadonlySet<string>): { start: number; end: number }[] {
  if (others.size === 0 || !ORDER.test(lower)) return [];
  const found: { start: number; end: number }[] = [];
  for (const match of allMatches(IDENTIFIER, text)) {
    if (others.has(match[0])) found.push({ start: match.index, end: match.index + match[0].length });
  }
  return found;
}
