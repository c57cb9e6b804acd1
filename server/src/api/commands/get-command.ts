import { z } from "zod";
import { read } from "#api/kit/operation";
import { lastSegmentParameter } from "#api/kit/parameters";
import { notFound } from "#lib/errors";
import { findCommand } from "#records/commands";
import { presentCommand } from "./present.ts";
import { Command } from "./schema.ts";

/** Families 4. */
export const getCommand = read({
  id: "getCommand",
  route: "GET /api/commands/{slug}",
  tag: "Commands",
  summary: "Get one command",
  description: "With its content and arguments.",
  scope: "admin:read",
  path: { slug: lastSegmentParameter("The command's slug", "release-notes") },
  answers: { 200: z.object({ data: Command }) },
  refusals: [404],
  onCrash: "Failed to retrieve command",
  async run({ db, path }) {
    const row = await findCommand(db, path.slug);
    if (!row) throw notFound.command();
    return { status: 200, body: { data: await presentCommand(db, row) } };
  },
});
