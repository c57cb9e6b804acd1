import { z } from "zod";
import { write } from "#api/kit/operation";
import { personOf } from "#api/kit/web-session";
import { Toolkit, toolkitWarningsField } from "#api/presenters/toolkit";
import { OwnToolkitBody } from "#api/presenters/toolkit-body";
import { createOwnToolkit } from "#api/presenters/user-toolkits";

/** Families 1 and 2. */
export const createMyToolkit = write({
  id: "createMyToolkit",
  route: "POST /api/me/toolkits",
  tag: "Me",
  summary: "Create a toolkit of the caller",
  description: "Only its owner can use it. It can select only what the owner's groups grant.",
  scope: "any",
  callers: "people",
  body: OwnToolkitBody,
  answers: { 201: z.object({ data: Toolkit, warnings: toolkitWarningsField }) },
  refusals: [400, 409],
  onCrash: "Failed to create toolkit",
  async run({ tx, trail, body, context, visitor, checkContent }) {
    const { user } = personOf(visitor);
    return {
      status: 201,
      body: await createOwnToolkit({ tx, trail, context, checkContent, user, operation: "createMyToolkit" }, body),
    };
  },
});
