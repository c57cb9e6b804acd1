import { z } from "zod";
import { choice, flag, requiredText, text } from "#api/kit/body-fields";
import { isSlug, LONG_SLUG_MAX_LENGTH, SLUG_MESSAGE } from "#lib/slug";
import { MAX_ARGUMENTS, MAX_CONTENT_BYTES } from "#records/commands";

const MAX_DESCRIPTION = 1_024;
const MAX_ENTRIES = 100;
const MAX_FILE = 256 * 1024;

const argument = z.object(
  {
    name: requiredText("name").describe("Lowercase letters, digits and underscores; the name of its placeholder"),
    description: text(MAX_DESCRIPTION).nullish().describe("What to enter"),
    required: flag().optional().describe("Whether callers must send it. Default: false"),
    default: text(10_000).nullish().describe("Its value if callers send none"),
    enum: z
      .array(text(500), { error: "must be an array" })
      .min(1, { error: "must not be empty" })
      .max(MAX_ENTRIES, { error: `must contain at most ${MAX_ENTRIES} values` })
      .nullish()
      .describe("The allowed values. Default: any text"),
  },
  { error: "must be an object" },
);

const names = (word: string) =>
  z
    .array(
      text(200).refine((value) => value.trim() !== "", { error: "must not be empty" }),
      { error: "must be an array" },
    )
    .max(MAX_ENTRIES, { error: `must contain at most ${MAX_ENTRIES} ${word}` })
    .nullish();

const FIELDS = {
  slug: text(LONG_SLUG_MAX_LENGTH)
    .refine(isSlug, { error: SLUG_MESSAGE })
    .optional()
    .describe("The name by which callers invoke it. Default: from the name, with a number if it is taken"),
  name: requiredText("name").describe("Display name"),
  description: text(MAX_DESCRIPTION).nullish().describe("What it does. Default: the first line of the content"),
  content: z
    .string({ error: (issue) => (issue.input === undefined ? "content is required" : "must be a string") })
    .max(MAX_CONTENT_BYTES, { error: `must be at most ${MAX_CONTENT_BYTES / 1024} KiB` })
    .refine((value) => value.trim() !== "", { error: "content is required" })
    .refine((value) => !value.startsWith("---"), { error: "must not start with ---: exports add front matter" })
    .refine((value) => value.isWellFormed() && !value.includes("\0"), { error: "must be valid UTF-8" })
    .describe("The template: `{{name}}`, `$1` to `$9` and `$ARGUMENTS` are replaced; `\\{{` and `$$` are escapes"),
  arguments: z
    .array(argument, { error: "must be an array" })
    .max(MAX_ARGUMENTS, { error: `must contain at most ${MAX_ARGUMENTS} arguments` })
    .nullish()
    .describe("Replaces all. Default: the placeholders of the content"),
  argument_hint: text(500).nullish().describe("Shown next to the name. Default: composed from the arguments"),
  allowed_tools: names("tools").describe("Tools that clients may use without asking, for exports"),
  model: text(200).nullish().describe("The model, for exports"),
  disable_model_invocation: flag().optional().describe("Whether only people can invoke it, for exports"),
  skills: names("skills").describe("Slugs of the skills that it uses; replaces all"),
  include_skills: flag()
    .optional()
    .describe("Whether the rendered text ends with the URIs of the skills. Default: false"),
  status: choice(["draft", "active"]).optional().describe("Only active commands reach callers. Default: draft"),
  groups: z
    .array(text(), { error: "must be an array" })
    .max(1_000, { error: "must contain at most 1000 groups" })
    .optional()
    .describe("Names of the groups whose members can use it; replaces all"),
};

export const CreateCommandBody = z.object(FIELDS).meta({
  id: "CreateCommand",
  description: "A command to create",
  example: {
    name: "Release notes",
    content: "Write release notes for version {{version}}.",
    arguments: [{ name: "version", description: "Such as 1.4.0", required: true }],
    groups: ["Engineering"],
  },
});

export const UpdateCommandBody = z
  .object({ ...FIELDS, name: FIELDS.name.optional(), content: FIELDS.content.optional() })
  .meta({
    id: "UpdateCommand",
    description: "Changes to a command. Omitted fields keep their values; null restores a default",
    example: { status: "active", groups: ["Engineering"] },
  });

export const RenderCommandBody = z
  .object({
    arguments: z
      .record(text(200), z.union([z.string(), z.number(), z.boolean()], { error: "must be a string" }), {
        error: "must be an object",
      })
      .optional()
      .describe("Values by the name of their argument"),
    draft: z
      .object({ content: FIELDS.content.optional(), arguments: FIELDS.arguments }, { error: "must be an object" })
      .optional()
      .describe("Unsaved changes to render"),
  })
  .meta({ id: "RenderCommand", description: "Values for a preview", example: { arguments: { version: "1.4.0" } } });

const commandFile = (description: string) =>
  z
    .string({ error: "must be a string" })
    .max(MAX_FILE, { error: `must be at most ${MAX_FILE / 1024} KiB` })
    .refine((value) => value.trim() !== "", { error: "must not be empty" })
    .refine((value) => value.isWellFormed() && !value.includes("\0"), { error: "must be valid UTF-8" })
    .optional()
    .describe(description);

export const ImportCommandBody = z
  .object({
    markdown: commandFile("The text of a command file of Claude Code or Cursor"),
    toml: commandFile("The text of a command file of Gemini CLI, instead of `markdown`"),
    slug: FIELDS.slug.describe(
      "Usually the name of the file. Default: that of an exported file, or from its first line",
    ),
  })
  .meta({
    id: "ImportCommand",
    description: "A command to import",
    example: { slug: "fix-issue", markdown: "---\ndescription: Fixes an issue\n---\n\nFix issue #$1.\n" },
  });
