import { IconRoute } from "@tabler/icons-react";
import { createRoute } from "@tanstack/react-router";
import { oneOf, readSearch, text } from "../../components/search-params.ts";
import { lazyPage } from "../../shell/lazy-page.ts";
import { rootRoute } from "../../shell/root-route.tsx";

export const accessRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/access",
  staticData: { title: "Access", audience: "admins", nav: { section: "access", order: 40, icon: IconRoute } },
  validateSearch: readSearch({
    tab: oneOf("user", "tool", "requests"),
    email: text,
    tool: text,
    server: text,
    q: text,
    verdict: oneOf("allowed", "not_connected", "refused"),
    status: oneOf("pending", "approved", "denied", "withdrawn"),
    open: text,
  }),
  component: lazyPage(() => import("./access-page.tsx"), "AccessPage"),
});
