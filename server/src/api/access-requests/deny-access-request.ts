import { z } from "zod";
import { text } from "#api/kit/body-fields";
import { write } from "#api/kit/operation";
import { pathParameter } from "#api/kit/parameters";
import { AccessRequestEntry, presentRequest } from "#api/presenters/access-request";
import { notFound } from "#lib/errors";
import { findRequest, settleRequest } from "#records/access-requests";
import { emailDecision } from "./email-decision.ts";
import { LONGEST_NOTE, lockUndecided } from "./undecided.ts";

export const DenyAccessRequestBody = z
  .object({
    note: text(LONGEST_NOTE).nullable().default(null).describe("Why it is denied, for the person"),
  })
  .meta({
    id: "DenyAccessRequest",
    description: "A decision",
    example: { note: "Use the shared dashboard instead" },
  });

/** F31. */
export const denyAccessRequest = write({
  id: "denyAccessRequest",
  route: "POST /api/access-requests/{id}/deny",
  tag: "Access",
  summary: "Deny an access request",
  description: "The person sees the decision and the note.",
  scope: "admin:write",
  path: { id: pathParameter("The request's ID") },
  body: DenyAccessRequestBody,
  bodyIsOptional: true,
  answers: { 200: z.object({ data: AccessRequestEntry }) },
  refusals: [400, 404, 409],
  onCrash: "Failed to deny access request",
  async run({ tx, trail, path, body, actor, context }) {
    const request = await lockUndecided(tx, path.id);
    const decided = { decided_by: actor.name, decided_at: context.clock.now(), message: body.note };
    await settleRequest(tx, request.id, { status: "denied", group_name: null, ...decided });
    const denied = await findRequest(tx, request.id);
    if (!denied) throw notFound.accessRequest();
    const data = presentRequest(denied);
    trail.audit({
      operation: "denyAccessRequest",
      target: { kind: "access-request", id: request.id, name: `${data.email} ${data.server}` },
      before: { status: "pending" },
      after: { status: "denied", note: body.note },
    });
    await emailDecision(tx, context, { userId: request.user_id, data });
    return { status: 200, body: { data } };
  },
});
