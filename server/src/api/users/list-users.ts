import { z } from "zod";
import { pageOf, SkipPagination } from "#api/http/answers";
import { read } from "#api/http/operation";
import { limitParameter, offsetParameter, searchParameter } from "#api/http/parameters";
import { listUsers as listRows } from "#records/users";
import { presentUser, User } from "./schema.ts";

/** Spec 4.4. */
export const listUsers = read({
  id: "listUsers",
  route: "GET /api/users",
  tag: "Users",
  summary: "List people and machine users",
  description: "Oldest first.",
  scope: "admin:read",
  query: {
    skip: offsetParameter("How many users to pass over"),
    limit: limitParameter,
    search: searchParameter("Only users whose name or e-mail holds this text, in any case"),
  },
  answers: { 200: z.object({ data: z.array(User), pagination: SkipPagination }) },
  refusals: [400],
  onCrash: "Failed to retrieve users",
  async run({ db, query }) {
    const { skip, limit, search } = query;
    const { page, hasMore } = pageOf(await listRows(db, { search, skip, limit: limit + 1 }), limit);
    return { status: 200, body: { data: page.map(presentUser), pagination: { skip, limit, hasMore } } };
  },
});
