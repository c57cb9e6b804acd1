#!/usr/bin/env node
// Plain JavaScript, so that an unsupported Node version can run this check.
import { spawnSync } from "node:child_process";
import { readdirSync } from "node:fs";
import module from "node:module";
import { constants, setPriority } from "node:os";

const [major] = process.versions.node.split(".").map(Number);
if (major < 24) {
  process.stderr.write(
    `Gatehouse requires Node 24 or newer. This is ${process.version}. Install Node 24. In a checkout, "npm ci" installs it for the project.\n`,
  );
  process.exit(78);
}
module.enableCompileCache?.();
const argv = process.argv.slice(2);
// Calls are more urgent than a backup, also while it loads (decision 0172).
if (argv[0] === "backup" && !argv.includes("--urgent")) lowerPriority();
await import("./resolve-imports.mjs");
// Client commands do not load the server, so that they start fast.
const { COMMANDS } = await import("../cli/src/commands.ts");
const { resolveNoun } = await import("../cli/src/resolve-name.ts");
// "audit verify" reads the data directly, so that it works while the service is stopped. With --remote it uses the API.
if (argv[0] === "audit" && argv[1] === "verify" && !argv.includes("--remote")) argv.splice(0, 2, "audit verify");
const name = resolveNoun(argv[0], COMMANDS);
if (name !== undefined) {
  const { runClient } = await import("../cli/src/main.ts");
  await runClient([name, ...argv.slice(1)]);
} else {
  const { watchOutput } = await import("../cli/src/watch-output.ts");
  // A backup or a migration is completed, also if no process reads its messages anymore.
  watchOutput(process, () => {});
  const { main } = await import("../server/src/main.ts");
  const { didYouMean } = await import("../cli/src/nearest.ts");
  const { twoColumns, wrapText } = await import("../cli/src/layout.ts");
  const completionScript = async (...args) => (await import("../cli/src/completion.ts")).completionScript(...args);
  const { describeFileFailure } = await import("../cli/src/file-failure.ts");
  const help = { commands: COMMANDS, resolveNoun, didYouMean, twoColumns, wrapText, completionScript };
  await main(argv, { ...help, describeFileFailure });
}

/**
 * On Linux, each thread has a priority. Threads that start afterwards inherit it, and those that Node has started already
 * collect garbage. With chrt, they run only while processors are idle (decision 0203). It only affects fairness, so a
 * system that refuses changes nothing.
 */
function lowerPriority() {
  try {
    setPriority(constants.priority.PRIORITY_LOW);
    if (process.platform !== "linux") return;
    const idle = ["--all-tasks", "--idle", "--pid", "0", String(process.pid)];
    if (spawnSync("chrt", idle, { stdio: "ignore" }).status === 0) return;
    for (const thread of readdirSync("/proc/self/task")) setPriority(Number(thread), constants.priority.PRIORITY_LOW);
  } catch {
    // Some containers do not permit it.
  }
}
