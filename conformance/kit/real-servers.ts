/** Real MCP servers from npm that need no network, with calls whose results are the same each time. */
import { mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

export interface RealServer {
  readonly name: string;
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly calls: readonly (readonly [tool: string, args: Readonly<Record<string, unknown>>])[];
}

/** The same for all uses, because results contain its path. */
const FILES = await mkdtemp(join(tmpdir(), "gatehouse-files-"));
const NOTE = join(FILES, "note.txt");
await writeFile(NOTE, "One\nline\n");

const THOUGHT = { thought: "First", nextThoughtNeeded: true, thoughtNumber: 1, totalThoughts: 2 };
const ENTITY = { name: "Ada", entityType: "person", observations: ["writes programs"] };
const TASKS = [{ title: "One", description: "The first" }];
const TIME = "2025-01-02 03:04:05";

/** By the program. Some calls fail: with an error of the protocol, or with one of the tool. */
const CALLS: Readonly<Record<string, RealServer["calls"]>> = {
  "mcp-server-everything": [
    ["echo", { message: "Grüße, 世界 \u2028" }],
    ["get-sum", { a: 2, b: 40 }],
    ["get-sum", { a: "two" }],
    ["get-tiny-image", {}],
    ["get-annotated-message", { messageType: "error", includeImage: true }],
    ["get-structured-content", { location: "New York" }],
    ["get-resource-links", { count: 3 }],
  ],
  "mcp-server-filesystem": [
    ["read_text_file", { path: NOTE }],
    ["read_text_file", { path: "/etc/passwd" }],
    ["read_text_file", {}],
    ["list_directory", { path: FILES }],
    ["search_files", { path: FILES, pattern: "*.txt" }],
    ["edit_file", { path: NOTE, edits: [{ oldText: "One", newText: "Two" }], dryRun: true }],
    ["list_allowed_directories", {}],
  ],
  "mcp-server-memory": [
    ["read_graph", {}],
    ["create_entities", { entities: [ENTITY] }],
    ["add_observations", { observations: [{ entityName: "Grace", contents: ["x"] }] }],
    ["search_nodes", { query: "ada" }],
    ["delete_entities", { entityNames: ["Ada"] }],
    ["read_graph", {}],
  ],
  "mcp-server-sequential-thinking": [
    ["sequentialthinking", THOUGHT],
    ["sequentialthinking", { ...THOUGHT, thoughtNumber: 2, branchFromThought: 1, branchId: "b" }],
    ["sequentialthinking", { thought: 1 }],
  ],
  "mcp-budget-allocator-server": [["get-budget-data", { unknown: true }]],
  "mcp-scenario-modeler-server": [
    ["get-scenario-data", {}],
    ["get-scenario-data", { customInputs: { startingMRR: "many" } }],
  ],
  "time-mcp": [
    ["days_in_month", { date: "2024-02-10" }],
    ["get_timestamp", { time: TIME }],
    ["convert_time", { sourceTimezone: "UTC", targetTimezone: "Asia/Tokyo", time: TIME }],
    ["get_week_year", { date: "2025-12-31" }],
    ["days_in_month", { date: 7 }],
  ],
  "mcp-taskmanager": [
    ["list_requests", {}],
    ["request_planning", { originalRequest: "Build", tasks: TASKS }],
    ["get_next_task", { requestId: "req-1" }],
    ["mark_task_done", { requestId: "req-1", taskId: "task-9" }],
    ["open_task_details", { taskId: "task-1" }],
    ["delete_task", { requestId: 1 }],
  ],
  "calculator-mcp": [
    ["add", { a: 0.1, b: 0.2 }],
    ["div", { a: 1, b: 0 }],
    ["sqrt", { a: -1 }],
    ["mul", { a: "x", b: 2 }],
    ["mod", { a: 7, b: 4 }],
  ],
  "mcp-server-commands": [
    ["run_command", { command: "printf 'a\\nb'" }],
    ["run_command", { command: "exit 3" }],
    ["run_command", { command: "cat", stdin: "given" }],
  ],
};
const ARGS: Readonly<Record<string, readonly string[]>> = {
  "mcp-server-filesystem": [FILES],
  "mcp-budget-allocator-server": ["--stdio"],
  "mcp-scenario-modeler-server": ["--stdio"],
};

/** Each use has its own folder, because two of the servers store what they receive. */
export async function realServers(): Promise<RealServer[]> {
  const folder = await mkdtemp(join(tmpdir(), "gatehouse-servers-"));
  const env = { MEMORY_FILE_PATH: join(folder, "memory.json"), TASK_MANAGER_FILE_PATH: join(folder, "tasks.json") };
  return Object.entries(CALLS).map(([program, calls]) => ({
    name: program,
    command: process.execPath,
    args: [fileURLToPath(new URL(`../node_modules/.bin/${program}`, import.meta.url)), ...(ARGS[program] ?? [])],
    env,
    calls,
  }));
}
