import { z } from "zod";
import { read } from "#api/kit/operation";
import { pathParameter } from "#api/kit/parameters";
import { ApprovalEntry, presentApproval } from "#api/presenters/approval";
import { notFound, Refusal } from "#lib/errors";
import { decisionBarrier, findApproval, openArguments } from "#records/approvals";

export const Approval = ApprovalEntry.extend({
  arguments: z
    .record(z.string(), z.unknown())
    .nullable()
    .describe(
      "The arguments that the server would receive. Null if the caller may not decide, or 30 days after the decision",
    ),
  arguments_json: z
    .string()
    .nullable()
    .describe("The exact text of the arguments, for numbers and spaces that JSON parsers change"),
  may_decide: z.boolean().describe("Whether the caller may decide about this call, apart from its status"),
  cannot_decide_because: z.string().nullable().describe("Why the caller may not decide; null if they may"),
}).meta({ id: "Approval", description: "A call that a guard held, with its arguments" });

const NEEDS_ADMIN = "Only owners and admins can decide";

/** F39. */
export const getApproval = read({
  id: "getApproval",
  route: "GET /api/guards/approvals/{id}",
  tag: "Guards",
  summary: "Get one approval with the exact arguments",
  description:
    "The arguments are included only for callers who may decide: they need `admin:write`, and they cannot have made the call or own the machine user that did.",
  scope: "admin:read",
  path: { id: pathParameter("The approval's ID") },
  answers: { 200: z.object({ data: Approval }) },
  refusals: [404],
  onCrash: "Failed to retrieve approval",
  async run({ db, path, actor, context, requireScope }) {
    const row = await findApproval(db, path.id);
    if (!row) throw notFound.approval();
    const barrier = (await decisionBarrier(db, actor, row)) ?? (mayWrite(requireScope) ? undefined : NEEDS_ADMIN);
    const text = barrier === undefined ? openArguments(context.vault, row) : undefined;
    const data = {
      ...presentApproval(row, context.clock.now()),
      arguments: text === undefined ? null : JSON.parse(text),
      arguments_json: text ?? null,
      may_decide: barrier === undefined,
      cannot_decide_because: barrier ?? null,
    };
    return { status: 200, body: { data } };
  },
});

function mayWrite(requireScope: (scope: "admin:write") => void): boolean {
  try {
    requireScope("admin:write");
    return true;
  } catch (error) {
    if (error instanceof Refusal) return false;
    throw error;
  }
}
