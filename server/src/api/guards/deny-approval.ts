import { write } from "#api/kit/operation";
import { pathParameter } from "#api/kit/parameters";
import { DecideApprovalBody, decide, decidedAnswers } from "./decide-approval.ts";

/** F39. */
export const denyApproval = write({
  id: "denyApproval",
  route: "POST /api/guards/approvals/{id}/deny",
  tag: "Guards",
  summary: "Deny a held call",
  description:
    "The waiting call ends with an error that contains the note, and so do identical calls within the next hour. The person who made the call, the owners of the machine user that made it, and API tokens of these people cannot decide: this is a 403.",
  scope: "admin:write",
  path: { id: pathParameter("The approval's ID") },
  body: DecideApprovalBody,
  bodyIsOptional: true,
  answers: decidedAnswers,
  refusals: [400, 404, 409],
  onCrash: "Failed to deny call",
  run: (input) => decide(input, "denyApproval", { id: input.path.id, status: "denied", note: input.body.note }),
});
