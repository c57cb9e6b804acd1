import { IconPlayerPlay } from "@tabler/icons-react";
import { createRoute } from "@tanstack/react-router";
import { readSearch, text } from "../../components/search-params.ts";
import { lazyPage } from "../../shell/lazy-page.ts";
import { rootRoute } from "../../shell/root-route.tsx";

export const playgroundRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/playground",
  staticData: {
    title: "Playground",
    audience: "everyone",
    nav: { section: "activity", order: 20, icon: IconPlayerPlay },
  },
  validateSearch: readSearch({ tool: text, q: text }),
  component: lazyPage(() => import("./playground-page.tsx"), "PlaygroundPage"),
});
