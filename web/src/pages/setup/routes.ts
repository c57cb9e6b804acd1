import { IconTerminal2 } from "@tabler/icons-react";
import { createRoute } from "@tanstack/react-router";
import { oneOf, readSearch, text } from "../../components/search-params.ts";
import { lazyPage } from "../../shell/lazy-page.ts";
import { rootRoute } from "../../shell/root-route.tsx";
import { CLIENT_IDS } from "./client-ids.ts";

export const setupRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/setup",
  staticData: {
    title: "Connect a client",
    audience: "everyone",
    nav: { section: "you", order: 20, icon: IconTerminal2 },
  },
  validateSearch: readSearch({
    client: oneOf(...CLIENT_IDS),
    as: oneOf("person", "machine"),
    server: text,
    toolkit: text,
    tools: oneOf("search"),
  }),
  component: lazyPage(() => import("./setup-page.tsx"), "SetupPage"),
});
