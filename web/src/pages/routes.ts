import { catalogRoute } from "./catalog/routes.ts";
import { groupRoute, groupsRoute } from "./groups/routes.ts";
import { mcpServerRoute, mcpServersRoute } from "./mcp-servers/routes.ts";

/** Every page, one line each. Whether it stands in the navigation is said in its own file. */
export const routes = [mcpServersRoute, mcpServerRoute, catalogRoute, groupsRoute, groupRoute];
