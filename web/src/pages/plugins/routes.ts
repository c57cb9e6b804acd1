import { IconPuzzle } from "@tabler/icons-react";
import { createRoute } from "@tanstack/react-router";
import { oneOf, readSearch, text } from "../../components/search-params.ts";
import { lazyPage } from "../../shell/lazy-page.ts";
import { rootRoute } from "../../shell/root-route.tsx";

export const pluginsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/plugins",
  staticData: {
    title: "Plugins",
    audience: "admins",
    nav: { section: "content", order: 18, icon: IconPuzzle },
  },
  validateSearch: readSearch({ q: text, status: oneOf("active", "draft"), add: oneOf("plugin") }),
  component: lazyPage(() => import("./plugins-page.tsx"), "PluginsPage"),
});

export const pluginRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/plugins/$slug",
  staticData: { title: "Plugin", audience: "admins", partOf: "/plugins" },
  validateSearch: readSearch({
    tab: oneOf("contents", "releases", "access", "settings"),
    version: text,
    publish: oneOf("yes"),
  }),
  component: lazyPage(() => import("./plugin-page.tsx"), "PluginPage"),
});
