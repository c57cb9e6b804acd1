import type { Readable } from "node:stream";
import { badUsage, EXIT, Failure } from "./failure.ts";
import { oneLine } from "./terminal-text.ts";

export interface Prompt {
  readonly stdin: Readable & { readonly isTTY?: boolean };
  readonly stderr: { readonly isTTY?: boolean; write(text: string): unknown };
}

/** Prompts on a terminal. Without a terminal, destructive verbs require `--yes`. */
export async function confirm({ stdin, stderr }: Prompt, question: string): Promise<void> {
  if (!stdin.isTTY || !stderr.isTTY) throw badUsage("Not a terminal. Pass --yes to confirm.");
  stderr.write(`${oneLine(question)} [y/N] `);
  let answer = "";
  for await (const chunk of stdin) {
    answer += chunk;
    if (answer.includes("\n")) break;
  }
  if (!/^y(?:es)?$/i.test(answer.trim())) throw new Failure(EXIT.failed, "Canceled. Nothing was changed.");
}
