import { z } from "zod";
import { read } from "#api/kit/operation";

const Category = z
  .object({
    name: z.string().meta({ description: "What the catalog calls it", example: "Developer tools" }),
    count: z.int().meta({ description: "How many built-in connectors it holds", example: 25 }),
  })
  .meta({ id: "ConnectorCategory", description: "A category of the connector catalog" });

export const listConnectorCategories = read({
  id: "listConnectorCategories",
  route: "GET /api/connectors/categories",
  tag: "Connectors",
  summary: "List the categories of connectors",
  description: "Those of built-in connectors, by name. Entries of the public MCP registry have none.",
  scope: "admin:read",
  answers: { 200: z.object({ data: z.array(Category) }) },
  refusals: [],
  onCrash: "Failed to list categories",
  async run({ context }) {
    return { status: 200, body: { data: context.connectors.countByCategory() } };
  },
});
