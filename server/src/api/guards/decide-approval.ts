import { z } from "zod";
import { text } from "#api/kit/body-fields";
import type { WriteInput } from "#api/kit/operation";
import { ApprovalEntry, presentApproval, statusOf } from "#api/presenters/approval";
import { notFound, Refusal } from "#lib/errors";
import { APPROVAL_MS, decideApproval, lockApproval, requireDecider } from "#records/approvals";

const LONGEST_NOTE = 1_000;

export const DecideApprovalBody = z
  .object({
    note: text(LONGEST_NOTE).nullable().default(null).describe("A note for the caller and for the history"),
  })
  .meta({ id: "DecideApproval", description: "A decision", example: { note: "Agreed with the team" } });

/** Without the arguments, because the response is stored for its idempotency key. */
export const decidedAnswers = { 200: z.object({ data: ApprovalEntry }) };

type Input = Pick<WriteInput<object, object, object, typeof DecideApprovalBody>, "tx" | "trail" | "actor" | "context">;

/** F17: one decision, by a person who neither made the call nor owns the machine user that did. */
export async function decide(
  { tx, trail, actor, context }: Input,
  operation: string,
  { id, status, note }: { readonly id: string; readonly status: "approved" | "denied"; readonly note: string | null },
) {
  const before = await lockApproval(tx, id);
  if (!before) throw notFound.approval();
  await requireDecider(tx, actor, before);
  const now = context.clock.now();
  const current = statusOf(before, now);
  if (current !== "pending") throw new Refusal("conflict", conflictText(current, before.decided_by));
  const decision = { status, note, decided_by: actor.name, decided_at: now, expires_at: now + APPROVAL_MS };
  const after = await decideApproval(tx, trail, before, decision);
  const { user_email, server_slug, tool, guard_slug } = after;
  trail.audit({
    operation,
    target: { kind: "approval", id, name: `${user_email} ${server_slug}__${tool}` },
    before: { status: "pending" },
    after: { status, note, user_email, server_slug, tool, guard_slug },
  });
  return { status: 200 as const, body: { data: presentApproval(after, now) } };
}

function conflictText(status: "approved" | "denied" | "expired", decidedBy: string | null): string {
  if (status === "expired") return "The approval has expired. The caller can send the call again to request a new one";
  return `The call is already ${status}${decidedBy === null ? "" : ` by ${decidedBy}`}`;
}
