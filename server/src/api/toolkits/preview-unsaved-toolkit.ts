import { z } from "zod";
import { text } from "#api/kit/body-fields";
import { read } from "#api/kit/operation";
import { toolEntries } from "#api/presenters/toolkit-body";
import { notFound } from "#lib/errors";
import { toolkitLinks } from "#records/groups";
import { checkToolkit, findToolkit, knownServersOf, toolkitTool } from "#records/toolkits";
import { Preview, previewFor } from "./preview.ts";

export const PreviewToolkitBody = z
  .object({
    slug: text(64).describe("The toolkit that is edited: its groups, prompts and resources apply"),
    tools: toolEntries.describe("The tools to preview instead of those that are saved"),
    email: text(320).nullish().describe("The user to preview it as. Without it, only the tokens are estimated"),
  })
  .meta({
    id: "PreviewToolkit",
    description: "Changes to a toolkit that are not saved",
    example: { slug: "triage", tools: [{ server: "github", tool: "search_issues" }], email: "ada@example.com" },
  });

export const previewUnsavedToolkit = read({
  id: "previewUnsavedToolkit",
  route: "POST /api/toolkits/preview",
  tag: "Toolkits",
  summary: "Preview changes to a toolkit before they are saved",
  description: "Checks the entries as saving them would, and changes nothing.",
  scope: "admin:read",
  body: PreviewToolkitBody,
  answers: { 200: z.object({ data: Preview }) },
  refusals: [400, 404],
  onCrash: "Failed to preview toolkit",
  async run({ db, body, context }) {
    const row = await findToolkit(db, body.slug);
    if (!row) throw notFound.toolkit();
    const edited = { ...row, tools: body.tools.map(toolkitTool) };
    checkToolkit({ ...edited, status: "draft" }, await knownServersOf(db, [edited]), row);
    const groupIds = (await toolkitLinks.groupsOf(db, [row.id])).get(row.id) ?? [];
    const data = await previewFor(db, context, body.email ?? undefined, { ...edited, groupIds });
    return { status: 200, body: { data } };
  },
});
