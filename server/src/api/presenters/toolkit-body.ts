import { z } from "zod";
import { choice, flag, requiredText, text } from "#api/kit/body-fields";
import { isSlug, LONG_SLUG_MAX_LENGTH, SLUG_MESSAGE } from "#lib/slug";
import { MAX_INSTRUCTIONS_BYTES, MAX_TOOLKIT_ITEMS, MAX_TOOLKIT_TOOLS } from "#records/toolkits";

const LONGEST_NAME = 1_024;
const server = requiredText("server").describe("The server's slug");
const values = z.record(z.string(), z.unknown(), { error: "must be an object" });

const argumentChanges = z
  .object(
    {
      fixed: values.nullish().describe("Sent with every call. Callers do not see these arguments and cannot set them"),
      defaults: values.nullish().describe("Sent if the caller does not set them"),
      hidden: z
        .array(text(LONGEST_NAME), { error: "must be an array" })
        .max(200, { error: "must contain at most 200 names" })
        .nullish()
        .describe("Removed from the schema and from calls"),
    },
    { error: "must be an object" },
  )
  .nullish()
  .describe("Changes to the top-level arguments");

export const toolEntry = z.object(
  {
    server,
    tool: requiredText("tool", LONGEST_NAME).describe("The tool's name at the server. `*`: all other enabled tools"),
    alias: text(64).nullish().describe("Callers see `{server}__{alias}` instead of the tool's name"),
    title: text(255).nullish().describe("Replaces the tool's title"),
    description: text().nullish().describe("Replaces the tool's description"),
    arguments: argumentChanges,
  },
  { error: "must be an object" },
);

export const toolEntries = z
  .array(toolEntry, { error: "must be an array" })
  .max(MAX_TOOLKIT_TOOLS, { error: `must contain at most ${MAX_TOOLKIT_TOOLS} tools` });

const items = <Item extends z.ZodType>(item: Item) =>
  z
    .array(item, { error: "must be an array" })
    .max(MAX_TOOLKIT_ITEMS, { error: `must contain at most ${MAX_TOOLKIT_ITEMS} entries` });

const slug = text()
  .max(LONG_SLUG_MAX_LENGTH, { error: `must be at most ${LONG_SLUG_MAX_LENGTH} characters` })
  .refine(isSlug, { error: SLUG_MESSAGE });

const FIELDS = {
  name: requiredText("name").describe("Display name"),
  description: text().nullish().describe("For users of the toolkit"),
  instructions: text()
    .refine((value) => Buffer.byteLength(value) <= MAX_INSTRUCTIONS_BYTES, {
      error: `must be at most ${MAX_INSTRUCTIONS_BYTES / 1024} KiB`,
    })
    .nullish()
    .describe("For models: part of the server's instructions in the view of the toolkit"),
  status: choice(["draft", "active"]).optional().describe("Only active toolkits reach callers. Default: draft"),
  least_privilege: flag()
    .optional()
    .describe(
      "Whether users see only the toolkit's tools of the servers that it names, also without selecting it. Default: false",
    ),
  tools: toolEntries.optional().describe("The tools; replaces all"),
  prompts: items(
    z.object({ server, name: requiredText("name", LONGEST_NAME).describe("The prompt's name at the server") }),
  )
    .optional()
    .describe("The prompts; replaces all"),
  resources: items(
    z.object({ server, uri: requiredText("uri", 4_096).describe("The URI of a resource, or a URI template") }),
  )
    .optional()
    .describe("The resources; replaces all"),
  skills: z
    .array(text(64), { error: "must be an array" })
    .max(MAX_TOOLKIT_ITEMS, { error: `must contain at most ${MAX_TOOLKIT_ITEMS} entries` })
    .optional()
    .describe("Slugs of the skills; replaces all"),
  commands: z
    .array(text(64), { error: "must be an array" })
    .max(MAX_TOOLKIT_ITEMS, { error: `must contain at most ${MAX_TOOLKIT_ITEMS} entries` })
    .optional()
    .describe("Slugs of the commands; replaces all"),
};

const groups = z
  .array(text(), { error: "must be an array" })
  .max(1_000, { error: "must contain at most 1000 groups" })
  .optional()
  .describe("Names of the groups whose members can use it; replaces all");

const EXAMPLE = {
  name: "Issue triage",
  tools: [
    {
      server: "github",
      tool: "search_issues",
      alias: "search",
      arguments: { fixed: { owner: "acme" }, defaults: {}, hidden: [] },
    },
  ],
};

/** A toolkit of the caller or of a named user, which has no groups. */
export const OwnToolkitBody = z
  .object({ slug: slug.optional().describe("Default: from the name"), ...FIELDS })
  .meta({ id: "CreateOwnToolkit", description: "A toolkit for one user", example: EXAMPLE });

export const CreateToolkitBody = z
  .object({
    slug: slug.optional().describe("Default: from the name"),
    ...FIELDS,
    groups,
    owner_email: text(320).nullish().describe("Makes it a toolkit of this user, which only this user sees"),
  })
  .meta({ id: "CreateToolkit", description: "A toolkit to create", example: { ...EXAMPLE, groups: ["Support"] } });

/** The name can be omitted but not `null` (D11). */
const CHANGES = { ...FIELDS, name: FIELDS.name.optional() };

export const UpdateOwnToolkitBody = z.object(CHANGES).meta({
  id: "UpdateOwnToolkit",
  description: "Changes to a toolkit. Omitted fields keep their values",
  example: { status: "active" },
});

export const UpdateToolkitBody = z.object({ ...CHANGES, groups }).meta({
  id: "UpdateToolkit",
  description: "Changes to a toolkit. Omitted fields keep their values",
  example: { status: "active", groups: ["Support"] },
});

export type ToolkitFields = z.output<typeof UpdateOwnToolkitBody>;
