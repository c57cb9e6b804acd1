import { z } from "zod";
import { createdAt, recordId, updatedAt } from "#api/kit/answers";
import { CommandArgumentShape } from "#api/presenters/command-argument";

/** Families 4. */
export const Command = z
  .object({
    id: recordId("cmd"),
    slug: z.string().meta({ description: "The name by which callers invoke it", example: "release-notes" }),
    name: z.string().meta({ description: "Display name", example: "Release notes" }),
    description: z.string().describe("What it does. Default: the first line of the content"),
    content: z.string().meta({ description: "The template", example: "Write release notes for {{version}}." }),
    arguments: z.array(CommandArgumentShape).describe("Default: the placeholders of the content"),
    argument_hint: z.string().meta({ description: "Default: composed from the arguments", example: "[version]" }),
    allowed_tools: z.array(z.string()).describe("For exports. The gateway ignores them"),
    model: z.string().nullable().describe("For exports. The gateway ignores it"),
    disable_model_invocation: z.boolean().describe("For exports: whether only people can invoke it"),
    skills: z.array(z.string()).describe("Slugs of the skills that it uses"),
    include_skills: z.boolean().describe("Whether the rendered text ends with the URIs of the skills"),
    status: z.enum(["draft", "active"]).describe("Only active commands reach callers"),
    groups: z.array(z.string()).describe("Names of the groups whose members can use it"),
    created_at: createdAt,
    updated_at: updatedAt,
  })
  .meta({ id: "Command", description: "A template that callers get as a prompt" });

export const commandWarningsField = z
  .array(z.string())
  .optional()
  .describe("What was saved although it may not work as expected");
