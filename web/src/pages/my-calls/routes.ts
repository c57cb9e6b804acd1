import { IconListDetails } from "@tabler/icons-react";
import { createRoute } from "@tanstack/react-router";
import { oneOf, readSearch, text } from "../../components/search-params.ts";
import { lazyPage } from "../../shell/lazy-page.ts";
import { rootRoute } from "../../shell/root-route.tsx";
import { OUTCOMES } from "../logs/call-labels.ts";

export const myCallsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/my-calls",
  staticData: {
    title: "Your calls",
    audience: "everyone",
    nav: { section: "you", order: 15, icon: IconListDetails },
  },
  validateSearch: readSearch({ server: text, outcome: oneOf(...OUTCOMES) }),
  component: lazyPage(() => import("./my-calls-page.tsx"), "MyCallsPage"),
});
