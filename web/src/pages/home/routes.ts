import { IconHome } from "@tabler/icons-react";
import { createRoute } from "@tanstack/react-router";
import { lazyPage } from "../../shell/lazy-page.ts";
import { rootRoute } from "../../shell/root-route.tsx";

export const homeRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/",
  staticData: { title: "Home", audience: "admins", nav: { section: "top", order: 10, icon: IconHome } },
  component: lazyPage(() => import("./home-page.tsx"), "HomePage"),
});
