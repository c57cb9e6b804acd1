import { IconSlash } from "@tabler/icons-react";
import { createRoute } from "@tanstack/react-router";
import { oneOf, readSearch, text } from "../../components/search-params.ts";
import { lazyPage } from "../../shell/lazy-page.ts";
import { rootRoute } from "../../shell/root-route.tsx";

export const commandsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/commands",
  staticData: {
    title: "Commands",
    audience: "admins",
    nav: { section: "content", order: 17, icon: IconSlash },
  },
  validateSearch: readSearch({ q: text, status: oneOf("active", "draft"), add: oneOf("command", "import") }),
  component: lazyPage(() => import("./commands-page.tsx"), "CommandsPage"),
});

export const commandRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/commands/$slug",
  staticData: { title: "Command", audience: "admins", partOf: "/commands" },
  validateSearch: readSearch({ tab: oneOf("content", "access", "settings") }),
  component: lazyPage(() => import("./command-page.tsx"), "CommandPage"),
});
