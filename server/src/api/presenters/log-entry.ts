import { z } from "zod";
import { isoTime, timestamp } from "#api/kit/answers";
import { AUTH_METHODS, CALL_GUARD_ACTIONS, CALL_OUTCOMES } from "#lib/call-vocabulary";
import type { ListedCall } from "#records/calls";

const OUTCOME_DESCRIPTION =
  "The outcome. `ok`: success. `tool_error`: the tool reported an error in its result. `error`: the MCP server answered " +
  "with a JSON-RPC error, or the request was invalid. `denied`: the caller has no access. `upstream_failed`: the MCP " +
  "server is unavailable. `timeout`: no response in time. `cancelled`: canceled by the caller. `interrupted`: Gatehouse " +
  "stopped during the call. `not_connected`: the caller has not connected an account. `blocked`: a guard blocked the " +
  "request or the response. `pending_approval`: a guard holds the call until a person approves it";

/** D22: one request at the gateway, attributed to its caller (Spec 4.5 rule 4). */
export const LogEntry = z
  .object({
    id: z.string().meta({ description: "The ID of the log entry", example: "1798709400000-4711" }),
    ts: timestamp("Time at which the request arrived"),
    user_id: z.string().describe("The caller's ID"),
    user_email: z.string().meta({ description: "The caller's email at that time", example: "ada@example.com" }),
    server_slug: z
      .string()
      .nullable()
      .meta({ description: "The MCP server; null if the request has no server", example: "github" }),
    tool: z
      .string()
      .nullable()
      .meta({ description: "The tool; null if the request has no tool", example: "create_issue" }),
    method: z.string().meta({ description: "The MCP method", example: "tools/call" }),
    outcome: z.enum(CALL_OUTCOMES).describe(OUTCOME_DESCRIPTION),
    duration_ms: z
      .number()
      .meta({ description: "Milliseconds from the arrival of the request to the end of the response", example: 84 }),
    request_bytes: z.int().meta({ description: "Size of the request body", example: 210 }),
    response_bytes: z.int().meta({ description: "Size of the response body", example: 1843 }),
    request_id: z.string().describe("The request ID, as in the response header `x-request-id`"),
    error: z.string().nullable().describe("The error message; null if there was no error"),
    via: z.enum(AUTH_METHODS).meta({
      description:
        "How the caller authenticated: `machine_key` with an access key, `oauth` with an MCP client that signed in, `exchange` with a token of a trusted issuer, `app` in the playground, `agent` as a session of an agent, `library` with a token for git and scripts",
      example: "machine_key",
    }),
    auth: z.string().meta({
      description: "As `via`; for exchanged tokens followed by a colon and the slug of the trusted issuer",
      example: "exchange:github-actions",
    }),
    client_id: z
      .string()
      .nullable()
      .describe(
        "The OAuth client ID of the MCP client, the slug of the trusted issuer, or the name of the token for git and scripts; null for others",
      ),
    agent_slug: z.string().nullable().describe("The agent that made the call; null if none did"),
    agent_session_id: z.string().nullable().describe("The session of the agent; null if no agent made the call"),
    trace_id: z.string().nullable().describe("The W3C trace ID; null if the request has none"),
    toolkit_slug: z
      .string()
      .nullable()
      .describe("The toolkit that the request used, or that limits the server for this user; null if there is none"),
    exposed_tool: z
      .string()
      .nullable()
      .describe("The tool's name in that toolkit, without the server's prefix; null if it has the name in `tool`"),
    toolkit_conflict: z
      .string()
      .nullable()
      .describe(
        "Another toolkit that has something under the same name; the toolkit whose slug is first in the alphabet decides. Null if there is none",
      ),
    guard_slug: z.string().nullable().describe("The guard that acted on the call; null if there is none"),
    guard_action: z.enum(CALL_GUARD_ACTIONS).nullable().describe("What the guard did; null if no guard found anything"),
    approval_id: z.string().nullable().describe("The approval that the call required; null if it required none"),
    guard_findings: z
      .array(
        z.object({
          guard_slug: z.string().describe("The guard"),
          check_name: z.string().describe("The name of the check in the guard"),
          direction: z.enum(["request", "response"]).describe("Where it found something"),
          count: z.int().describe("How often"),
        }),
      )
      .describe("Which checks found something, without the matched text"),
  })
  .meta({ id: "LogEntry", description: "One request at the gateway with its caller and outcome" });

export function presentCall(call: ListedCall): z.input<typeof LogEntry> {
  return {
    id: `${call.at}-${call.id}`,
    ts: isoTime(call.at),
    user_id: call.userId,
    user_email: call.userEmail,
    server_slug: call.serverSlug ?? null,
    tool: call.tool ?? null,
    method: call.method,
    outcome: call.outcome,
    duration_ms: call.durationUs / 1000,
    request_bytes: call.requestBytes,
    response_bytes: call.responseBytes,
    request_id: call.requestId,
    error: call.error ?? null,
    via: call.via ?? "machine_key",
    auth: call.via === "exchange" ? `exchange:${call.client ?? ""}` : (call.via ?? "machine_key"),
    ...clientOf(call),
    trace_id: call.traceId ?? null,
    toolkit_slug: call.toolkit ?? null,
    exposed_tool: call.exposedTool ?? null,
    toolkit_conflict: call.toolkitConflict ?? null,
    guard_slug: call.guard?.slug ?? null,
    guard_action: call.guard?.action ?? null,
    approval_id: call.guard?.approvalId ?? null,
    guard_findings: (call.guard?.findings ?? []).map(({ guard, check, direction, count }) => ({
      ...{ guard_slug: guard, check_name: check, direction, count },
    })),
  };
}

/** The log stores the slug of an agent as its client. */
function clientOf({ via, client, agentSession }: ListedCall) {
  const isAgent = via === "agent";
  const noClient = { client_id: null, agent_slug: null, agent_session_id: agentSession ?? null };
  return isAgent ? { ...noClient, agent_slug: client ?? null } : { ...noClient, client_id: client ?? null };
}
