import { BadUsage } from "#commands/bad-usage";
import { type CommandLine, commandHelp, overview, usageLine } from "#commands/help";
import { BadSetting } from "#lib/bad-setting";
import { VERSION } from "#lib/version";

interface Command {
  readonly summary: string;
  /** For commands with arguments. */
  readonly usage?: string;
  /** The environment variables listed in its help. */
  settings?(): Promise<(readonly [name: string, description: string])[]>;
  /** The subcommands with their options, for shell completion. */
  readonly verbs?: Readonly<Record<string, readonly string[]>>;
  load(): Promise<(args: readonly string[], cli: CommandLine) => Promise<void>>;
}

/** The commands; each is loaded only when it is used. */
const COMMANDS: Readonly<Record<string, Command>> = {
  serve: {
    summary: "run the gateway and the administration API",
    async settings() {
      const { describeSetting, SETTINGS } = await import("#config/setting-list");
      return SETTINGS.map((setting) => [setting.name, describeSetting(setting)] as const);
    },
    load: async () => (await import("./commands/serve.ts")).serve,
  },
  migrate: {
    summary: "create or update the database tables, then exit",
    load: async () => (await import("./commands/migrate.ts")).migrateOnly,
  },
  keys: {
    summary: "create a key file, show keys in use, rotate keys",
    usage: "status [-o json] | generate <file> | rotate [--data-keys]",
    verbs: { status: ["--output"], generate: [], rotate: ["--data-keys"] },
    load: async () => (await import("./commands/keys.ts")).keys,
  },
  "owner-link": {
    summary: "print a link that creates an owner account",
    load: async () => (await import("./commands/owner-link.ts")).ownerLink,
  },
  openapi: {
    summary: "print the API document",
    load: async () => (await import("./commands/openapi.ts")).printOpenApi,
  },
  completion: {
    summary: "print a completion script for a shell",
    usage: "bash|zsh|fish",
    verbs: { bash: [], zsh: [], fish: [] },
    load: async () => printCompletion,
  },
  version: {
    summary: "print the version",
    load: async () => async () => void process.stdout.write(`${VERSION}\n`),
  },
};

const BAD_USAGE = 64; // EX_USAGE
const BAD_SETTING = 78; // EX_CONFIG
const TRY_LATER = 1;

const HELP = new Set(["help", "--help", "-h"]);

export async function main(argv: readonly string[], cli: CommandLine): Promise<void> {
  const word = argv[0] === "--version" ? "version" : (argv[0] ?? "help");
  if (HELP.has(word)) return void process.stdout.write(overview(COMMANDS, cli));
  const name = cli.resolveNoun(word, COMMANDS) ?? "";
  const command = COMMANDS[name];
  if (!command) return refuse(unknown(word, cli), `Run "gatehouse --help" for the list of commands.\n`);
  if (argv.includes("--help") || argv.includes("-h")) {
    return void process.stdout.write(await commandHelp(name, command, cli));
  }
  if (argv.length > 1 && !command.usage) {
    return refuse(`${name} takes no arguments`, `Run "gatehouse ${name} --help" for usage.\n`);
  }
  await runCommand(name, command, argv.slice(1), cli);
}

async function runCommand(name: string, command: Command, args: readonly string[], cli: CommandLine): Promise<void> {
  try {
    const run = await command.load();
    await run(args, cli);
  } catch (error) {
    if (error instanceof BadUsage) return refuse(error.message, usageLine(name, command));
    const failure = await operatorsFailure(error);
    if (!failure) throw error;
    process.stderr.write(`gatehouse: ${failure.line}\n`);
    process.exitCode = failure.exitCode;
  }
}

/** One line instead of a stack trace for errors that the operator can fix. */
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
  // Postgres error classes for a rejected login and an unknown database.
  if (/^(?:28...|3D000)$/.test(code)) return { line: `DATABASE_URL: ${error.message}`, exitCode: BAD_SETTING };
  return undefined;
}

async function printCompletion([shell = "", ...more]: readonly string[], cli: CommandLine): Promise<void> {
  const script = more.length === 0 ? await cli.completionScript(shell, COMMANDS) : undefined;
  if (script === undefined) throw new BadUsage("completion takes the name of one shell: bash, zsh, or fish");
  process.stdout.write(script);
}

function unknown(word: string, { commands, didYouMean }: CommandLine): string {
  if (word.startsWith("-")) return `unknown option ${word}`;
  return `unknown command "${word}"${didYouMean(word, Object.keys({ ...COMMANDS, ...commands }))}`;
}

function refuse(wrong: string, told: string): void {
  process.stderr.write(`gatehouse: ${wrong}\n${told}`);
  process.exitCode = BAD_USAGE;
}
