import { z } from "zod";
import { write } from "#api/kit/operation";
import { knownGroupIds } from "#api/presenters/group-ids";
import { createCommand as create, setCommandGroups } from "#records/commands";
import { CreateCommandBody } from "./bodies.ts";
import { checkCommandContent } from "./check-guards.ts";
import { presentCommand } from "./present.ts";
import { Command, commandWarningsField } from "./schema.ts";

/** Families 4. */
export const createCommand = write({
  id: "createCommand",
  route: "POST /api/commands",
  tag: "Commands",
  summary: "Create a command",
  description:
    "A command is a template with arguments. Members of the groups of an active command get it as a prompt at the gateway, under its slug. Values are inserted as they are, and the gateway runs nothing of the text.",
  scope: "admin:write",
  body: CreateCommandBody,
  answers: { 201: z.object({ data: Command, warnings: commandWarningsField }) },
  refusals: [400],
  onCrash: "Failed to create command",
  async run({ tx, trail, body, context, checkContent }) {
    const groupIds = await knownGroupIds(tx, body.groups ?? []);
    const { name, content } = body;
    const added = { id: context.newId("cmd"), now: context.clock.now(), name, content };
    const { row, warnings: found } = await create(tx, trail, added, body);
    const warnings = [...found, ...(await checkCommandContent(checkContent, undefined, row))];
    await setCommandGroups(tx, trail, row.id, groupIds);
    const data = await presentCommand(tx, row);
    trail.audit({ operation: "createCommand", target: { kind: "command", id: row.id, name: row.slug }, after: data });
    return { status: 201, body: { data, ...(warnings.length > 0 && { warnings }) } };
  },
});
