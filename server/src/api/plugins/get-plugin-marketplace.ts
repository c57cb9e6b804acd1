import { z } from "zod";
import { read } from "#api/kit/operation";
import { PluginMarketplace } from "#api/presenters/user-plugins";
import { marketplaceLinks } from "#plugins/marketplace/urls";

/** Families 5. */
export const getPluginMarketplace = read({
  id: "getPluginMarketplace",
  route: "GET /api/plugins/marketplace",
  tag: "Plugins",
  summary: "Get the marketplace",
  description:
    "Where clients get plugins. Callers see the active plugins of their groups. Both URLs accept the credentials of `/mcp`, and HTTP Basic with the access key as user and its secret as password.",
  scope: "admin:read",
  answers: { 200: z.object({ data: PluginMarketplace }) },
  refusals: [],
  onCrash: "Failed to retrieve marketplace",
  async run({ context }) {
    return { status: 200, body: { data: marketplaceLinks(context) } };
  },
});
