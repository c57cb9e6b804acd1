import { z } from "zod";
import { CursorPagination, pageOf } from "#api/kit/answers";
import { read } from "#api/kit/operation";
import { limitParameter, offsetParameter, pathParameter } from "#api/kit/parameters";
import { notFound } from "#lib/errors";
import { findPlugin, listReleases } from "#records/plugins";
import { presentRelease } from "./present.ts";
import { PluginRelease } from "./schema.ts";

/** Families 5. */
export const listPluginReleases = read({
  id: "listPluginReleases",
  route: "GET /api/plugins/{slug}/releases",
  tag: "Plugins",
  summary: "List the releases of a plugin",
  description: "Newest first.",
  scope: "admin:read",
  path: { slug: pathParameter("The plugin's slug", "engineering") },
  query: { cursor: offsetParameter("Zero-based offset of the first entry"), limit: limitParameter },
  answers: { 200: z.object({ data: z.array(PluginRelease), pagination: CursorPagination }) },
  refusals: [400, 404],
  onCrash: "Failed to retrieve releases",
  async run({ db, path, query: { cursor, limit } }) {
    const row = await findPlugin(db, path.slug);
    if (!row) throw notFound.plugin();
    const { page, hasMore } = pageOf(await listReleases(db, row.id, { offset: cursor, limit: limit + 1 }), limit);
    const pagination = { cursor, limit, hasMore, nextCursor: hasMore ? cursor + limit : null };
    return { status: 200, body: { data: page.map((release) => presentRelease(row, release)), pagination } };
  },
});
