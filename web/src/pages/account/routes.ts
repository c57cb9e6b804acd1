import { createRoute } from "@tanstack/react-router";
import { lazyPage } from "../../shell/lazy-page.ts";
import { rootRoute } from "../../shell/root-route.tsx";

export const accountRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/account",
  staticData: { title: "Account", audience: "everyone" },
  component: lazyPage(() => import("./account-page.tsx"), "AccountPage"),
});
