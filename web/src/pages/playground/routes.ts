import { IconPlayerPlay } from "@tabler/icons-react";
import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { readSearch, text } from "../../components/search-params.ts";
import { rootRoute } from "../../shell/root-route.tsx";

export const playgroundRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/playground",
  staticData: {
    title: "Playground",
    audience: "everyone",
    nav: { group: "Activity", order: 20, icon: IconPlayerPlay },
  },
  validateSearch: readSearch({ tool: text, q: text }),
  component: lazyRouteComponent(() => import("./playground-page.tsx"), "PlaygroundPage"),
});
