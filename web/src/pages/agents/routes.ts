import { IconBolt } from "@tabler/icons-react";
import { createRoute } from "@tanstack/react-router";
import { oneOf, readSearch, text } from "../../components/search-params.ts";
import { lazyPage } from "../../shell/lazy-page.ts";
import { rootRoute } from "../../shell/root-route.tsx";

export const agentsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/agents",
  staticData: { title: "Agents", audience: "admins", nav: { section: "gateway", order: 40, icon: IconBolt } },
  validateSearch: readSearch({ q: text, status: oneOf("active", "paused", "draft"), add: oneOf("agent", "import") }),
  component: lazyPage(() => import("./agents-page.tsx"), "AgentsPage"),
});

export const agentRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/agents/$slug",
  staticData: { title: "Agent", audience: "admins", partOf: "/agents" },
  validateSearch: readSearch({
    tab: oneOf("sessions", "triggers", "settings"),
    run: oneOf("session"),
    test: text,
    status: oneOf("queued", "running", "waiting_approval", "completed", "failed", "canceled", "timed_out"),
    trigger: oneOf("api", "schedule", "webhook"),
  }),
  component: lazyPage(() => import("./agent-page.tsx"), "AgentPage"),
});

export const agentSessionRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/agents/$slug/sessions/$id",
  staticData: { title: "Session", audience: "admins", partOf: "/agents" },
  validateSearch: readSearch({}),
  component: lazyPage(() => import("./session-page.tsx"), "SessionPage"),
});
