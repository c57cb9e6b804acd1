/** The tools of tool search (F13): three tools through which a caller finds and calls all others. */
import { buildListing, EMPTY_LISTING } from "./listing.ts";
import type { OwnSource } from "./shape.ts";

/** Selects the answer in `gateway/own`. */
export const SEARCH_CONTENT = "tool-search";
/** No server gets this slug, so no name of a tool is ambiguous. */
const PREFIX = "gatehouse__";

export const FIND_TOOLS = `${PREFIX}find_tools`;
export const DESCRIBE_TOOL = `${PREFIX}describe_tool`;
export const CALL_TOOL = `${PREFIX}call_tool`;

export const DEFAULT_FOUND = 10;
export const MAX_FOUND = 50;
export const MAX_QUERY_CHARACTERS = 1_000;

const READ_ONLY = { readOnlyHint: true, openWorldHint: false };
const NAME = { type: "string", description: `The name of the tool, as ${FIND_TOOLS} returns it` };

const DEFINITIONS = {
  [FIND_TOOLS]: {
    title: "Find tools",
    description: `Search all available tools by keywords. Most tools are not listed, so search here before you conclude that something is not possible. Returns the names, descriptions and input schemas of the best matches. Call them with ${CALL_TOOL}.`,
    inputSchema: {
      type: "object",
      properties: {
        query: {
          type: "string",
          maxLength: MAX_QUERY_CHARACTERS,
          description: "What the tool does, in a few words, for example: create issue",
        },
        limit: { type: "integer", minimum: 1, maximum: MAX_FOUND, default: DEFAULT_FOUND },
      },
      required: ["query"],
    },
    annotations: READ_ONLY,
  },
  [DESCRIBE_TOOL]: {
    title: "Describe a tool",
    description: "Get the complete definition of one tool.",
    inputSchema: { type: "object", properties: { name: NAME }, required: ["name"] },
    annotations: READ_ONLY,
  },
  [CALL_TOOL]: {
    title: "Call a tool",
    description: `Call a tool that ${FIND_TOOLS} returned, and get its result.`,
    inputSchema: {
      type: "object",
      properties: {
        name: NAME,
        arguments: { type: "object", description: "The arguments of the tool, as its input schema requires" },
      },
      required: ["name"],
    },
  },
};

const definitions = Object.entries(DEFINITIONS).map(([identifier, definition]) => ({
  identifier,
  definition: JSON.stringify(definition),
  fields: { slug: identifier, upstreamName: identifier },
}));

export const SEARCH_SOURCE: OwnSource = {
  kind: "own",
  content: SEARCH_CONTENT,
  key: "gatehouse",
  active: true,
  groupIds: new Set(),
  warnings: "",
  tools: buildListing("tools", definitions, ({ slug }) => [slug]),
  prompts: EMPTY_LISTING,
  resources: EMPTY_LISTING,
  resourceTemplates: EMPTY_LISTING,
};
