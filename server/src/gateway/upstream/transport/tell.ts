import { askOptions, type Line } from "../handshake/handshake.ts";
import type { Route } from "../sessions/target.ts";
import { ask } from "./ask.ts";

const ACCEPTANCE_BYTES = 64 * 1024;

/** A message that expects no response. Resolves when it was taken or not: whether it arrives changes nothing here. */
export async function tell({ channel, line, headers }: Route, body: Buffer): Promise<void> {
  await (channel ? channel.tell(body) : tellAt(line, line.path, headers, body));
}

export async function tellAt(line: Line, path: string, headers: readonly string[], body: Buffer): Promise<void> {
  try {
    const message = { method: "POST", path, headers, ownHeaders: line.extraHeaders, body } as const;
    await ask(line.wire(), message, askOptions(line, undefined, ACCEPTANCE_BYTES));
  } catch {
    // Not reached, or we are shutting down.
  }
}
