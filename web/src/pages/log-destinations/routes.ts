import { IconTruckDelivery } from "@tabler/icons-react";
import { createRoute } from "@tanstack/react-router";
import { oneOf, readSearch, text } from "../../components/search-params.ts";
import { lazyPage } from "../../shell/lazy-page.ts";
import { rootRoute } from "../../shell/root-route.tsx";

export const logDestinationsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/log-destinations",
  staticData: {
    title: "Log destinations",
    audience: "admins",
    nav: { section: "bottom", order: 8, icon: IconTruckDelivery },
  },
  validateSearch: readSearch({ q: text, add: oneOf("destination"), open: text }),
  component: lazyPage(() => import("./log-destinations-page.tsx"), "LogDestinationsPage"),
});
