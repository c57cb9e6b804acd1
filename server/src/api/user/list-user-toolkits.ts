import { z } from "zod";
import { read } from "#api/kit/operation";
import { UsableToolkit, usableToolkits } from "#api/presenters/user-toolkits";
import { notFound } from "#lib/errors";
import { findUser } from "#records/users";
import { USER_AND_SERVER } from "./schema.ts";

/** Families 1 and 2. */
export const listUserToolkits = read({
  id: "listUserToolkits",
  route: "GET /api/user/toolkits",
  tag: "User API",
  summary: "List the toolkits that a user can select",
  description: "Active toolkits of the user's groups by slug, and all own toolkits.",
  scope: "connect:read",
  query: { email: USER_AND_SERVER.email },
  answers: { 200: z.object({ data: z.array(UsableToolkit) }) },
  refusals: [400, 404],
  onCrash: "Failed to retrieve toolkits",
  async run({ db, query }) {
    const user = await findUser(db, query.email);
    if (!user) throw notFound.user(query.email);
    return { status: 200, body: { data: await usableToolkits(db, user) } };
  },
});
