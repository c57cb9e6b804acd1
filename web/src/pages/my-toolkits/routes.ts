import { IconTools } from "@tabler/icons-react";
import { createRoute } from "@tanstack/react-router";
import { oneOf, readSearch, text } from "../../components/search-params.ts";
import { lazyPage } from "../../shell/lazy-page.ts";
import { rootRoute } from "../../shell/root-route.tsx";

export const myToolkitsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/my-toolkits",
  staticData: {
    title: "Your toolkits",
    audience: "everyone",
    nav: { section: "you", order: 17, icon: IconTools },
  },
  validateSearch: readSearch({ add: oneOf("toolkit"), edit: text }),
  component: lazyPage(() => import("./my-toolkits-page.tsx"), "MyToolkitsPage"),
});
