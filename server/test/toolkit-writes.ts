/** Every write of toolkits once, in an order in which each can succeed: its name, request, and sides in the audit log. */
export const TOOLKIT_WRITES: readonly [string, string, string, object | undefined, string][] = [
  ["createToolkit", "POST", "/api/toolkits", { name: "Triage", tools: [{ server: "echo", tool: "echo" }] }, "after"],
  ["updateToolkit", "PATCH", "/api/toolkits?slug=triage", { least_privilege: true }, "both"],
  ["addToolkitTools", "POST", "/api/toolkits/triage/tools", { tools: [{ server: "echo", tool: "x" }] }, "both"],
  ["removeToolkitTool", "DELETE", "/api/toolkits/triage/tools?server=echo&tool=x", undefined, "before"],
  ["addToolkitsToGroup", "POST", "/api/groups/changed/toolkits", { slugs: ["triage"] }, "after"],
  ["removeToolkitFromGroup", "DELETE", "/api/groups/changed/toolkits?slug=triage", undefined, "before"],
  ["deleteToolkit", "DELETE", "/api/toolkits?slug=triage", undefined, "before"],
];
