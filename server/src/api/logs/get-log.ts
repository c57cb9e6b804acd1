import { z } from "zod";
import type { ApiContext } from "#api/kit/api-context";
import { read } from "#api/kit/operation";
import { flagParameter, pathParameter } from "#api/kit/parameters";
import { LogEntry, presentCall } from "#api/presenters/log-entry";
import type { Snapshot } from "#gateway/snapshot/shape";
import { notFound } from "#lib/errors";
import { findPayload, hasPayload, openPayload } from "#records/call-payloads";
import { findCall, type ListedCall } from "#records/calls";
import { type WriteAuthor, writeTransaction } from "#storage/transaction";

const StoredBody = z.object({
  text: z.string().nullable().describe("The body as JSON text; null if it was too large to scan for secrets"),
  bytes: z.int().meta({ description: "Size of the complete body", example: 210 }),
  is_cut: z.boolean().describe("Whether the stored text is truncated"),
});

const Payload = z
  .object({
    capture: z.enum(["redacted", "full"]).describe("`redacted`: values that look like secrets were removed"),
    request: StoredBody.describe("The request body"),
    response: StoredBody.describe("The final response, without earlier messages of the stream"),
  })
  .meta({ id: "LogPayload", description: "The stored request and response of a call" });

const Moment = z.object({
  event: z.enum(["received", "forwarded", "ended"]).describe("The event"),
  after_ms: z.number().meta({ description: "Milliseconds since the request arrived", example: 0.8 }),
});

const LogDetail = LogEntry.extend({
  gateway_name: z.string().nullable().meta({
    description: "The tool's current name at the gateway; null if the tool no longer exists",
    example: "github__create_issue",
  }),
  timeline: z.array(Moment).describe("The events of the call. Without `forwarded`, no MCP server was contacted"),
  has_payload: z.boolean().describe("Whether the payload is stored"),
  payload: Payload.nullable().describe("The payload; null unless `include_payload` is set and the payload is stored"),
}).meta({ id: "LogDetail", description: "One request at the gateway with all its details" });

const ID = /^(\d{1,15})-(\d{1,15})$/;

/** Decision 0043. */
export const getLog = read({
  id: "getLog",
  route: "GET /api/logs/{id}",
  tag: "Logs",
  summary: "Get one call at the gateway",
  description:
    "Returns a call with its timeline. `include_payload` adds the payload, if the setting `payload_capture` stored it. This also requires the scope `logs:payloads`, and each access is written to the audit log first.",
  scope: "admin:read",
  path: { id: pathParameter("The record's id, as the list gives it", "1798709400000-4711") },
  query: { include_payload: flagParameter("Adds what the call carried; needs the scope `logs:payloads`") },
  answers: { 200: z.object({ data: LogDetail }) },
  refusals: [400, 404],
  onCrash: "Failed to retrieve the call",
  async run({ path, query, context, actor, requestId, address, requireScope }) {
    if (query.include_payload) requireScope("logs:payloads");
    await context.callsStored();
    const [, at, id] = ID.exec(path.id) ?? [];
    const call = await findCall(context.databases.calls, Number(at ?? -1), Number(id ?? -1));
    if (!call) throw notFound.call();
    const payload = query.include_payload ? await readPayload(context, call, { actor, requestId, address }) : null;
    const has_payload = payload !== null || (await hasPayload(context.databases.calls, call.requestId));
    return {
      status: 200,
      body: {
        data: {
          ...presentCall(call),
          gateway_name: gatewayName(context.snapshots.current(), call) ?? null,
          timeline: timelineOf(call),
          has_payload,
          payload,
        },
      },
    };
  },
});

/** D28: the log stores a tool's name at its MCP server. */
function gatewayName(snapshot: Snapshot, { method, serverSlug, tool }: ListedCall): string | undefined {
  if (method !== "tools/call" || serverSlug === undefined || tool === undefined) return undefined;
  const server = snapshot.serversById.get(snapshot.serverIdBySlug.get(serverSlug) ?? "");
  const found = server?.tools.items.find(({ upstreamName }) => upstreamName === tool);
  return found && `${serverSlug}__${found.slug}`;
}

function timelineOf({ forwardedUs, durationUs }: ListedCall): z.input<typeof Moment>[] {
  return [
    { event: "received", after_ms: 0 },
    ...(forwardedUs === undefined ? [] : [{ event: "forwarded" as const, after_ms: forwardedUs / 1000 }]),
    { event: "ended", after_ms: durationUs / 1000 },
  ];
}

/** Follows SEC-9: no access without its audit row. */
async function readPayload(
  { databases, clock, newId, vault }: ApiContext,
  call: ListedCall,
  author: WriteAuthor,
): Promise<z.input<typeof Payload> | null> {
  const row = await findPayload(databases.calls, call.requestId);
  if (!row) return null;
  const target = { kind: "call", id: call.requestId, name: `${call.serverSlug}: ${call.tool ?? call.method}` };
  const after = { user_email: call.userEmail, capture: row.capture };
  await writeTransaction({ db: databases.main, clock, newId }, author, async (_tx, trail) => {
    trail.audit({ operation: "getLog", target, after });
  });
  return { capture: row.capture === "full" ? "full" : "redacted", ...openPayload(vault, row) };
}
