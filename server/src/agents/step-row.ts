import { firstBytes } from "#lib/first-bytes";
import type { AgentStepRow } from "#storage/agent-tables";
import type { Step } from "./loop/ports.ts";

/** Of a text or arguments; the rest is cut. */
const MAX_STEP_BYTES = 64 * 1024;

export function stepRow(sessionId: string, position: number, step: Step): AgentStepRow {
  const { type, startedAt, durationMs, text, arguments: input, ...rest } = step;
  const isTruncated = [text, input].some((value) => Buffer.byteLength(value ?? "") > MAX_STEP_BYTES);
  const data = JSON.stringify({ ...rest, text: cut(text), arguments: cut(input), ...(isTruncated && { isTruncated }) });
  return { session_id: sessionId, position, type, data, started_at: startedAt, duration_ms: durationMs };
}

function cut(text: string | undefined): string | undefined {
  return text === undefined ? undefined : firstBytes(text, MAX_STEP_BYTES);
}
