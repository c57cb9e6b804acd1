import { z } from "zod";
import { read } from "#api/kit/operation";
import { lastSegmentParameter } from "#api/kit/parameters";
import { notFound } from "#lib/errors";
import { findGroupWithCounts } from "#records/groups";
import { Group, presentGroup } from "./schema.ts";

/** Decision 0052. */
export const getGroup = read({
  id: "getGroup",
  route: "GET /api/groups/{name}",
  tag: "Groups",
  summary: "Get one group",
  description: "Returns the group as the list of groups does. An addition to the first API contract.",
  scope: "admin:read",
  path: { name: lastSegmentParameter("The group's name, case-insensitive", "Engineering") },
  answers: { 200: z.object({ data: Group }) },
  refusals: [400, 404],
  onCrash: "Failed to retrieve group",
  async run({ db, path }) {
    const group = await findGroupWithCounts(db, path.name);
    if (!group) throw notFound.group();
    return { status: 200, body: { data: presentGroup(group) } };
  },
});
