/** The parts of `cli/` that commands need; `bin/gatehouse.mjs` passes them in, since neither imports the other. */
export interface CommandLine {
  /** They run without the server; the help lists them together with the commands of the server. */
  readonly commands: Summaries;
  resolveNoun(word: string | undefined, nouns: Summaries): string | undefined;
  didYouMean(word: string, known: Iterable<string>): string;
  wrapText(text: string): string[];
  twoColumns(rows: readonly (readonly [name: string, description: string])[]): string[];
  /** Undefined for an unknown shell. */
  completionScript(shell: string, commands: Summaries): Promise<string | undefined>;
}

export type Summaries = Readonly<Record<string, { readonly summary: string }>>;

interface Described {
  readonly summary: string;
  readonly usage?: string;
  /** The environment variables that it reads, with their descriptions. */
  settings?(): Promise<(readonly [name: string, description: string])[]>;
}

export function usageLine(name: string, { usage }: Described): string {
  return `Usage: gatehouse ${name}${usage === undefined ? "" : ` ${usage}`}\n`;
}

export async function commandHelp(name: string, command: Described, cli: CommandLine): Promise<string> {
  const sentence = `${command.summary.charAt(0).toUpperCase()}${command.summary.slice(1)}.`;
  const settings = await command.settings?.();
  const listed = settings ? ["", "Settings, from environment variables:", ...cli.twoColumns(settings)] : [];
  return `${usageLine(name, command)}\n${[...cli.wrapText(sentence), ...listed].join("\n")}\n`;
}

/** All commands: those of the server, then those that talk to a running service. */
export function overview(own: Summaries, { commands, twoColumns, wrapText }: CommandLine): string {
  const rows = (table: Summaries) =>
    twoColumns(Object.entries(table).map(([name, { summary }]) => [`gatehouse ${name}`, summary] as const));
  const lines = [
    "Usage:",
    ...rows(own),
    "",
    'Settings come from environment variables; "gatehouse serve --help" lists them.',
    "",
    "For a running service, on this machine or another:",
    ...rows(commands),
    "",
    ...wrapText(
      '"gatehouse groups --help" lists the verbs of groups, and so on. GATEHOUSE_URL is the URL of the service, GATEHOUSE_TOKEN the API token, and GATEHOUSE_ACCESS_KEY the access key with its secret. To read a secret from a file, set GATEHOUSE_TOKEN_FILE or GATEHOUSE_ACCESS_KEY_FILE to its path.',
    ),
    "",
    "Example:",
    "  gatehouse servers list",
  ];
  return `${lines.join("\n")}\n`;
}
