import { z } from "zod";
import { read } from "#api/kit/operation";
import { personOf } from "#api/kit/web-session";
import { PluginMarketplace, UsablePlugin, usablePlugins } from "#api/presenters/user-plugins";
import { marketplaceLinks } from "#plugins/marketplace/urls";

/** Families 1 and 5. */
export const listMyPlugins = read({
  id: "listMyPlugins",
  route: "GET /api/me/plugins",
  tag: "Me",
  summary: "List the plugins that the caller can install",
  description: "Active plugins of the caller's groups, by slug, and the marketplace that clients get them from.",
  scope: "any",
  callers: "people",
  answers: { 200: z.object({ data: z.array(UsablePlugin), marketplace: PluginMarketplace }) },
  refusals: [],
  onCrash: "Failed to retrieve plugins",
  async run({ db, visitor, context }) {
    const { user } = personOf(visitor);
    const data = await usablePlugins(db, user, context);
    return { status: 200, body: { data, marketplace: marketplaceLinks(context) } };
  },
});
