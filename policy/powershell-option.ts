/** PowerShell accepts every beginning of the name of an option, and slashes and other dashes before it. */
export function matchesOption(text: string, names: readonly string[]): boolean {
  const word = /^[-/–—―]([A-Za-z]+)$/.exec(text)?.[1]?.toLowerCase();
  return word !== undefined && names.some((name) => name.startsWith(word));
}
