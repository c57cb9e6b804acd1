type Table = Readonly<Record<string, unknown>>;

/** Finds the entry of a word, also in the singular: `server` is `servers`. */
export function resolveNoun(word: string | undefined, nouns: Table): string | undefined {
  return [word ?? "", `${word}s`].find((name) => Object.hasOwn(nouns, name));
}

/** Accepts the noun at the end of a verb in the singular and the plural: `add-server`, `remove-users`. */
export function resolveVerb(word: string, verbs: Table): string | undefined {
  return resolveNoun(word, verbs) ?? resolveNoun(word.replace(/(-.+)s$/, "$1"), verbs);
}
