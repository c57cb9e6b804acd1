import { isObject } from "#lib/is-object";
import type { Step } from "../loop/ports.ts";

type Json = Readonly<Record<string, unknown>>;

export interface ReadEvents {
  readonly steps: readonly Step[];
  readonly input: string;
  readonly output: string | null;
  readonly error: string | null;
  /** Whether the agent has answered the last message. */
  readonly isIdle: boolean;
}

/** The transcript in the events of a session at the Managed Agents API. Unknown events are left out. */
export function readEvents(events: readonly Json[]): ReadEvents {
  const tools = new Map<string, string>();
  const steps: Step[] = [];
  let [input, output, error, isIdle]: [string, string | null, string | null, boolean] = ["", null, null, false];
  for (const event of events) {
    const at = { startedAt: Date.parse(String(event.processed_at ?? "")) || 0, durationMs: 0 };
    switch (event.type) {
      case "user.message":
        input ||= textOf(event.content);
        isIdle = false;
        break;
      case "agent.message":
        output = textOf(event.content);
        steps.push({ type: "model", role: "assistant", text: output, ...at });
        break;
      case "agent.tool_use":
      case "agent.mcp_tool_use": {
        const toolName = String(event.name ?? "");
        tools.set(String(event.id ?? ""), toolName);
        const input = JSON.stringify(event.input ?? {});
        steps.push({ type: "tool_call", role: "assistant", toolName, arguments: input, ...at });
        break;
      }
      case "agent.tool_result":
      case "agent.mcp_tool_result": {
        const toolName = tools.get(String(event.mcp_tool_use_id ?? event.tool_use_id ?? "")) ?? "";
        const isError = event.is_error === true;
        steps.push({ type: "tool_result", role: "tool", toolName, text: textOf(event.content), isError, ...at });
        break;
      }
      case "session.error":
        error = isObject(event.error) ? String(event.error.message ?? "The session failed") : "The session failed";
        steps.push({ type: "error", role: "system", text: error, isError: true, ...at });
        break;
      case "session.status_idle":
        isIdle = true;
        break;
    }
  }
  return { steps, input, output, error, isIdle };
}

function textOf(content: unknown): string {
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return "";
  return content
    .filter(isObject)
    .map((part) => (part.type === "text" ? String(part.text ?? "") : `[${String(part.type ?? "content")}]`))
    .join("\n");
}
