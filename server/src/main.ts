import { BadUsage } from "#commands/bad-usage";
import { type CommandLine, commandHelp, overview, usageLine } from "#commands/help";
import { BadSetting } from "#lib/bad-setting";
import { VERSION } from "#lib/version";

interface Command {
  readonly summary: string;
  /** Only for commands with arguments. */
  readonly usage?: string;
  /** Accepts `--settings`. */
  readonly readsSettings?: true;
  /** The environment variables that its help lists. */
  settings?(): Promise<(readonly [name: string, description: string])[]>;
  /** The verbs and their options, for shell completion. */
  readonly verbs?: Readonly<Record<string, readonly string[]>>;
  load(): Promise<(args: readonly string[], cli: CommandLine) => Promise<void>>;
}

/** Commands for operators. Each is loaded only when it is used. */
const COMMANDS: Readonly<Record<string, Command>> = {
  init: {
    summary: "create a settings file and a key file",
    usage: "[folder]",
    load: async () => (await import("./commands/init.ts")).init,
  },
  serve: {
    summary: "run the gateway, the API, and the admin app",
    readsSettings: true,
    async settings() {
      const { describeSetting, SETTINGS } = await import("#config/setting-list");
      return SETTINGS.map((setting) => [setting.name, describeSetting(setting)] as const);
    },
    load: async () => (await import("./commands/serve.ts")).serve,
  },
  migrate: {
    summary: "create or update the database tables, then exit",
    readsSettings: true,
    load: async () => (await import("./commands/migrate.ts")).migrateOnly,
  },
  compact: {
    summary: "shrink the SQLite files to the space that they use",
    readsSettings: true,
    load: async () => (await import("./commands/compact.ts")).compact,
  },
  keys: {
    summary: "create a key file, show keys in use, rotate keys",
    usage: "status [-o json] | generate <file> | rotate [--data-keys]",
    readsSettings: true,
    verbs: { status: ["--output"], generate: [], rotate: ["--data-keys"] },
    load: async () => (await import("./commands/keys.ts")).keys,
  },
  doctor: {
    summary: "check the settings and the running installation, and say what to do",
    usage: "[--json]",
    readsSettings: true,
    verbs: { "--json": [] },
    load: async () => (await import("./commands/doctor/doctor.ts")).doctor,
  },
  "audit verify": {
    summary: "verify the audit log on the data, also while the service is stopped",
    usage: "[--checkpoint <file>] [-o json]",
    readsSettings: true,
    verbs: { "--checkpoint": [], "--output": [] },
    load: async () => (await import("./commands/audit-verify.ts")).auditVerify,
  },
  backup: {
    summary: "copy a running installation into one file",
    usage: "<file> [--with-key] [--urgent]",
    readsSettings: true,
    verbs: { "--with-key": [], "--urgent": [] },
    load: async () => (await import("./commands/backup.ts")).backup,
  },
  restore: {
    summary: "restore a backup into an empty installation",
    usage: "<file>",
    readsSettings: true,
    load: async () => (await import("./commands/restore.ts")).restore,
  },
  "owner-link": {
    summary: "print a link that creates an owner account",
    readsSettings: true,
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
const INTERRUPTED = 130;

const HELP = new Set(["help", "--help", "-h"]);
const SETTINGS_OPTION = "--settings";

export async function main(argv: readonly string[], cli: CommandLine): Promise<void> {
  const word = argv[0] === "--version" ? "version" : (argv[0] ?? "help");
  if (HELP.has(word)) return void process.stdout.write(overview(COMMANDS, cli));
  const name = cli.resolveNoun(word, COMMANDS) ?? "";
  const command = COMMANDS[name];
  if (!command) return refuse(unknown(word, cli), `Run "gatehouse --help" for the list of commands.\n`);
  if (argv.includes("--help") || argv.includes("-h")) {
    return void process.stdout.write(await commandHelp(name, command, cli));
  }
  await runCommand(name, command, argv.slice(1), cli);
}

async function runCommand(name: string, command: Command, argv: readonly string[], cli: CommandLine): Promise<void> {
  try {
    const args = command.readsSettings ? await loadSettingsOption(argv) : argv;
    if (args.length > 0 && !command.usage) throw new BadUsage(`${name} accepts no arguments`);
    const run = await command.load();
    await run(args, cli);
  } catch (error) {
    if (error instanceof BadUsage) return refuse(error.message, usageLine(name, command));
    const failure = await configurationFailure(error, cli);
    if (!failure) throw error;
    process.stderr.write(`gatehouse: ${failure.line}\n`);
    process.exitCode = failure.exitCode;
  }
}

/** Loads the file of `--settings <file>` into the environment, and returns the other arguments. */
async function loadSettingsOption(argv: readonly string[]): Promise<readonly string[]> {
  const index = argv.findIndex((word) => word === SETTINGS_OPTION || word.startsWith(`${SETTINGS_OPTION}=`));
  if (index < 0) return argv;
  const inline = argv[index]?.split("=").slice(1).join("=");
  const path = inline || argv[index + 1];
  if (path === undefined) throw new BadUsage(`${SETTINGS_OPTION} needs a path`);
  const { loadSettings } = await import("#config/settings-file");
  loadSettings(path);
  return argv.toSpliced(index, inline ? 1 : 2);
}

/** Errors that an operator can fix are printed as one line, without a stack trace. */
async function configurationFailure(
  error: unknown,
  cli: CommandLine,
): Promise<{ line: string; exitCode: number } | undefined> {
  if (!(error instanceof Error)) return undefined;
  const { describeDiskFailure, isDatabaseAway } = await import("#storage/constraints");
  const diskFailure = error.name === "DiskFull" ? undefined : describeDiskFailure(error);
  if (diskFailure !== undefined) return { line: diskFailure, exitCode: TRY_LATER };
  if (
    error instanceof BadSetting ||
    ["BadKeyFile", "WrongWrappingKey", "MigrationConflict", "UnfinishedRestore"].includes(error.name)
  ) {
    return { line: error.message, exitCode: BAD_SETTING };
  }
  if (
    [
      "DiskFull",
      "NotEnoughSpace",
      "DataDirInUse",
      "UnreadableDatabase",
      "BadBackup",
      "TargetNotEmpty",
      "MissingRows",
    ].includes(error.name)
  )
    return { line: error.message, exitCode: TRY_LATER };
  if (error.name === "Interrupted") return { line: error.message, exitCode: INTERRUPTED };
  const code = "code" in error ? String(error.code) : "";
  if (isDatabaseAway(error)) {
    return { line: `Cannot reach the database: ${error.message || code}`, exitCode: TRY_LATER };
  }
  // Postgres' error classes for a rejected login and an unknown database.
  if (/^(?:28...|3D000)$/.test(code)) return { line: `DATABASE_URL: ${error.message}`, exitCode: BAD_SETTING };
  const fileFailure = cli.describeFileFailure(error);
  return fileFailure === undefined ? undefined : { line: fileFailure, exitCode: TRY_LATER };
}

async function printCompletion([shell = "", ...more]: readonly string[], cli: CommandLine): Promise<void> {
  const script = more.length === 0 ? await cli.completionScript(shell, COMMANDS) : undefined;
  if (script === undefined) throw new BadUsage("completion requires a shell: bash, zsh, or fish");
  process.stdout.write(script);
}

function unknown(word: string, { commands, didYouMean }: CommandLine): string {
  if (word.startsWith("-")) return `Unknown option ${word}`;
  return `Unknown command "${word}"${didYouMean(word, Object.keys({ ...COMMANDS, ...commands }))}`;
}

function refuse(problem: string, usage: string): void {
  process.stderr.write(`gatehouse: ${problem}\n${usage}`);
  process.exitCode = BAD_USAGE;
}
