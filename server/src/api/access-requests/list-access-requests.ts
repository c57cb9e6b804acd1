import { z } from "zod";
import { pageOf, SkipPagination } from "#api/kit/answers";
import { read } from "#api/kit/operation";
import { choiceParameter, limitParameter, offsetParameter, searchParameter } from "#api/kit/parameters";
import { AccessRequestEntry, presentRequest, REQUEST_STATUSES } from "#api/presenters/access-request";
import { countPendingRequests, listRequests } from "#records/access-requests";

/** F31. */
export const listAccessRequests = read({
  id: "listAccessRequests",
  route: "GET /api/access-requests",
  tag: "Access",
  summary: "List access requests",
  description: "Pending ones first, oldest first; then the others, newest first.",
  scope: "admin:read",
  query: {
    status: choiceParameter("Only requests with this status", REQUEST_STATUSES),
    search: searchParameter("Only requests of users, or for servers, whose name contains this text, case-insensitive"),
    skip: offsetParameter("Number of entries to skip"),
    limit: limitParameter,
  },
  answers: {
    200: z.object({
      data: z.array(AccessRequestEntry),
      pending: z.int().meta({ description: "Number of pending requests, regardless of filters", example: 3 }),
      pagination: SkipPagination,
    }),
  },
  refusals: [400],
  onCrash: "Failed to retrieve access requests",
  async run({ db, query: { status, search, skip, limit } }) {
    const rows = await listRequests(db, { status, search }, { skip, limit: limit + 1 });
    const { page, hasMore } = pageOf(rows, limit);
    const pending = await countPendingRequests(db);
    return { status: 200, body: { data: page.map(presentRequest), pending, pagination: { skip, limit, hasMore } } };
  },
});
