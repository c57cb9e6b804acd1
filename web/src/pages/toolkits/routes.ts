import { IconTools } from "@tabler/icons-react";
import { createRoute } from "@tanstack/react-router";
import { oneOf, readSearch, text } from "../../components/search-params.ts";
import { lazyPage } from "../../shell/lazy-page.ts";
import { rootRoute } from "../../shell/root-route.tsx";

export const toolkitsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/toolkits",
  staticData: {
    title: "Toolkits",
    audience: "admins",
    nav: { section: "access", order: 15, icon: IconTools },
  },
  validateSearch: readSearch({ q: text, status: oneOf("active", "draft"), add: oneOf("toolkit") }),
  component: lazyPage(() => import("./toolkits-page.tsx"), "ToolkitsPage"),
});

export const toolkitRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/toolkits/$slug",
  staticData: { title: "Toolkit", audience: "admins", partOf: "/toolkits" },
  validateSearch: readSearch({
    tab: oneOf("tools", "access", "settings"),
  }),
  component: lazyPage(() => import("./toolkit-page.tsx"), "ToolkitPage"),
});
