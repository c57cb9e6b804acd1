import { z } from "zod";
import { read } from "#api/kit/operation";

const Category = z
  .object({
    name: z.string().meta({ description: "The category's name", example: "Developer tools" }),
    count: z.int().meta({ description: "Number of built-in connectors in it", example: 25 }),
  })
  .meta({ id: "ConnectorCategory", description: "A category of the connector catalog" });

export const listConnectorCategories = read({
  id: "listConnectorCategories",
  route: "GET /api/connectors/categories",
  tag: "Connectors",
  summary: "List connector categories",
  description:
    "Categories of built-in connectors, sorted by name. Entries of the public MCP registry have no category.",
  scope: "admin:read",
  answers: { 200: z.object({ data: z.array(Category) }) },
  refusals: [],
  onCrash: "Failed to list categories",
  async run({ context }) {
    return { status: 200, body: { data: context.connectors.countByCategory() } };
  },
});
