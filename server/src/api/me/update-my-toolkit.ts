import { z } from "zod";
import { write } from "#api/kit/operation";
import { targetParameter } from "#api/kit/parameters";
import { personOf } from "#api/kit/web-session";
import { Toolkit, toolkitWarningsField } from "#api/presenters/toolkit";
import { UpdateOwnToolkitBody } from "#api/presenters/toolkit-body";
import { changeOwnToolkit } from "#api/presenters/user-toolkits";

/** Families 1 and 2. */
export const updateMyToolkit = write({
  id: "updateMyToolkit",
  route: "PATCH /api/me/toolkits",
  tag: "Me",
  summary: "Update a toolkit of the caller",
  description: "Omitted fields keep their values; lists are replaced.",
  scope: "any",
  callers: "people",
  query: { slug: targetParameter("The toolkit's slug", "triage") },
  body: UpdateOwnToolkitBody,
  answers: { 200: z.object({ data: Toolkit, warnings: toolkitWarningsField }) },
  refusals: [400, 404],
  onCrash: "Failed to update toolkit",
  async run({ tx, trail, query, body, context, visitor, checkContent }) {
    const { user } = personOf(visitor);
    const write = { tx, trail, context, checkContent, user, operation: "updateMyToolkit" };
    return { status: 200, body: await changeOwnToolkit(write, query.slug, body) };
  },
});
