import { z } from "zod";
import { read } from "#api/kit/operation";
import { lastSegmentParameter } from "#api/kit/parameters";
import { personOf } from "#api/kit/web-session";
import { Toolkit } from "#api/presenters/toolkit";
import { findOwnToolkit } from "#api/presenters/user-toolkits";

/** Families 1 and 2. */
export const getMyToolkit = read({
  id: "getMyToolkit",
  route: "GET /api/me/toolkits/{slug}",
  tag: "Me",
  summary: "Get a toolkit of the caller",
  description: "Only toolkits that the caller owns.",
  scope: "any",
  callers: "people",
  path: { slug: lastSegmentParameter("The toolkit's slug", "triage") },
  answers: { 200: z.object({ data: Toolkit }) },
  refusals: [400, 404],
  onCrash: "Failed to retrieve toolkit",
  async run({ db, path, context, visitor }) {
    const { user } = personOf(visitor);
    return { status: 200, body: { data: await findOwnToolkit(db, context, user, path.slug) } };
  },
});
