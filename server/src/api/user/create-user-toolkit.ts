import { z } from "zod";
import { write } from "#api/kit/operation";
import { Toolkit, toolkitWarningsField } from "#api/presenters/toolkit";
import { OwnToolkitBody } from "#api/presenters/toolkit-body";
import { createOwnToolkit } from "#api/presenters/user-toolkits";
import { notFound } from "#lib/errors";
import { findUser } from "#records/users";
import { USER_AND_SERVER } from "./schema.ts";

/** Families 1 and 2. */
export const createUserToolkit = write({
  id: "createUserToolkit",
  route: "POST /api/user/toolkits",
  tag: "User API",
  summary: "Create a toolkit of a user",
  description: "Only its owner can use it. It can select only what the owner's groups grant.",
  scope: "connect:write",
  query: { email: USER_AND_SERVER.email },
  body: OwnToolkitBody,
  answers: { 201: z.object({ data: Toolkit, warnings: toolkitWarningsField }) },
  refusals: [400, 404, 409],
  onCrash: "Failed to create toolkit",
  async run({ tx, trail, body, context, query, checkContent }) {
    const user = await findUser(tx, query.email);
    if (!user) throw notFound.user(query.email);
    return {
      status: 201,
      body: await createOwnToolkit({ tx, trail, context, checkContent, user, operation: "createUserToolkit" }, body),
    };
  },
});
