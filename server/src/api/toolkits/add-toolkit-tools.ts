import { z } from "zod";
import { write } from "#api/kit/operation";
import { pathParameter } from "#api/kit/parameters";
import { presentToolkits, Toolkit, toolkitWarningsField } from "#api/presenters/toolkit";
import { toolEntries } from "#api/presenters/toolkit-body";
import { checkToolkitContent } from "#api/presenters/toolkit-content";
import { notFound } from "#lib/errors";
import { changeToolkit, lockToolkit, withTools } from "#records/toolkits";

export const AddToolkitToolsBody = z
  .object({
    tools: toolEntries.min(1, { error: "tools array cannot be empty" }).describe("Entries to add or to replace"),
  })
  .meta({
    id: "AddToolkitTools",
    description: "Entries of a toolkit",
    example: { tools: [{ server: "github", tool: "search_issues" }] },
  });

/** Families 2, F45. */
export const addToolkitTools = write({
  id: "addToolkitTools",
  route: "POST /api/toolkits/{slug}/tools",
  tag: "Toolkits",
  summary: "Add tools to a toolkit",
  description:
    "Replaces the entry with the same server and tool, or adds it. If there are several such entries, the alias selects the one to replace.",
  scope: "admin:write",
  path: { slug: pathParameter("The toolkit's slug", "triage") },
  body: AddToolkitToolsBody,
  answers: { 200: z.object({ data: Toolkit, warnings: toolkitWarningsField }) },
  refusals: [400, 404, 409],
  onCrash: "Failed to add tools to toolkit",
  async run({ tx, trail, path, body, context, checkContent }) {
    const row = await lockToolkit(tx, path.slug);
    if (!row) throw notFound.toolkit();
    const tools = withTools(row.tools, body.tools);
    const saved = await changeToolkit(tx, trail, row, { tools }, context.clock.now());
    const after = saved.row;
    const warnings = [...saved.warnings, ...(await checkToolkitContent(checkContent, row, after))];
    const [data] = await presentToolkits(tx, [after]);
    if (!data) throw notFound.toolkit();
    trail.audit({
      operation: "addToolkitTools",
      target: { kind: "toolkit", id: row.id, name: row.slug },
      before: { tools: row.tools },
      after: { tools },
    });
    return { status: 200, body: { data, ...(warnings.length > 0 && { warnings }) } };
  },
});
