import { z } from "zod";
import { choice, text } from "#api/kit/body-fields";
import { write } from "#api/kit/operation";
import { pathParameter } from "#api/kit/parameters";
import { ApprovalEntry, presentApproval, statusOf } from "#api/presenters/approval";
import { notFound, Refusal } from "#lib/errors";
import { APPROVAL_MS, decideApproval as decide, lockApproval, requireDecider } from "#records/approvals";

const LONGEST_NOTE = 1_000;

const DecideApprovalBody = z
  .object({
    decision: choice(["approve", "deny"]).describe("Whether the call may continue"),
    note: text(LONGEST_NOTE).nullable().default(null).describe("A note for the caller and for the history"),
  })
  .meta({
    id: "DecideApproval",
    description: "A decision",
    example: { decision: "approve", note: "Agreed with the team" },
  });

/** F17: one decision, by a person who neither made the call nor owns the machine user that did. */
export const decideApproval = write({
  id: "decideApproval",
  route: "POST /api/guards/approvals/{id}/decision",
  tag: "Guards",
  summary: "Approve or deny a held call",
  description:
    "`approve`: the waiting call continues. If it no longer waits, the next call of the same user and tool with identical arguments passes, once and within an hour. `deny`: the waiting call ends with an error that contains the note, and so do identical calls within the next hour. The person who made the call, the owners of the machine user that made it, and API tokens of these people cannot decide: this is a 403.",
  scope: "admin:write",
  path: { id: pathParameter("The approval's ID") },
  body: DecideApprovalBody,
  // Without the arguments, because the response is stored for its idempotency key.
  answers: { 200: z.object({ data: ApprovalEntry }) },
  refusals: [400, 404, 409],
  onCrash: "Failed to decide about call",
  async run({ tx, trail, actor, context, path: { id }, body: { decision, note } }) {
    const before = await lockApproval(tx, id);
    if (!before) throw notFound.approval();
    await requireDecider(tx, actor, before);
    const now = context.clock.now();
    const current = statusOf(before, now);
    if (current !== "pending") throw new Refusal("conflict", conflictText(current, before.decided_by));
    const status = decision === "approve" ? "approved" : "denied";
    const decided = { status, note, decided_by: actor.name, decided_at: now, expires_at: now + APPROVAL_MS } as const;
    const after = await decide(tx, trail, before, decided);
    const { user_email, server_slug, tool, guard_slug } = after;
    trail.audit({
      operation: "decideApproval",
      target: { kind: "approval", id, name: `${user_email} ${server_slug}__${tool}` },
      before: { status: "pending" },
      after: { status, note, user_email, server_slug, tool, guard_slug },
    });
    return { status: 200, body: { data: presentApproval(after, now) } };
  },
});

function conflictText(status: "approved" | "denied" | "expired", decidedBy: string | null): string {
  if (status === "expired") return "The approval has expired. The caller can send the call again to request a new one";
  return `The call is already ${status}${decidedBy === null ? "" : ` by ${decidedBy}`}`;
}
