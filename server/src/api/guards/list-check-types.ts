import { z } from "zod";
import { read } from "#api/kit/operation";
import { CHECK_TYPE_INFOS } from "#guards/check-types";
import { CHECK_TYPES } from "#guards/definition";

const ConfigField = z
  .object({
    name: z.string().meta({ description: "Name of the field in `config`", example: "pattern" }),
    type: z.enum(["string", "integer", "boolean", "list", "object"]).describe("Type of the value"),
    required: z.boolean().describe("Whether it must be given"),
    default: z.unknown().optional().describe("The value if it is omitted"),
    choices: z.array(z.string()).optional().describe("The only values, or the only items of a list"),
    secret: z.boolean().optional().describe("Whether it is never returned"),
    multiline: z.boolean().optional().describe("Whether it has several lines"),
    description: z.string().meta({ description: "What it does", example: "RE2 syntax, at most 2 KiB." }),
  })
  .meta({ id: "GuardCheckField", description: "A setting of a type of check" });

const CheckType = z
  .object({
    type: z.enum(CHECK_TYPES).describe("The type in `checks`"),
    name: z.string().meta({ description: "Display name", example: "Regular expression" }),
    description: z.string().describe("What it finds"),
    graded: z
      .boolean()
      .describe("Whether each finding has its certainty, so that `certainty` of the check is not used"),
    redacts: z.boolean().describe("Whether findings have a place in the text, so that they can be redacted"),
    config: z.array(ConfigField).describe("Its settings"),
  })
  .meta({ id: "GuardCheckType", description: "A type of check, and its settings" });

/** Families 6. */
export const listGuardCheckTypes = read({
  id: "listGuardCheckTypes",
  route: "GET /api/guards/check-types",
  tag: "Guards",
  summary: "List the types of checks",
  description: "With the settings of each type.",
  scope: "admin:read",
  answers: { 200: z.object({ data: z.array(CheckType) }) },
  refusals: [],
  onCrash: "Failed to retrieve types of checks",
  async run() {
    const data = CHECK_TYPE_INFOS.map(({ config, ...info }) => ({
      ...info,
      config: config.map(({ choices, ...field }) => ({ ...field, ...(choices && { choices: [...choices] }) })),
    }));
    return { status: 200, body: { data } };
  },
});
