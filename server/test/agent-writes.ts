const PROVIDER = { type: "scripted", script: [{ text: "Done" }] };
const AGENT = { name: "Helper", instructions: "Help", model: "scripted", provider: PROVIDER };

const HOOK = { triggers: { webhook: { enabled: true } } };

/** Every write of agents once, in an order in which each can succeed: its name, request, and sides in the audit log. */
export const AGENT_WRITES: readonly [string, string, string, object | undefined, string][] = [
  ["createBackgroundAgent", "POST", "/api/background-agents", AGENT, "after"],
  ["updateBackgroundAgent", "PATCH", "/api/background-agents?slug=helper", { status: "active" }, "both"],
  ["invokeBackgroundAgent", "POST", "/api/background-agents/ready/invoke", { input: "Help" }, "after"],
  ["sendAgentMessage", "POST", "/api/background-agents/ready/sessions/ses_1/messages", { input: "More" }, "after"],
  ["cancelAgentSession", "POST", "/api/background-agents/paused/sessions/ses_2/cancel", undefined, "both"],
  ["updateBackgroundAgent", "PATCH", "/api/background-agents?slug=helper", HOOK, "both"],
  ["rotateAgentSecret", "POST", "/api/background-agents/helper/rotate-secret", { kind: "webhook" }, "after"],
  ["deleteBackgroundAgent", "DELETE", "/api/background-agents?slug=helper", undefined, "before"],
];
