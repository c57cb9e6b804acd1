#!/usr/bin/env node
// Plain JavaScript, so that a Node that is too old can still read this and say so.
import module from "node:module";

const [major] = process.versions.node.split(".").map(Number);
if (major < 24) {
  process.stderr.write(`Gatehouse needs Node 24 or newer, and this is ${process.version}: run it with "npm start".\n`);
  process.exit(78);
}
module.enableCompileCache?.();
// A command against a service must not load one: it starts in a fraction of the time.
const argv = process.argv.slice(2);
const { COMMANDS } = await import("../cli/src/commands.ts");
const { resolveNoun } = await import("../cli/src/resolve-name.ts");
const name = resolveNoun(argv[0], COMMANDS);
if (name !== undefined) {
  const { runClient } = await import("../cli/src/main.ts");
  await runClient([name, ...argv.slice(1)]);
} else {
  const { main } = await import("../server/src/main.ts");
  const { didYouMean } = await import("../cli/src/nearest.ts");
  const { twoColumns, wrapText } = await import("../cli/src/layout.ts");
  const completionScript = async (...of) => (await import("../cli/src/completion.ts")).completionScript(...of);
  await main(argv, { commands: COMMANDS, resolveNoun, didYouMean, twoColumns, wrapText, completionScript });
}
