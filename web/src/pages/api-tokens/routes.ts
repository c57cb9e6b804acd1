import { IconKey } from "@tabler/icons-react";
import { createRoute } from "@tanstack/react-router";
import { oneOf, readSearch } from "../../components/search-params.ts";
import { lazyPage } from "../../shell/lazy-page.ts";
import { rootRoute } from "../../shell/root-route.tsx";

export const apiTokensRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/api-tokens",
  staticData: { title: "API tokens", audience: "admins", nav: { section: "bottom", order: 5, icon: IconKey } },
  validateSearch: readSearch({ add: oneOf("token") }),
  component: lazyPage(() => import("./api-tokens-page.tsx"), "ApiTokensPage"),
});
