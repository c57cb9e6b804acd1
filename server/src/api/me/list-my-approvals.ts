import { z } from "zod";
import { pageOf, SkipPagination } from "#api/kit/answers";
import { read } from "#api/kit/operation";
import { limitParameter, offsetParameter, textParameter } from "#api/kit/parameters";
import { personOf } from "#api/kit/web-session";
import { MyApproval, presentMyApproval } from "#api/presenters/approval";
import { listApprovals } from "#records/approvals";
import { ownedUserIds } from "#records/users";

/** F17. */
export const listMyApprovals = read({
  id: "listMyApprovals",
  route: "GET /api/me/approvals",
  tag: "Me",
  summary: "List the caller's calls that guards held, and the decisions",
  description: "Includes machine users that the person owns. Pending ones first, then the others, newest first.",
  scope: "any",
  callers: "people",
  query: {
    id: textParameter("Only the approval with this ID"),
    skip: offsetParameter("Number of entries to skip"),
    limit: limitParameter,
  },
  answers: { 200: z.object({ data: z.array(MyApproval), pagination: SkipPagination }) },
  refusals: [400],
  onCrash: "Failed to retrieve approvals",
  async run({ db, query: { id, skip, limit }, visitor, context }) {
    const { user } = personOf(visitor);
    const now = context.clock.now();
    const filter = { id, userIds: [user.id, ...(await ownedUserIds(db, user.id))] };
    const { page, hasMore } = pageOf(await listApprovals(db, filter, now, { skip, limit: limit + 1 }), limit);
    const data = page.map((row) => presentMyApproval(row, now));
    return { status: 200, body: { data, pagination: { skip, limit, hasMore } } };
  },
});
