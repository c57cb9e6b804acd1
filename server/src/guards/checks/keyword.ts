import type { KeywordConfig } from "../definition.ts";
import { AhoCorasick } from "../text/aho-corasick.ts";
import { isLetterOrNumberAt } from "../text/char-table.ts";
import { normalizeText } from "../text/normalize.ts";
import { replacementFor, type TextCheck } from "./text-check.ts";

export const MAX_WORDS = 1000;
export const MAX_WORD_LENGTH = 200;

/** Finds any of the words, in one pass regardless of their number. */
export function createKeywordCheck(config: KeywordConfig, name: string, certainty: number): TextCheck {
  const { case_sensitive: caseSensitive, whole_word: wholeWord } = config;
  const words = variants(config.words, caseSensitive);
  const automaton = new AhoCorasick(words);
  const replacement = replacementFor(name);
  return {
    triggers: undefined,
    minLength: 1,
    minDigits: 0,
    readsBase64: false,
    scan(form, report) {
      automaton.search(caseSensitive ? form.text : form.lower, (word, start) => {
        const end = start + (words[word]?.length ?? 0);
        if (wholeWord && (isLetterOrNumberAt(form.text, start - 1) || isLetterOrNumberAt(form.text, end))) return;
        report(start, end, certainty, replacement);
      });
    },
  };
}

/** The words and their normal forms, because texts are examined in both. */
function variants(words: readonly string[], caseSensitive: boolean): string[] {
  const all = words.flatMap((word) => [word, normalizeText(word)?.text ?? word]);
  const folded = caseSensitive ? all : all.map((word) => word.toLowerCase());
  return [...new Set(folded)].filter((word) => word !== "");
}
