import { createRoute } from "@tanstack/react-router";
import { readSearch, text } from "../../components/search-params.ts";
import { lazyPage } from "../../shell/lazy-page.ts";
import { rootRoute } from "../../shell/root-route.tsx";

export const accessRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/access",
  staticData: { title: "Access", audience: "admins", partOf: "/groups" },
  validateSearch: readSearch({ email: text, q: text, tool: text }),
  component: lazyPage(() => import("./access-page.tsx"), "AccessPage"),
});
