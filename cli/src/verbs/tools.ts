import { isObject } from "#openapi/json";
import { EXIT, Failure } from "../failure.ts";
import type { Gateway, Json } from "../gateway.ts";
import { readPages } from "../read-pages.ts";
import { LIMIT, type Noun, verb } from "../verb.ts";

/** Spec 4.5. */
function listTools(gateway: Gateway, most?: number): Promise<Json[]> {
  return readPages<Json, string>(most, async (_limit, cursor) => {
    const { tools, nextCursor } = await gateway.request(
      "tools/list",
      JSON.stringify(cursor === undefined ? {} : { cursor }),
    );
    const rows = Array.isArray(tools) ? tools.filter(isObject) : [];
    return { rows, next: typeof nextCursor === "string" ? nextCursor : undefined };
  });
}

const list = verb({
  description: "List the tools that the access key can call",
  options: { limit: LIMIT },
  example: "gatehouse tools list",
  async run({ gateway, options: { limit }, out }) {
    const rows = (await listTools(gateway(), limit)).slice(0, limit);
    out.list(
      rows,
      { TOOL: (tool) => tool.name, DESCRIPTION: (tool) => tool.description },
      "No tools. Add the user to a group with servers: gatehouse groups add-users <group> <email>",
    );
  },
});

const get = verb({
  description: "Show a tool and its arguments",
  args: ["tool"],
  example: "gatehouse tools get echo__add",
  async run({ gateway, args, out }) {
    const tool = (await listTools(gateway())).find(({ name }) => name === args.tool);
    if (!tool)
      throw new Failure(EXIT.notFound, `Tool not found: ${args.tool}. Run "gatehouse tools list" to see all tools.`);
    out.record(tool);
  },
});

export const tools: Noun = {
  description: "The tools that an access key can call, as an MCP client sees them",
  verbs: { list, get },
  example: "gatehouse tools list",
};
