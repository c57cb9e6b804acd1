import type { Step } from "./agents.ts";

/** What the transcript shows as one entry: a text, or a tool call with what belongs to it. */
export type Entry =
  | { readonly kind: "text"; readonly key: number; readonly step: Step }
  | {
      readonly kind: "call";
      readonly key: number;
      readonly call: Step;
      readonly approvals: readonly Step[];
      /** Undefined while the call runs. */
      readonly result: Step | undefined;
    };

/** Calls run one after the other, so the steps between a call and the next one belong to it. */
export function entriesOf(steps: readonly Step[]): Entry[] {
  const entries: Entry[] = [];
  for (const step of steps) {
    const last = entries.at(-1);
    const open = last?.kind === "call" && last.result === undefined ? last : undefined;
    if (step.type === "tool_call") {
      entries.push({ kind: "call", key: step.index, call: step, approvals: [], result: undefined });
    } else if (step.type === "approval" && open) {
      entries[entries.length - 1] = { ...open, approvals: [...open.approvals, step] };
    } else if (step.type === "tool_result" && open) {
      entries[entries.length - 1] = { ...open, result: step };
    } else if (step.type !== "model" || step.text) {
      // An answer that only calls tools has no text; the calls follow.
      entries.push({ kind: "text", key: step.index, step });
    }
  }
  return entries;
}
