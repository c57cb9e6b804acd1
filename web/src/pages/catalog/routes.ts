import { IconLayoutGrid } from "@tabler/icons-react";
import { createRoute } from "@tanstack/react-router";
import { oneOf, readSearch, text } from "../../components/search-params.ts";
import { lazyPage } from "../../shell/lazy-page.ts";
import { rootRoute } from "../../shell/root-route.tsx";

export const catalogRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/catalog",
  staticData: {
    title: "Catalog",
    audience: "admins",
    nav: { section: "gateway", order: 20, icon: IconLayoutGrid },
  },
  validateSearch: readSearch({ q: text, source: oneOf("connector", "registry"), category: text, add: text }),
  component: lazyPage(() => import("./catalog-page.tsx"), "CatalogPage"),
});

export const connectorRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/catalog/$connector",
  staticData: { title: "Connector", audience: "admins", partOf: "/catalog" },
  component: lazyPage(() => import("./connector-page.tsx"), "ConnectorPage"),
});
