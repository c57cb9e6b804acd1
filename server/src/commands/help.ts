/** The parts of `cli/` that commands need; `bin/gatehouse.mjs` passes them in, since neither imports the other. */
export interface CommandLine {
  /** The commands of `cli/`, which the help also lists. */
  readonly commands: Summaries;
  resolveNoun(word: string | undefined, nouns: Summaries): string | undefined;
  didYouMean(word: string, known: Iterable<string>): string;
  wrapText(text: string): string[];
  twoColumns(rows: readonly (readonly [name: string, description: string])[]): string[];
  /** Undefined for an unknown shell. */
  completionScript(shell: string, commands: Summaries): Promise<string | undefined>;
  /** Undefined for an error that no file, folder, or disk caused. */
  describeFileFailure(error: unknown): string | undefined;
}

export type Summaries = Readonly<Record<string, { readonly summary: string }>>;

interface Described {
  readonly summary: string;
  readonly usage?: string;
  readonly readsSettings?: true;
  /** The environment variables that it reads, with their descriptions. */
  settings?(): Promise<(readonly [name: string, description: string])[]>;
}

export function usageLine(name: string, { usage, readsSettings }: Described): string {
  const options = readsSettings ? " [--settings <file>]" : "";
  const line = `Usage: gatehouse ${name}${usage === undefined ? "" : ` ${usage}`}`;
  return line.length + options.length > 80 ? `${line}\n      ${options}\n` : `${line}${options}\n`;
}

export async function commandHelp(name: string, command: Described, cli: CommandLine): Promise<string> {
  const sentence = `${command.summary.charAt(0).toUpperCase()}${command.summary.slice(1)}.`;
  const settings = await command.settings?.();
  const head = ["", ...cli.wrapText("Settings, as environment variables or in a file for --settings:")];
  const listed = settings ? [...head, ...cli.twoColumns(settings)] : [];
  return `${usageLine(name, command)}\n${[...cli.wrapText(sentence), ...listed].join("\n")}\n`;
}

/** All commands: those of the server, then those that talk to a running service. */
export function overview(serverCommands: Summaries, { commands, twoColumns, wrapText }: CommandLine): string {
  const rows = (table: Summaries) =>
    twoColumns(Object.entries(table).map(([name, { summary }]) => [`gatehouse ${name}`, summary] as const));
  const lines = [
    "Usage:",
    ...rows(serverCommands),
    "",
    'Settings are environment variables. "gatehouse serve --help" lists them.',
    "",
    "Commands for a running service, local or remote:",
    ...rows(commands),
    "",
    ...wrapText(
      'Run "gatehouse <command> --help" for the verbs and options of a command. GATEHOUSE_URL is the URL of the service, GATEHOUSE_TOKEN the API token, and GATEHOUSE_ACCESS_KEY the access key with its secret. To read a secret from a file, set GATEHOUSE_TOKEN_FILE or GATEHOUSE_ACCESS_KEY_FILE to its path.',
    ),
    "",
    "Example:",
    "  gatehouse servers list",
  ];
  return `${lines.join("\n")}\n`;
}
