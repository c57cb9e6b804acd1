import { z } from "zod";
import { read } from "#api/kit/operation";
import { lastSegmentParameter } from "#api/kit/parameters";
import { toolTokens } from "#api/presenters/tool-tokens";
import { presentToolkits, Toolkit } from "#api/presenters/toolkit";
import { compileToolkit } from "#gateway/snapshot/compile-toolkit";
import { tokensOfToolkit } from "#gateway/snapshot/tool-tokens";
import { notFound } from "#lib/errors";
import { findToolkit } from "#records/toolkits";

/** F14, F36. */
const ToolkitDetail = Toolkit.extend(toolTokens("the tools of the toolkit", "tools", "github__search")).meta({
  id: "ToolkitDetail",
  description: "A toolkit, and how much context its tools take",
});

/** Families 2. */
export const getToolkit = read({
  id: "getToolkit",
  route: "GET /api/toolkits/{slug}",
  tag: "Toolkits",
  summary: "Get one toolkit",
  description: "With its entries, including those that no caller can use now (`broken_tools`).",
  scope: "admin:read",
  path: { slug: lastSegmentParameter("The toolkit's slug", "triage") },
  answers: { 200: z.object({ data: ToolkitDetail }) },
  refusals: [400, 404],
  onCrash: "Failed to retrieve toolkit",
  async run({ db, path, context }) {
    const row = await findToolkit(db, path.slug);
    const [data] = row ? await presentToolkits(db, [row]) : [];
    if (!row || !data) throw notFound.toolkit();
    const tokens = tokensOfToolkit(context.snapshots.current(), compileToolkit({ ...row, groupIds: [] }));
    return { status: 200, body: { data: { ...data, ...tokens } } };
  },
});
