import { HELP, parseArguments } from "./arguments.ts";
import { runDaemon } from "./commands/daemon.ts";
import { runDoctor } from "./commands/doctor.ts";
import { runEnforce } from "./commands/enforce.ts";
import { printPaths } from "./commands/paths.ts";
import { runReport } from "./commands/report.ts";
import { runRestore } from "./commands/restore.ts";
import { runScan } from "./commands/scan.ts";
import { readEnvironment } from "./environment.ts";
import { EXIT, print, printError, watchOutput } from "./output.ts";
import { resolveSettings, UsageError } from "./settings.ts";
import { VERSION } from "./version.ts";

async function main(args: readonly string[]): Promise<number> {
  const { command, flags, operands } = parseArguments(args);
  if (command === "help") return print(HELP.trimEnd());
  if (command === "version") return print(VERSION);
  const settings = resolveSettings(flags, readEnvironment());
  if (command === "scan") return runScan(settings, flags);
  if (command === "report") return runReport(settings, flags);
  if (command === "daemon") return runDaemon(settings, flags);
  if (command === "enforce") return runEnforce(settings, flags);
  if (command === "restore") return runRestore(settings, flags, operands);
  if (command === "paths") return printPaths(settings, flags);
  return runDoctor(settings, flags);
}

watchOutput();
main(process.argv.slice(2)).then(
  (code) => {
    process.exitCode = code;
  },
  (error: unknown) => {
    printError(error instanceof Error ? error.message : String(error));
    process.exitCode = error instanceof UsageError ? EXIT.usage : EXIT.failure;
  },
);
