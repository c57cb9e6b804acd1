import { z } from "zod";
import { write } from "#api/kit/operation";
import { targetParameter } from "#api/kit/parameters";
import { knownGroupIds } from "#api/presenters/group-ids";
import { presentToolkits, Toolkit, toolkitWarningsField } from "#api/presenters/toolkit";
import { UpdateToolkitBody } from "#api/presenters/toolkit-body";
import { checkToolkitContent } from "#api/presenters/toolkit-content";
import { invalid, notFound } from "#lib/errors";
import { changeToolkit, lockToolkit, setToolkitGroups } from "#records/toolkits";

/** Families 2, F45. */
export const updateToolkit = write({
  id: "updateToolkit",
  route: "PATCH /api/toolkits",
  tag: "Toolkits",
  summary: "Update a toolkit",
  description:
    "Omitted fields keep their values; `tools`, `prompts`, `resources` and `groups` replace the whole list. The slug and the owner never change.",
  scope: "admin:write",
  query: { slug: targetParameter("The toolkit's slug", "triage") },
  body: UpdateToolkitBody,
  answers: { 200: z.object({ data: Toolkit, warnings: toolkitWarningsField }) },
  refusals: [400, 404, 409],
  onCrash: "Failed to update toolkit",
  async run({ tx, trail, query, body, context, checkContent }) {
    const row = await lockToolkit(tx, query.slug);
    if (!row) throw notFound.toolkit();
    if (row.owner_id !== null && (body.groups ?? []).length > 0) {
      throw invalid("groups", "must be empty for a toolkit of a user");
    }
    const groupIds = body.groups && (await knownGroupIds(tx, body.groups));
    const [before] = await presentToolkits(tx, [row]);
    const saved = await changeToolkit(tx, trail, row, body, context.clock.now());
    const warnings = [...saved.warnings, ...(await checkToolkitContent(checkContent, row, saved.row))];
    if (groupIds) await setToolkitGroups(tx, trail, row.id, groupIds);
    const [data] = await presentToolkits(tx, [saved.row]);
    if (!data) throw notFound.toolkit();
    trail.audit({
      operation: "updateToolkit",
      target: { kind: "toolkit", id: row.id, name: row.slug },
      before: before ?? {},
      after: data,
    });
    return { status: 200, body: { data, ...(warnings.length > 0 && { warnings }) } };
  },
});
