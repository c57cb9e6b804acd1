/** Characters that people do not see and models read, in every form that hides text. */
const HIDDEN: readonly { readonly pattern: RegExp; readonly weight: number }[] = [
  // Tag characters spell invisible ASCII; flags of regions start with U+1F3F4 and are legitimate.
  { pattern: /(?<!\u{1f3f4})(?<![\u{e0020}-\u{e007e}])[\u{e0001}\u{e0020}-\u{e007f}]{2,1000}/gu, weight: 10 },
  // Variation selectors can encode bytes; one after an emoji is legitimate.
  { pattern: /[\ufe00-\ufe0f\u{e0100}-\u{e01ef}]{3,1000}/gu, weight: 9 },
  // Two joiners are never adjacent in emoji or in any script.
  { pattern: /[\u200b-\u200d\u2060-\u2064\ufeff]{4,1000}/g, weight: 8 },
  // Overrides reorder what is displayed; isolates and marks are normal in right-to-left text.
  { pattern: /[\u202d\u202e][^\u202c\n]{1,200}/g, weight: 7 },
];

/** One cheap search first; U+DB40 starts all tags and many variation selectors. */
const MAY_HIDE = /[\u200b-\u200d\u202d\u202e\u2060-\u2064\ufeff\udb40]|[\ufe00-\ufe0f]{3}/;

/** Reports each span with its weight. */
export function findHiddenCharacters(text: string, report: (start: number, end: number, weight: number) => void): void {
  if (!MAY_HIDE.test(text)) return;
  for (const { pattern, weight } of HIDDEN) {
    for (const match of text.matchAll(pattern)) report(match.index, match.index + match[0].length, weight);
  }
}
