import type { RemovedText, Step } from "./ports.ts";

/** Shorter texts occur everywhere, so replacing them would make other texts unreadable. */
const MIN_CHARACTERS = 4;

/**
 * Texts that guards removed from what a session stores. The model still knows them and can repeat them, so they are
 * replaced in everything that is stored afterwards.
 */
export class RemovedTexts {
  readonly #replacements = new Map<string, string>();

  add(removed: readonly RemovedText[]): void {
    for (const { text, replacement } of removed)
      if (text.length >= MIN_CHARACTERS) this.#replacements.set(text, replacement);
  }

  /** Longer texts first, because they can contain shorter ones. */
  replaceIn(text: string): string {
    const known = [...this.#replacements].sort(([one], [other]) => other.length - one.length);
    return known.reduce((result, [removed, replacement]) => result.replaceAll(removed, () => replacement), text);
  }

  replaceInStep(step: Step): Step {
    if (this.#replacements.size === 0) return step;
    const { text, arguments: input } = step;
    return {
      ...step,
      ...(text !== undefined && { text: this.replaceIn(text) }),
      ...(input !== undefined && { arguments: this.#replaceInJson(input) }),
    };
  }

  #replaceInJson(json: string): string {
    const known = [...this.#replacements].sort(([one], [other]) => other.length - one.length);
    return known.reduce((result, [removed, replacement]) => {
      return result.replaceAll(inString(removed), () => inString(replacement));
    }, json);
  }
}

function inString(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}
