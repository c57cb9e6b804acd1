import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { AhoCorasick } from "./aho-corasick.ts";

function hits(automaton: AhoCorasick, words: readonly string[], text: string): string[] {
  const found: string[] = [];
  automaton.search(text, (word, start) => found.push(`${start}:${words[word]}`));
  return found.sort();
}

function expected(words: readonly string[], text: string): string[] {
  const found = words.flatMap((word) => {
    const at: string[] = [];
    for (let from = text.indexOf(word); from >= 0; from = text.indexOf(word, from + 1)) at.push(`${from}:${word}`);
    return at;
  });
  return found.sort();
}

describe("AhoCorasick", () => {
  const letters = fc.string({ unit: fc.constantFrom("a", "b", "c"), minLength: 1, maxLength: 4 });

  it("finds the same occurrences as a search for each word", () => {
    fc.assert(
      fc.property(fc.uniqueArray(letters, { minLength: 1, maxLength: 8 }), fc.array(letters), (words, parts) => {
        const text = parts.join("");
        assert.deepEqual(hits(new AhoCorasick(words), words, text), expected(words, text));
      }),
    );
  });

  it("finds the words of a vocabulary that is too large for a table", () => {
    const words = Array.from({ length: 2_000 }, (_, at) => String.fromCodePoint(0x4e00 + at).repeat(2) + at);
    const text = `${words[7]} x ${words[1_999]} ${words[7]}`;
    assert.deepEqual(hits(new AhoCorasick(words), words, text), expected([words[7] ?? "", words[1_999] ?? ""], text));
  });

  it("ignores the case of ASCII letters and the amount of white space if requested", () => {
    const words = ["do not tell", "key"];
    const automaton = new AhoCorasick(words, { foldAscii: true, foldSpace: true });
    assert.equal(hits(automaton, words, "DO \n\t NOT  tell the KEY").length, 2);
    assert.equal(hits(new AhoCorasick(words), words, "DO NOT tell the KEY").length, 0);
  });
});
