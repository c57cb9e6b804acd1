/** The addresses in what somebody pasted: a list, a column of a sheet, or as mail programs write them. */
export function emailsIn(text: string): string[] {
  const found = text.split(/[\s,;<>()"]+/).filter((part) => /^[^@]+@[^@]+\.[^@]+$/.test(part));
  return [...new Map(found.map((email) => [email.toLowerCase(), email])).values()];
}
