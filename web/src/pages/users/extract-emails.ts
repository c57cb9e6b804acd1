/** The emails in pasted text: a list, a spreadsheet column, or mail recipients. */
export function extractEmails(text: string): string[] {
  const found = text.split(/[\s,;<>()"]+/).filter((part) => /^[^@]+@[^@]+\.[^@]+$/.test(part));
  return [...new Map(found.map((email) => [email.toLowerCase(), email])).values()];
}
