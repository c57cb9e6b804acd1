import { isObject } from "#openapi/json";
import { EXIT, Failure } from "../failure.ts";
import type { Gateway, Json } from "../gateway.ts";
import { readPages } from "../read-pages.ts";
import { LIMIT, type Noun, verb } from "../verb.ts";

/** Spec 4.5: what the caller's groups give, page by page. */
function listTools(gateway: Gateway, most?: number): Promise<Json[]> {
  return readPages<Json, string>(most, async (_limit, cursor) => {
    const { tools, nextCursor } = await gateway.ask(
      "tools/list",
      JSON.stringify(cursor === undefined ? {} : { cursor }),
    );
    const rows = Array.isArray(tools) ? tools.filter(isObject) : [];
    return { rows, next: typeof nextCursor === "string" ? nextCursor : undefined };
  });
}

const list = verb({
  says: "List the tools that the access key gives",
  options: { limit: LIMIT },
  example: "gatehouse tools list",
  async run({ gateway, options: { limit }, out }) {
    const rows = (await listTools(gateway(), limit)).slice(0, limit);
    out.list(rows, { TOOL: (tool) => tool.name, DESCRIPTION: (tool) => tool.description }, "tools");
  },
});

const get = verb({
  says: "Show one tool with the arguments that it takes",
  args: ["tool"],
  example: "gatehouse tools get echo__add",
  async run({ gateway, args, out }) {
    const tool = (await listTools(gateway())).find(({ name }) => name === args.tool);
    if (!tool) throw new Failure(EXIT.notFound, `there is no tool ${args.tool}`);
    out.record(tool);
  },
});

export const tools: Noun = {
  says: "The tools that an access key gives, as an MCP client sees them",
  verbs: { list, get },
  example: "gatehouse tools list",
};
