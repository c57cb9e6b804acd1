import { z } from "zod";
import { write } from "#api/kit/operation";
import { targetParameter } from "#api/kit/parameters";
import { Toolkit, toolkitWarningsField } from "#api/presenters/toolkit";
import { UpdateOwnToolkitBody } from "#api/presenters/toolkit-body";
import { changeOwnToolkit } from "#api/presenters/user-toolkits";
import { notFound } from "#lib/errors";
import { findUser } from "#records/users";
import { USER_AND_SERVER } from "./schema.ts";

/** Families 1 and 2. */
export const updateUserToolkit = write({
  id: "updateUserToolkit",
  route: "PATCH /api/user/toolkits",
  tag: "User API",
  summary: "Update a toolkit of a user",
  description: "Omitted fields keep their values; lists are replaced.",
  scope: "connect:write",
  query: {
    email: USER_AND_SERVER.email,
    slug: targetParameter("The toolkit's slug", "triage"),
  },
  body: UpdateOwnToolkitBody,
  answers: { 200: z.object({ data: Toolkit, warnings: toolkitWarningsField }) },
  refusals: [400, 404],
  onCrash: "Failed to update toolkit",
  async run({ tx, trail, query, body, context, checkContent }) {
    const user = await findUser(tx, query.email);
    if (!user) throw notFound.user(query.email);
    const write = { tx, trail, context, checkContent, user, operation: "updateUserToolkit" };
    return { status: 200, body: await changeOwnToolkit(write, query.slug, body) };
  },
});
