import type { Readable } from "node:stream";
import { badUsage, EXIT, Failure } from "./failure.ts";
import { oneLine } from "./terminal-text.ts";

export interface Asked {
  readonly stdin: Readable & { readonly isTTY?: boolean };
  readonly stderr: { readonly isTTY?: boolean; write(text: string): unknown };
}

/** Asks a person; where there is none, nothing is destroyed without `--yes`. */
export async function confirm({ stdin, stderr }: Asked, question: string): Promise<void> {
  if (!stdin.isTTY || !stderr.isTTY) throw badUsage("there is nobody to ask here; give --yes if you mean it");
  stderr.write(`${oneLine(question)} [y/N] `);
  // A terminal hands over whole lines; Ctrl-C ends us as it ends any program.
  let answer = "";
  for await (const chunk of stdin) {
    answer += chunk;
    if (answer.includes("\n")) break;
  }
  if (!/^y(?:es)?$/i.test(answer.trim())) throw new Failure(EXIT.failed, "nothing was changed");
}
