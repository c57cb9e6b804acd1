import { z } from "zod";
import { read } from "#api/kit/operation";
import { targetParameter } from "#api/kit/parameters";
import { listedToolsOf } from "#records/server-tools";
import { grantedTo, requireAccessRequests, requireRequestableServer } from "./catalog.ts";

const CatalogTool = z
  .object({
    name: z.string().meta({ description: "The tool's name at the server", example: "create_issue" }),
    title: z.string().meta({ description: "Display name", example: "Create issue" }),
    description: z.string().meta({ description: "What the tool does", example: "Creates an issue" }),
    granted: z.boolean().describe("Whether the caller can call it"),
  })
  .meta({ id: "CatalogTool", description: "A tool of a server in the organization's catalog" });

/** F31. */
export const listMyCatalogTools = read({
  id: "listMyCatalogTools",
  route: "GET /api/me/catalog/tools",
  tag: "Me",
  summary: "List the tools of an MCP server in the organization's catalog",
  description:
    "Tools that admins disabled or that are held for review are omitted. Requires the setting `access_requests`.",
  scope: "any",
  callers: "people",
  query: { server: targetParameter("The server's slug", "github") },
  answers: { 200: z.object({ data: z.array(CatalogTool) }) },
  refusals: [400, 404],
  onCrash: "Failed to retrieve tools",
  async run({ db, query, visitor, context }) {
    await requireAccessRequests(db);
    const server = await requireRequestableServer(db, query.server);
    const { grants } = grantedTo(context, visitor)(server.id);
    const tools = (await listedToolsOf(db, server.id)).filter((tool) => tool.enabled && !tool.held);
    const data = tools.map(({ upstream_name: name, title, description }) => ({
      ...{ name, title, description },
      granted: grants(name),
    }));
    return { status: 200, body: { data } };
  },
});
