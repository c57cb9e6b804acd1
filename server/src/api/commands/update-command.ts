import { z } from "zod";
import { write } from "#api/kit/operation";
import { targetParameter } from "#api/kit/parameters";
import { knownGroupIds } from "#api/presenters/group-ids";
import { notFound } from "#lib/errors";
import { changeCommand, lockCommand, setCommandGroups } from "#records/commands";
import { renameInGuards } from "#records/guards";
import { renameInPlugins } from "#records/plugins";
import { renameCommandInToolkits } from "#records/toolkits";
import { UpdateCommandBody } from "./bodies.ts";
import { checkCommandContent } from "./check-guards.ts";
import { presentCommand } from "./present.ts";
import { Command, commandWarningsField } from "./schema.ts";

/** Families 4. */
export const updateCommand = write({
  id: "updateCommand",
  route: "PATCH /api/commands",
  tag: "Commands",
  summary: "Update a command",
  description:
    "Omitted fields keep their values; lists replace the whole list; null restores a default. With `slug`, the command is renamed: callers cannot use the old name from now on, and toolkits, plugins and guards follow.",
  scope: "admin:write",
  query: { slug: targetParameter("The command's slug", "release-notes") },
  body: UpdateCommandBody,
  answers: { 200: z.object({ data: Command, warnings: commandWarningsField }) },
  refusals: [400, 404, 409],
  onCrash: "Failed to update command",
  async run({ tx, trail, query, body, context, checkContent }) {
    const row = await lockCommand(tx, query.slug);
    if (!row) throw notFound.command();
    const groupIds = body.groups && (await knownGroupIds(tx, body.groups));
    const before = await presentCommand(tx, row);
    const { row: after, warnings: found } = await changeCommand(tx, trail, row, body, context.clock.now());
    if (after.slug !== row.slug) {
      await renameCommandInToolkits(tx, trail, row.slug, after.slug);
      await renameInGuards(tx, trail, { kind: "command", from: row.slug, to: after.slug });
      await renameInPlugins(tx, "command", { from: row.slug, to: after.slug });
    }
    const warnings = [...found, ...(await checkCommandContent(checkContent, row, after))];
    if (groupIds) await setCommandGroups(tx, trail, row.id, groupIds);
    const data = await presentCommand(tx, after);
    const target = { kind: "command", id: row.id, name: row.slug };
    trail.audit({ operation: "updateCommand", target, before, after: data });
    return { status: 200, body: { data, ...(warnings.length > 0 && { warnings }) } };
  },
});
