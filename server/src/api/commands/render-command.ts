import { z } from "zod";
import { read } from "#api/kit/operation";
import { pathParameter } from "#api/kit/parameters";
import { renderCommand as render } from "#lib/command-values";
import { invalid, notFound } from "#lib/errors";
import { argumentOf, checkCommand, definitionOf, findCommand } from "#records/commands";
import { findSkillsBySlug } from "#records/skills";
import type { CommandRow } from "#storage/command-tables";
import type { MainDb } from "#storage/database";
import { RenderCommandBody } from "./bodies.ts";

/** Families 4. */
export const renderCommand = read({
  id: "renderCommand",
  route: "POST /api/commands/{slug}/render",
  tag: "Commands",
  summary: "Preview a command",
  description:
    "Renders the text that callers get for these arguments, with the saved content or with a draft of it. Callers get the URIs of only those skills that they can use.",
  scope: "admin:read",
  path: { slug: pathParameter("The command's slug", "release-notes") },
  body: RenderCommandBody,
  answers: {
    200: z.object({ data: z.object({ text: z.string().describe("The rendered text") }) }),
  },
  refusals: [400, 404],
  onCrash: "Failed to render command",
  async run({ db, path, body }) {
    const row = await findCommand(db, path.slug);
    if (!row) throw notFound.command();
    const { content = row.content, arguments: declared } = body.draft ?? {};
    const changed = {
      ...row,
      content,
      ...(declared !== undefined && { arguments: declared?.map(argumentOf) ?? null }),
    };
    checkCommand(changed);
    const given = new Map(Object.entries(body.arguments ?? {}).map(([name, value]) => [name, String(value)]));
    const rendered = render(definitionOf(changed), given, await activeSkills(db, row));
    if ("problem" in rendered) throw invalid("arguments", rendered.problem);
    return { status: 200, body: { data: { text: rendered.text } } };
  },
});

async function activeSkills(db: MainDb, { include_skills: included, skills }: CommandRow): Promise<string[]> {
  if (!included) return [];
  const found = await findSkillsBySlug(db, skills);
  return skills.filter((slug) => found.some((skill) => skill.slug === slug && skill.status === "active"));
}
