/** Two tools that list and load skills (`?skill_tools=1`), for clients that do not read resources. */
import { buildListing, EMPTY_LISTING } from "./listing.ts";
import type { OwnSource } from "./shape.ts";

/** Selects the answer in `gateway/own`. */
export const SKILL_TOOLS_CONTENT = "skill-tools";
/** No server gets the slug `skills`, so no name of a tool is ambiguous. */
export const LIST_SKILLS = "skills__list";
export const LOAD_SKILL = "skills__load";

const READ_ONLY = { readOnlyHint: true, openWorldHint: false };

const DEFINITIONS = {
  [LIST_SKILLS]: {
    title: "List skills",
    description: `List the skills of the organization: instructions for specific tasks. Load a skill that fits the task with ${LOAD_SKILL} before you start.`,
    inputSchema: { type: "object", properties: {} },
    annotations: READ_ONLY,
  },
  [LOAD_SKILL]: {
    title: "Load a skill",
    description: "Load the instructions of a skill, or one of its files.",
    inputSchema: {
      type: "object",
      properties: {
        name: { type: "string", description: `The name of the skill, as ${LIST_SKILLS} returns it` },
        path: { type: "string", default: "SKILL.md", description: "The relative path of a file of the skill" },
      },
      required: ["name"],
    },
    annotations: READ_ONLY,
  },
};

const definitions = Object.entries(DEFINITIONS).map(([identifier, definition]) => ({
  identifier,
  definition: JSON.stringify(definition),
  fields: { slug: identifier, upstreamName: identifier },
}));

export const SKILL_TOOLS: OwnSource = {
  kind: "own",
  content: SKILL_TOOLS_CONTENT,
  key: "+tools-of-skills",
  active: true,
  groupIds: new Set(),
  warnings: "",
  tools: buildListing("tools", definitions, ({ slug }) => [slug]),
  prompts: EMPTY_LISTING,
  resources: EMPTY_LISTING,
  resourceTemplates: EMPTY_LISTING,
};
