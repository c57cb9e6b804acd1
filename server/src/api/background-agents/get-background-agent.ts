import { z } from "zod";
import { read } from "#api/kit/operation";
import { lastSegmentParameter } from "#api/kit/parameters";
import { notFound } from "#lib/errors";
import { findAgent } from "#records/agents";
import { presentAgent } from "./present.ts";
import { Agent } from "./schema.ts";

/** Families 7. */
export const getBackgroundAgent = read({
  id: "getBackgroundAgent",
  route: "GET /api/background-agents/{slug}",
  tag: "Background Agents",
  summary: "Get an agent",
  scope: "admin:read",
  path: { slug: lastSegmentParameter("The agent's slug", "triage") },
  answers: { 200: z.object({ data: Agent }) },
  refusals: [404],
  onCrash: "Failed to retrieve background agent",
  async run({ db, path, context }) {
    const row = await findAgent(db, path.slug);
    if (!row) throw notFound.backgroundAgent();
    return { status: 200, body: { data: await presentAgent(db, row, context) } };
  },
});
