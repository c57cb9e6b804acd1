import { IconServer2 } from "@tabler/icons-react";
import { createRoute } from "@tanstack/react-router";
import { oneOf, readSearch, text } from "../../components/search-params.ts";
import { lazyPage } from "../../shell/lazy-page.ts";
import { rootRoute } from "../../shell/root-route.tsx";

export const mcpServersRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/mcp-servers",
  staticData: {
    title: "MCP servers",
    audience: "admins",
    nav: { section: "gateway", order: 10, icon: IconServer2 },
  },
  validateSearch: readSearch({
    q: text,
    status: oneOf("active", "draft"),
    auth: oneOf("none", "proxy-oauth", "proxy-api-key", "exchanged-token"),
    attention: oneOf("yes"),
    group: text,
    sort: oneOf("name", "tools", "synced"),
    order: oneOf("desc"),
    add: oneOf("url", "json"),
  }),
  component: lazyPage(() => import("./mcp-servers-page.tsx"), "McpServersPage"),
});

export const mcpServerRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/mcp-servers/$slug",
  staticData: { title: "MCP server", audience: "admins", partOf: "/mcp-servers" },
  validateSearch: readSearch({
    tab: oneOf("overview", "tools", "auth", "access", "connections", "logs", "settings"),
    q: text,
    hint: oneOf("destructive", "read-only"),
    tool: text,
  }),
  component: lazyPage(() => import("./mcp-server-page.tsx"), "McpServerPage"),
});
