/** The base name of a program in lower case, without the extensions that Windows adds. */
export function programName(command: string): string {
  const base =
    command
      .trim()
      .split(/[/\\]/)
      .findLast((part) => part !== "") ?? "";
  return base.toLowerCase().replace(/\.(?:exe|cmd|bat|ps1|com)$/, "");
}
