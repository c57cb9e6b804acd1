import { IconHome } from "@tabler/icons-react";
import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { rootRoute } from "../../shell/root-route.tsx";

export const homeRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/",
  staticData: { title: "Home", audience: "admins", nav: { group: "top", order: 10, icon: IconHome } },
  component: lazyRouteComponent(() => import("./home-page.tsx"), "HomePage"),
});
