import { z } from "zod";
import { requiredText, text } from "#api/kit/body-fields";
import { write } from "#api/kit/operation";
import { personOf } from "#api/kit/web-session";
import { AccessRequestEntry, presentRequest } from "#api/presenters/access-request";
import { invalid, notFound, Refusal, unknownReferences } from "#lib/errors";
import { deleteOldRequests, findRequest, insertRequest, pendingRequestsOf } from "#records/access-requests";
import { deciders, queueEmails } from "#records/emails";
import { selectableToolsOf } from "#records/server-tools";
import { grantedTo, requireAccessRequests, requireRequestableServer } from "./catalog.ts";

const MOST_TOOLS = 200;
const MOST_PENDING = 50;
const LONGEST_REASON = 1_000;

export const CreateAccessRequestBody = z
  .object({
    server: requiredText("server").describe("The server's slug"),
    tools: z
      .array(text(), { error: "must be an array" })
      .max(MOST_TOOLS, { error: `must contain at most ${MOST_TOOLS} tools` })
      .default([])
      .describe("Only these tools, by name at the server. Empty: the whole server"),
    reason: requiredText("reason", LONGEST_REASON).describe("Why access is needed"),
  })
  .meta({
    id: "CreateAccessRequest",
    description: "A request for access",
    example: { server: "github", tools: [], reason: "To file issues during on-call" },
  });

/** F31. */
export const createMyRequest = write({
  id: "createMyRequest",
  route: "POST /api/me/requests",
  tag: "Me",
  summary: "Request access to an MCP server or to some of its tools",
  description: "Admins approve or deny it. Requires the setting `access_requests`.",
  scope: "any",
  callers: "people",
  body: CreateAccessRequestBody,
  answers: { 201: z.object({ data: AccessRequestEntry }) },
  refusals: [400, 404, 409],
  onCrash: "Failed to create access request",
  async run({ tx, trail, body, visitor, context }) {
    await requireAccessRequests(tx);
    const { user } = personOf(visitor);
    const server = await requireRequestableServer(tx, body.server);
    const known = ((await selectableToolsOf(tx, [server.id])).get(server.id) ?? []).map((tool) => tool.upstream_name);
    const tools = [...new Set(body.tools)];
    const unknown = tools.filter((name) => !known.includes(name));
    if (unknown.length > 0) throw unknownReferences("Tools", unknown);
    const { isReached, grants } = grantedTo(context, visitor)(server.id);
    if (isReached && (tools.length > 0 ? tools : known).every(grants))
      throw invalid("server", `you already have access to ${server.name}`);
    if ((await pendingRequestsOf(tx, user.id)).length >= MOST_PENDING)
      throw new Refusal("conflict", `You have ${MOST_PENDING} pending requests; wait for a decision, or withdraw some`);
    const id = context.newId("acr");
    const row = {
      ...{ id, user_id: user.id, server_id: server.id, tool_names: tools, reason: body.reason.trim() },
      ...({ status: "pending", message: null, group_name: null, decided_by: null, decided_at: null } as const),
      created_at: context.clock.now(),
    };
    if (!(await insertRequest(tx, row)))
      throw new Refusal("conflict", `You have already requested access to ${server.name}`);
    await deleteOldRequests(tx, user.id);
    const request = await findRequest(tx, id);
    if (!request) throw notFound.accessRequest();
    trail.audit({
      operation: "createMyRequest",
      target: { kind: "access-request", id, name: `${user.email} ${server.slug}` },
      after: { server: server.slug, tools, reason: row.reason },
    });
    await queueEmails(tx, context.newId, {
      ...{ kind: "access_requested", recipients: await deciders(tx, [user.id]), now: row.created_at },
      data: { person: `${user.name} (${user.email})`, server: server.name, reason: row.reason },
    });
    trail.emit("access.requested", {
      request_id: id,
      person: { email: user.email, name: user.name },
      server: { slug: server.slug, name: server.name },
      tools,
      reason: row.reason,
    });
    return { status: 201, body: { data: presentRequest(request) } };
  },
});
