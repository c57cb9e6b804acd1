import { z } from "zod";
import { read } from "#api/kit/operation";
import { pathParameter, targetParameter } from "#api/kit/parameters";
import { notFound } from "#lib/errors";
import { toolkitLinks } from "#records/groups";
import { findToolkit } from "#records/toolkits";
import { Preview, previewFor } from "./preview.ts";

/** Families 2. */
export const previewToolkit = read({
  id: "previewToolkit",
  route: "GET /api/toolkits/{slug}/preview",
  tag: "Toolkits",
  summary: "Preview a toolkit as a user",
  description: "Drafts are previewed as if they were active.",
  scope: "admin:read",
  path: { slug: pathParameter("The toolkit's slug", "triage") },
  query: { email: targetParameter("The user's email, case-insensitive", "ada@example.com") },
  answers: { 200: z.object({ data: Preview }) },
  refusals: [400, 404],
  onCrash: "Failed to preview toolkit",
  async run({ db, path, query, context }) {
    const row = await findToolkit(db, path.slug);
    if (!row) throw notFound.toolkit();
    const groupIds = (await toolkitLinks.groupsOf(db, [row.id])).get(row.id) ?? [];
    return { status: 200, body: { data: await previewFor(db, context, query.email, { ...row, groupIds }) } };
  },
});
