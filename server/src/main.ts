import { BadSetting } from "./config.ts";

/** What an operator can run; each command is loaded only when it is asked for. */
const COMMANDS: Readonly<Record<string, { summary: string; load(): Promise<() => Promise<void>> }>> = {
  serve: {
    summary: "run the gateway and the administration API",
    load: async () => (await import("./commands/serve.ts")).serve,
  },
  migrate: {
    summary: "bring the database's tables up to date, then end",
    load: async () => (await import("./commands/migrate.ts")).migrateOnly,
  },
  openapi: {
    summary: "print the API document",
    load: async () => (await import("./commands/openapi.ts")).printOpenApi,
  },
};

const BAD_SETTING = 78; // EX_CONFIG

export async function main(argv: readonly string[]): Promise<void> {
  const command = COMMANDS[argv[0] ?? "serve"];
  if (!command || argv.length > 1) {
    process.stderr.write(usage());
    process.exitCode = argv[0] === "--help" || argv[0] === "help" ? 0 : 64;
    return;
  }
  try {
    const run = await command.load();
    await run();
  } catch (error) {
    if (!isOperatorsToMend(error)) throw error;
    process.stderr.write(`gatehouse: ${error.message}\n`);
    process.exitCode = BAD_SETTING;
  }
}

/** One clear line instead of a stack: the operator can mend it, and a stack would hide what to mend. */
function isOperatorsToMend(error: unknown): error is Error {
  return error instanceof BadSetting || (error instanceof Error && error.name === "BadKeyFile");
}

function usage(): string {
  const lines = Object.entries(COMMANDS).map(([name, { summary }]) => `  gatehouse ${name.padEnd(8)} ${summary}\n`);
  return `Usage:\n${lines.join("")}Settings come from the environment; the README lists them.\n`;
}
