import { z } from "zod";
import { read } from "#api/kit/operation";
import { lastSegmentParameter } from "#api/kit/parameters";
import { notFound } from "#lib/errors";
import { findUserWithLinks } from "#records/users";
import { presentUser, User } from "./schema.ts";

/** Decision 0052. Fixed paths such as `/api/users/clients` take precedence; none of them is an email. */
export const getUser = read({
  id: "getUser",
  route: "GET /api/users/{email}",
  tag: "Users",
  summary: "Get one person or machine user",
  description:
    "Returns the user as the list of users does, without credentials. An addition to the first API contract.",
  scope: "admin:read",
  path: { email: lastSegmentParameter("The user's email, case-insensitive", "ada@example.com") },
  answers: { 200: z.object({ data: User }) },
  refusals: [400, 404],
  onCrash: "Failed to retrieve user",
  async run({ db, path }) {
    const user = await findUserWithLinks(db, path.email);
    if (!user) throw notFound.user(path.email);
    return { status: 200, body: { data: presentUser(user) } };
  },
});
