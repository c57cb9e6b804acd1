import { findHiddenCharacters } from "./hidden-characters.ts";

export const HIDDEN_UNICODE = "hidden_unicode";

/** Problems of a text that a model reads: SKILL.md, instructions, rules. */
export function textIssues(text: string): string[] {
  let isHidden = false;
  findHiddenCharacters(text, () => {
    isHidden = true;
  });
  return isHidden ? [HIDDEN_UNICODE] : [];
}
