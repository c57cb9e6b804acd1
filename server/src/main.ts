import { BadUsage } from "#commands/bad-usage";
import { BadSetting } from "#lib/bad-setting";
import { VERSION } from "#lib/version";

interface Command {
  readonly summary: string;
  /** For those that take arguments. */
  readonly usage?: string;
  load(): Promise<(args: readonly string[]) => Promise<void>>;
}

/** What an operator can run; each command is loaded only when it is asked for. */
const COMMANDS: Readonly<Record<string, Command>> = {
  serve: {
    summary: "run the gateway and the administration API",
    load: async () => (await import("./commands/serve.ts")).serve,
  },
  migrate: {
    summary: "bring the database's tables up to date, then end",
    load: async () => (await import("./commands/migrate.ts")).migrateOnly,
  },
  keys: {
    summary: "make a key file, tell which keys are in use, move to new ones",
    usage: "status [-o json] | generate <file> | rotate [--data-keys]",
    load: async () => (await import("./commands/keys.ts")).keys,
  },
  "owner-link": {
    summary: "print a link that makes an owner, also when nobody can sign in any more",
    load: async () => (await import("./commands/owner-link.ts")).ownerLink,
  },
  openapi: {
    summary: "print the API document",
    load: async () => (await import("./commands/openapi.ts")).printOpenApi,
  },
  version: {
    summary: "print the version",
    load: async () => async () => void process.stdout.write(`${VERSION}\n`),
  },
};

const BAD_USAGE = 64; // EX_USAGE
const BAD_SETTING = 78; // EX_CONFIG
const TRY_LATER = 1;

type Summaries = Readonly<Record<string, { readonly summary: string }>>;

/** The parts of `cli/` that this module needs; `bin/gatehouse.mjs` passes them in, since neither imports the other. */
export interface CommandLine {
  /** They run without the server; the help lists them together with the commands of this table. */
  readonly commands: Summaries;
  resolveNoun(word: string | undefined, nouns: Summaries): string | undefined;
  didYouMean(word: string, known: Iterable<string>): string;
}

const HELP = new Set(["help", "--help", "-h"]);

export async function main(argv: readonly string[], cli: CommandLine): Promise<void> {
  const word = argv[0] === "--version" ? "version" : (argv[0] ?? "help");
  if (HELP.has(word)) return void process.stdout.write(usage(cli.commands));
  const name = cli.resolveNoun(word, COMMANDS) ?? "";
  const command = COMMANDS[name];
  if (!command) return refuse(unknown(word, cli), `Run "gatehouse --help" for the list of commands.\n`);
  if (argv.includes("--help") || argv.includes("-h")) {
    return void process.stdout.write(usageOf(name, command) ?? usage(cli.commands));
  }
  if (argv.length > 1 && !command.usage) {
    return refuse(`${name} takes no arguments`, `Run "gatehouse ${name} --help" for usage.\n`);
  }
  await runCommand(name, command, argv.slice(1));
}

async function runCommand(name: string, command: Command, args: readonly string[]): Promise<void> {
  try {
    const run = await command.load();
    await run(args);
  } catch (error) {
    if (error instanceof BadUsage) return refuse(error.message, usageOf(name, command) ?? "");
    const failure = await operatorsFailure(error);
    if (!failure) throw error;
    process.stderr.write(`gatehouse: ${failure.line}\n`);
    process.exitCode = failure.exitCode;
  }
}

/** One clear line instead of a stack: the operator can mend it, and a stack would hide what to mend. */
async function operatorsFailure(error: unknown): Promise<{ line: string; exitCode: number } | undefined> {
  if (!(error instanceof Error)) return undefined;
  if (error instanceof BadSetting || ["BadKeyFile", "WrongWrappingKey"].includes(error.name)) {
    return { line: error.message, exitCode: BAD_SETTING };
  }
  const { isDatabaseAway } = await import("#storage/constraints");
  const code = "code" in error ? String(error.code) : "";
  if (isDatabaseAway(error)) {
    return { line: `the database cannot be reached: ${error.message || code}`, exitCode: TRY_LATER };
  }
  // Postgres' classes for a refused login and an unknown database.
  if (/^(?:28...|3D000)$/.test(code)) return { line: `DATABASE_URL: ${error.message}`, exitCode: BAD_SETTING };
  return undefined;
}

function unknown(word: string, { commands, didYouMean }: CommandLine): string {
  if (word.startsWith("-")) return `unknown option ${word}`;
  return `unknown command "${word}"${didYouMean(word, Object.keys({ ...COMMANDS, ...commands }))}`;
}

function refuse(wrong: string, told: string): void {
  process.stderr.write(`gatehouse: ${wrong}\n${told}`);
  process.exitCode = BAD_USAGE;
}

function usageOf(name: string, command: Command | undefined): string | undefined {
  return command?.usage && `Usage: gatehouse ${name} ${command.usage}\n`;
}

function usage(clientCommands: Summaries): string {
  const told = (commands: Summaries) =>
    Object.entries(commands)
      .map(([name, { summary }]) => `  gatehouse ${name.padEnd(10)} ${summary}\n`)
      .join("");
  return `Usage:
${told(COMMANDS)}Settings come from the environment; the README lists them.

Against a service that runs, here or elsewhere:
${told(clientCommands)}"gatehouse groups --help" tells more of groups, and so on. GATEHOUSE_URL, GATEHOUSE_TOKEN and GATEHOUSE_ACCESS_KEY,
or the last two with _FILE, say where the service is and who you are.

Example:
  gatehouse servers list
`;
}
