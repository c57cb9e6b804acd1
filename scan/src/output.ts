import type { Action, Decision } from "#policy/policy-types";

export const EXIT = { clean: 0, failure: 1, warn: 2, block: 3, usage: 64 } as const;

/** Names come from files of users, so control characters are not printed. */
export function printable(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\p{Co}\p{Cs}]/gu, "�");
}

export function print(text: string): number {
  process.stdout.write(`${text}\n`);
  return EXIT.clean;
}

export function printError(text: string): void {
  process.stderr.write(`gatehouse-scan: ${printable(text)}\n`);
}

/** A closed pipe, such as that of `head`, does not end a command in the middle. Other failures are one line. */
export function watchOutput(): void {
  let hasFailed = false;
  const report = ({ code, message }: NodeJS.ErrnoException) => {
    if (code === "EPIPE" || hasFailed) return;
    hasFailed = true;
    printError(`Cannot write the output: ${message}`);
    process.once("exit", () => {
      process.exitCode ||= EXIT.failure;
    });
  };
  for (const stream of [process.stdout, process.stderr]) stream.on("error", report);
}

export function exitCodeOf(decisions: readonly Decision[]): number {
  const has = (action: Action) => decisions.some((decision) => decision.action === action);
  return has("block") ? EXIT.block : has("warn") ? EXIT.warn : EXIT.clean;
}
