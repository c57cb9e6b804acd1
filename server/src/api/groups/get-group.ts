import { z } from "zod";
import { read } from "#api/kit/operation";
import { lastSegmentParameter } from "#api/kit/parameters";
import { toolTokens } from "#api/presenters/tool-tokens";
import { tokensOfGroup } from "#gateway/snapshot/tool-tokens";
import { notFound } from "#lib/errors";
import { findGroupWithCounts } from "#records/groups";
import { Group, presentGroup } from "./schema.ts";

/** F14. */
const GroupDetail = Group.extend(toolTokens("the tools that the group grants", "servers", "github")).meta({
  id: "GroupDetail",
  description: "A group, and how much context its tools take",
});

/** Decision 0052. */
export const getGroup = read({
  id: "getGroup",
  route: "GET /api/groups/{name}",
  tag: "Groups",
  summary: "Get one group",
  description:
    "Returns the group as the list of groups does, and how much of a model's context its tools take. An addition to the first API contract.",
  scope: "admin:read",
  path: { name: lastSegmentParameter("The group's name, case-insensitive", "Engineering") },
  answers: { 200: z.object({ data: GroupDetail }) },
  refusals: [400, 404],
  onCrash: "Failed to retrieve group",
  async run({ db, path, context }) {
    const group = await findGroupWithCounts(db, path.name);
    if (!group) throw notFound.group();
    return {
      status: 200,
      body: { data: { ...presentGroup(group), ...tokensOfGroup(context.snapshots.current(), group.id) } },
    };
  },
});
