import { z } from "zod";
import { write } from "#api/kit/operation";
import { checkFields } from "#api/kit/read-body";
import { invalid } from "#lib/errors";
import { argumentOf, createCommand as create, definitionOf, importGemini, importMarkdown } from "#records/commands";
import { CreateCommandBody, ImportCommandBody } from "./bodies.ts";
import { presentCommand } from "./present.ts";
import { Command, commandWarningsField } from "./schema.ts";

/** Families 4. */
export const importCommand = write({
  id: "importCommand",
  route: "POST /api/commands/import",
  tag: "Commands",
  summary: "Import a command",
  description:
    "From a command file of Claude Code, Cursor or Gemini CLI. The new command is a draft. `$1` without declared arguments gets the arguments `arg1` and so on.",
  scope: "admin:write",
  body: ImportCommandBody,
  answers: { 201: z.object({ data: Command, warnings: commandWarningsField }) },
  refusals: [400],
  onCrash: "Failed to import command",
  async run({ tx, trail, body, context }) {
    const fields = checkFields(CreateCommandBody, fieldsOf(body));
    const { name, content } = fields;
    const declared = fields.arguments?.map(argumentOf) ?? null;
    const derived = definitionOf({ content, description: null, arguments: declared, argument_hint: null });
    const given = {
      ...fields,
      // Exports contain values that follow from the content; they must follow later changes too.
      description: fields.description === derived.description ? null : fields.description,
      argument_hint: fields.argument_hint === derived.argument_hint ? null : fields.argument_hint,
    };
    const added = { id: context.newId("cmd"), now: context.clock.now(), name, content };
    const { row, warnings } = await create(tx, trail, added, given);
    const data = await presentCommand(tx, row);
    trail.audit({ operation: "importCommand", target: { kind: "command", id: row.id, name: row.slug }, after: data });
    return { status: 201, body: { data, ...(warnings.length > 0 && { warnings }) } };
  },
});

function fieldsOf({ markdown, toml, slug }: z.infer<typeof ImportCommandBody>): Record<string, unknown> {
  if (markdown !== undefined && toml !== undefined) throw invalid("toml", "cannot be combined with markdown");
  if (toml !== undefined) return importGemini(toml, slug);
  if (markdown === undefined) throw invalid("markdown", "markdown is required");
  return importMarkdown(markdown, slug);
}
