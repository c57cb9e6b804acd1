import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { readSearch, text } from "../../components/search-params.ts";
import { rootRoute } from "../../shell/root-route.tsx";

export const accessRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/access",
  staticData: { title: "Who can call what", audience: "admins", partOf: "/groups" },
  validateSearch: readSearch({ email: text, q: text, tool: text }),
  component: lazyRouteComponent(() => import("./access-page.tsx"), "AccessPage"),
});
