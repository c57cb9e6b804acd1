import { z } from "zod";
import { write } from "#api/kit/operation";
import { pathParameter, targetParameter, textParameter } from "#api/kit/parameters";
import { presentToolkits, Toolkit } from "#api/presenters/toolkit";
import { invalid, notFound, Refusal } from "#lib/errors";
import { changeToolkit, lockToolkit } from "#records/toolkits";

/** Families 2, F45. */
export const removeToolkitTool = write({
  id: "removeToolkitTool",
  route: "DELETE /api/toolkits/{slug}/tools",
  tag: "Toolkits",
  summary: "Remove a tool from a toolkit",
  description: "If the tool has several entries, `alias` selects the one to remove.",
  scope: "admin:write",
  path: { slug: pathParameter("The toolkit's slug", "triage") },
  query: {
    server: targetParameter("The server's slug", "github"),
    tool: targetParameter("The tool's name at the server, or `*`", "search_issues"),
    alias: textParameter("The alias of the entry"),
  },
  answers: { 200: z.object({ data: Toolkit }) },
  refusals: [400, 404, 409],
  onCrash: "Failed to remove tool from toolkit",
  async run({ tx, trail, path, query: { server, tool, alias }, context }) {
    const row = await lockToolkit(tx, path.slug);
    if (!row) throw notFound.toolkit();
    const found = row.tools.filter(
      (entry) => entry.server === server && entry.tool === tool && (alias === undefined || entry.alias === alias),
    );
    if (found.length > 1) throw invalid("alias", "the tool has several entries; name the one to remove");
    const [removed] = found;
    if (!removed) throw new Refusal("not-found", "Tool not found in toolkit");
    const tools = row.tools.filter((entry) => entry !== removed);
    const { row: after } = await changeToolkit(tx, trail, row, { tools }, context.clock.now());
    const [data] = await presentToolkits(tx, [after]);
    if (!data) throw notFound.toolkit();
    trail.audit({
      operation: "removeToolkitTool",
      target: { kind: "toolkit", id: row.id, name: row.slug },
      before: { tools: [removed] },
    });
    return { status: 200, body: { data } };
  },
});
