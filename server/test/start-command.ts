import { readFileSync } from "node:fs";

export interface StartCommand {
  /** The flags of Node. */
  readonly flags: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
}

/** What `npm start` passes to Node (decision 0016). */
export function readStartCommand(): StartCommand {
  const { scripts } = JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8"));
  const words: readonly string[] = scripts.start.split(" ");
  const assignments = words.slice(0, words.indexOf("exec")).map((word) => word.split("="));
  return { flags: words.filter((word) => word.startsWith("--")), environment: Object.fromEntries(assignments) };
}
