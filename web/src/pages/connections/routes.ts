import { IconPlugConnected } from "@tabler/icons-react";
import { createRoute } from "@tanstack/react-router";
import { oneOf, readSearch, text } from "../../components/search-params.ts";
import { lazyPage } from "../../shell/lazy-page.ts";
import { rootRoute } from "../../shell/root-route.tsx";

export const connectionsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/connections",
  staticData: {
    title: "Connections",
    audience: "everyone",
    nav: { section: "you", order: 10, icon: IconPlugConnected },
  },
  validateSearch: readSearch({
    tab: oneOf("more", "requests"),
    q: text,
    state: oneOf("connected", "waiting"),
    open: text,
    for: text,
  }),
  component: lazyPage(() => import("./connections-page.tsx"), "ConnectionsPage"),
});
