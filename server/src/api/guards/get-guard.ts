import { z } from "zod";
import { read } from "#api/kit/operation";
import { lastSegmentParameter } from "#api/kit/parameters";
import { notFound } from "#lib/errors";
import { findGuard } from "#records/guards";
import { presentGuards } from "./schema.ts";
import { GuardWithStats, withStats } from "./stats.ts";

/** Families 6. */
export const getGuard = read({
  id: "getGuard",
  route: "GET /api/guards/{slug}",
  tag: "Guards",
  summary: "Get one guard",
  description:
    "With its checks. Headers of webhooks are secret: only their names are returned. API keys are never returned.",
  scope: "admin:read",
  path: { slug: lastSegmentParameter("The guard's slug", "secrets") },
  answers: { 200: z.object({ data: GuardWithStats }) },
  refusals: [400, 404],
  onCrash: "Failed to retrieve guard",
  async run({ db, path, context }) {
    const row = await findGuard(db, path.slug);
    const [data] = row ? await withStats(context.databases.calls, await presentGuards(db, [row])) : [];
    if (!data) throw notFound.guard();
    return { status: 200, body: { data } };
  },
});
