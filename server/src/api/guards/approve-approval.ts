import { write } from "#api/kit/operation";
import { pathParameter } from "#api/kit/parameters";
import { DecideApprovalBody, decide, decidedAnswers } from "./decide-approval.ts";

/** F39. */
export const approveApproval = write({
  id: "approveApproval",
  route: "POST /api/guards/approvals/{id}/approve",
  tag: "Guards",
  summary: "Approve a held call",
  description:
    "The waiting call continues. If it no longer waits, the next call of the same user and tool with identical arguments passes, once and within an hour. The person who made the call, the owners of the machine user that made it, and API tokens of these people cannot decide: this is a 403.",
  scope: "admin:write",
  path: { id: pathParameter("The approval's ID") },
  body: DecideApprovalBody,
  bodyIsOptional: true,
  answers: decidedAnswers,
  refusals: [400, 404, 409],
  onCrash: "Failed to approve call",
  run: (input) => decide(input, "approveApproval", { id: input.path.id, status: "approved", note: input.body.note }),
});
