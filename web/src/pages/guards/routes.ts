import { IconShieldCheck } from "@tabler/icons-react";
import { createRoute } from "@tanstack/react-router";
import { oneOf, readSearch, text } from "../../components/search-params.ts";
import { lazyPage } from "../../shell/lazy-page.ts";
import { rootRoute } from "../../shell/root-route.tsx";

export const guardsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/guards",
  staticData: {
    title: "Guards",
    audience: "admins",
    nav: { section: "gateway", order: 30, icon: IconShieldCheck },
  },
  validateSearch: readSearch({
    q: text,
    type: oneOf("runtime", "buildtime"),
    enabled: oneOf("yes", "no"),
    add: oneOf("guard"),
  }),
  component: lazyPage(() => import("./guards-page.tsx"), "GuardsPage"),
});

export const guardRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/guards/$slug",
  staticData: { title: "Guard", audience: "admins", partOf: "/guards" },
  validateSearch: readSearch({ tab: oneOf("settings", "checks", "test", "dry-run") }),
  component: lazyPage(() => import("./guard-page.tsx"), "GuardPage"),
});
