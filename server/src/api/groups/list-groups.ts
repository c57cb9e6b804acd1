import { z } from "zod";
import { pageOf, SkipPagination } from "#api/kit/answers";
import { read } from "#api/kit/operation";
import { limitParameter, offsetParameter, searchParameter } from "#api/kit/parameters";
import { listGroups as listRows } from "#records/groups";
import { Group, presentGroup } from "./schema.ts";

/** Spec 4.3. */
export const listGroups = read({
  id: "listGroups",
  route: "GET /api/groups",
  tag: "Groups",
  summary: "List groups",
  description: "Oldest first.",
  scope: "admin:read",
  query: {
    skip: offsetParameter("Number of groups to skip"),
    limit: limitParameter,
    search: searchParameter("Only groups whose name contains this text, case-insensitive"),
  },
  answers: { 200: z.object({ data: z.array(Group), pagination: SkipPagination }) },
  refusals: [400],
  onCrash: "Failed to retrieve groups",
  async run({ db, query }) {
    const { skip, limit, search } = query;
    const { page, hasMore } = pageOf(await listRows(db, { search, skip, limit: limit + 1 }), limit);
    return { status: 200, body: { data: page.map(presentGroup), pagination: { skip, limit, hasMore } } };
  },
});
