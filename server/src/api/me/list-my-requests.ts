import { z } from "zod";
import { pageOf, SkipPagination } from "#api/kit/answers";
import { read } from "#api/kit/operation";
import { limitParameter, offsetParameter } from "#api/kit/parameters";
import { personOf } from "#api/kit/web-session";
import { AccessRequestEntry, presentRequest } from "#api/presenters/access-request";
import { listRequests } from "#records/access-requests";

/** F31. */
export const listMyRequests = read({
  id: "listMyRequests",
  route: "GET /api/me/requests",
  tag: "Me",
  summary: "List the caller's access requests and their decisions",
  description: "Pending ones first, then the others, newest first.",
  scope: "any",
  callers: "people",
  query: { skip: offsetParameter("Number of entries to skip"), limit: limitParameter },
  answers: { 200: z.object({ data: z.array(AccessRequestEntry), pagination: SkipPagination }) },
  refusals: [400],
  onCrash: "Failed to retrieve access requests",
  async run({ db, query: { skip, limit }, visitor }) {
    const filter = { userId: personOf(visitor).user.id };
    const { page, hasMore } = pageOf(await listRequests(db, filter, { skip, limit: limit + 1 }), limit);
    return { status: 200, body: { data: page.map(presentRequest), pagination: { skip, limit, hasMore } } };
  },
});
