import { z } from "zod";
import { read } from "#api/kit/operation";
import { personOf } from "#api/kit/web-session";
import { UsableToolkit, usableToolkits } from "#api/presenters/user-toolkits";

/** Families 1 and 2. */
export const listMyToolkits = read({
  id: "listMyToolkits",
  route: "GET /api/me/toolkits",
  tag: "Me",
  summary: "List the toolkits that the caller can select",
  description: "Active toolkits of the caller's groups by slug, and all own toolkits.",
  scope: "any",
  callers: "people",
  answers: { 200: z.object({ data: z.array(UsableToolkit) }) },
  refusals: [],
  onCrash: "Failed to retrieve toolkits",
  async run({ db, visitor }) {
    const { user } = personOf(visitor);
    return { status: 200, body: { data: await usableToolkits(db, user) } };
  },
});
