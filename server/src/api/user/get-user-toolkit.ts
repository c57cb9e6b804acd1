import { z } from "zod";
import { read } from "#api/kit/operation";
import { lastSegmentParameter } from "#api/kit/parameters";
import { Toolkit } from "#api/presenters/toolkit";
import { findOwnToolkit } from "#api/presenters/user-toolkits";
import { notFound } from "#lib/errors";
import { findUser } from "#records/users";
import { USER_AND_SERVER } from "./schema.ts";

/** Families 1 and 2. */
export const getUserToolkit = read({
  id: "getUserToolkit",
  route: "GET /api/user/toolkits/{slug}",
  tag: "User API",
  summary: "Get a toolkit of a user",
  description: "Only toolkits that the user owns.",
  scope: "connect:read",
  path: { slug: lastSegmentParameter("The toolkit's slug", "triage") },
  query: { email: USER_AND_SERVER.email },
  answers: { 200: z.object({ data: Toolkit }) },
  refusals: [400, 404],
  onCrash: "Failed to retrieve toolkit",
  async run({ db, path, context, query }) {
    const user = await findUser(db, query.email);
    if (!user) throw notFound.user(query.email);
    return { status: 200, body: { data: await findOwnToolkit(db, context, user, path.slug) } };
  },
});
