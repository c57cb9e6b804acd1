import { z } from "zod";
import { pageOf, SkipPagination } from "#api/kit/answers";
import { read } from "#api/kit/operation";
import { choiceParameter, limitParameter, offsetParameter, searchParameter, textParameter } from "#api/kit/parameters";
import { ApprovalEntry, presentApproval } from "#api/presenters/approval";
import { countPending, listApprovals } from "#records/approvals";
import { APPROVAL_STATUSES } from "#storage/approval-tables";

/** F39. */
export const listGuardApprovals = read({
  id: "listApprovals",
  route: "GET /api/guards/approvals",
  tag: "Guards",
  summary: "List approvals of held calls",
  description: "Pending ones first, oldest first; then the others, newest first. Without the arguments.",
  scope: "admin:read",
  query: {
    status: choiceParameter("Only approvals with this status; `decided`: all that are not pending", [
      ...APPROVAL_STATUSES,
      "decided",
    ]),
    user: textParameter("Only calls of the user with this email"),
    tool: textParameter("Only calls of this tool, by its name at the server or at the gateway"),
    guard: textParameter("Only calls that this guard held, by its slug"),
    search: searchParameter("Only approvals whose user, server, tool or guard contains this text, case-insensitive"),
    skip: offsetParameter("Number of entries to skip"),
    limit: limitParameter,
  },
  answers: {
    200: z.object({
      data: z.array(ApprovalEntry),
      pending: z.int().meta({ description: "Number of pending approvals, regardless of filters", example: 2 }),
      pagination: SkipPagination,
    }),
  },
  refusals: [400],
  onCrash: "Failed to retrieve approvals",
  async run({ db, query: { skip, limit, ...filter }, context }) {
    const now = context.clock.now();
    const { page, hasMore } = pageOf(await listApprovals(db, filter, now, { skip, limit: limit + 1 }), limit);
    const data = page.map((row) => presentApproval(row, now));
    return { status: 200, body: { data, pending: await countPending(db, now), pagination: { skip, limit, hasMore } } };
  },
});
