type Table = Readonly<Record<string, unknown>>;

/** The entry that a word names, in the singular too: `server` is `servers`. */
export function resolveNoun(word: string | undefined, nouns: Table): string | undefined {
  return [word ?? "", `${word}s`].find((name) => Object.hasOwn(nouns, name));
}

/** Verbs end in a noun that is singular or plural by what they take; `add-server` and `remove-users` work too. */
export function resolveVerb(word: string, verbs: Table): string | undefined {
  return resolveNoun(word, verbs) ?? resolveNoun(word.replace(/(-.+)s$/, "$1"), verbs);
}
