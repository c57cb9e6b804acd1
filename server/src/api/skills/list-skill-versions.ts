import { z } from "zod";
import { CursorPagination, pageOf } from "#api/kit/answers";
import { read } from "#api/kit/operation";
import { limitParameter, offsetParameter, pathParameter } from "#api/kit/parameters";
import { notFound } from "#lib/errors";
import { findSkill, listVersions } from "#records/skills";
import { presentVersion } from "./present.ts";
import { SkillVersion } from "./schema.ts";

/** Families 3. */
export const listSkillVersions = read({
  id: "listSkillVersions",
  route: "GET /api/skills/{slug}/versions",
  tag: "Skills",
  summary: "List the versions of a skill",
  description: "Newest first.",
  scope: "admin:read",
  path: { slug: pathParameter("The skill's slug", "release-notes") },
  query: { cursor: offsetParameter("Zero-based offset of the first entry"), limit: limitParameter },
  answers: { 200: z.object({ data: z.array(SkillVersion), pagination: CursorPagination }) },
  refusals: [400, 404],
  onCrash: "Failed to retrieve versions",
  async run({ db, path, query: { cursor, limit } }) {
    const row = await findSkill(db, path.slug);
    if (!row) throw notFound.skill();
    const { page, hasMore } = pageOf(await listVersions(db, row.id, { offset: cursor, limit: limit + 1 }), limit);
    const pagination = { cursor, limit, hasMore, nextCursor: hasMore ? cursor + limit : null };
    return { status: 200, body: { data: page.map((version) => presentVersion(row, version)), pagination } };
  },
});
