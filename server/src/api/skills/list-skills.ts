import { z } from "zod";
import { CursorPagination, pageOf, totalCount } from "#api/kit/answers";
import { type KnownFields, readFields, selectFields } from "#api/kit/fields";
import { read } from "#api/kit/operation";
import {
  choiceParameter,
  flagParameter,
  limitParameter,
  offsetParameter,
  searchParameter,
  textParameter,
} from "#api/kit/parameters";
import { findGroup } from "#records/groups";
import { countSkills, listSkills as listRows } from "#records/skills";
import { presentSkills } from "./present.ts";
import { Skill } from "./schema.ts";

export const SKILL_FIELDS: KnownFields = {
  ...{ id: true, slug: true, name: true, description: true, license: true, compatibility: true, metadata: true },
  ...{ allowed_tools: true, status: true, groups: true, version: true, version_label: true, digest: true },
  ...{ size_bytes: true, files_count: true, created_at: true, updated_at: true },
  source: true,
};
/** With `fields`, an entry contains only the requested fields. */
const SkillSelection = Skill.partial().meta({
  id: "SkillSelection",
  description: "A skill; with `fields`, only the named fields",
});

/** Families 3. */
export const listSkills = read({
  id: "listSkills",
  route: "GET /api/skills",
  tag: "Skills",
  summary: "List skills",
  description:
    "Oldest first, without the content of their files. With `fields`, entries contain only the named fields.",
  scope: "admin:read",
  headers: { "x-service-group": textParameter("Only skills of this group. Group name, case-insensitive") },
  query: {
    status: choiceParameter("Only skills with this status", ["active", "draft"]),
    search: searchParameter("Only skills whose name or description contains this text, case-insensitive"),
    fields: textParameter("Comma-separated fields"),
    cursor: offsetParameter("Zero-based offset of the first entry"),
    limit: limitParameter,
    includeTotal: flagParameter("Adds totalCount"),
  },
  answers: {
    200: z.object({ data: z.array(SkillSelection), pagination: CursorPagination, totalCount: totalCount.optional() }),
  },
  refusals: [400],
  onCrash: "Failed to retrieve skills",
  async run({ db, query, headers }) {
    const { cursor, limit, status, search } = query;
    const tree = query.fields ? readFields(query.fields, SKILL_FIELDS) : undefined;
    const groupName = headers["x-service-group"];
    const group = groupName === undefined ? undefined : await findGroup(db, groupName);
    const filter = groupName !== undefined && !group ? undefined : { status, search, groupId: group?.id };
    const rows = filter ? await listRows(db, filter, { offset: cursor, limit: limit + 1 }) : [];
    const { page, hasMore } = pageOf(rows, limit);
    const skills = await presentSkills(db, page);
    const data = tree ? skills.map((skill) => selectFields(skill, tree)) : skills;
    const pagination = { cursor, limit, hasMore, nextCursor: hasMore ? cursor + limit : null };
    const total = query.includeTotal ? { totalCount: filter ? await countSkills(db, filter) : 0 } : {};
    return { status: 200, body: { data, pagination, ...total } };
  },
});
