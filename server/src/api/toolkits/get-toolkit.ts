import { z } from "zod";
import { read } from "#api/kit/operation";
import { lastSegmentParameter } from "#api/kit/parameters";
import { presentToolkits, Toolkit } from "#api/presenters/toolkit";
import { notFound } from "#lib/errors";
import { findToolkit } from "#records/toolkits";

/** Families 2. */
export const getToolkit = read({
  id: "getToolkit",
  route: "GET /api/toolkits/{slug}",
  tag: "Toolkits",
  summary: "Get one toolkit",
  description: "With its entries, including those that no caller can use now (`broken_tools`).",
  scope: "admin:read",
  path: { slug: lastSegmentParameter("The toolkit's slug", "triage") },
  answers: { 200: z.object({ data: Toolkit }) },
  refusals: [400, 404],
  onCrash: "Failed to retrieve toolkit",
  async run({ db, path }) {
    const row = await findToolkit(db, path.slug);
    const [data] = row ? await presentToolkits(db, [row]) : [];
    if (!data) throw notFound.toolkit();
    return { status: 200, body: { data } };
  },
});
