import { IconActivity } from "@tabler/icons-react";
import { createRoute } from "@tanstack/react-router";
import { CALL_GUARD_ACTIONS } from "#openapi/constants";
import { oneOf, readSearch, text } from "../../components/search-params.ts";
import { lazyPage } from "../../shell/lazy-page.ts";
import { rootRoute } from "../../shell/root-route.tsx";
import { METHODS, OUTCOMES, VIAS } from "./call-labels.ts";
import { RANGES, time } from "./time-range.ts";

const milliseconds = (given: string) => (/^\d{1,8}$/.test(given) ? given : undefined);

export const logsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/logs",
  staticData: { title: "Logs", audience: "admins", nav: { section: "activity", order: 10, icon: IconActivity } },
  validateSearch: readSearch({
    q: text,
    range: oneOf(...RANGES),
    from: time,
    to: time,
    user: text,
    server: text,
    tool: text,
    outcome: oneOf(...OUTCOMES),
    method: oneOf(...METHODS),
    lists: oneOf("shown"),
    min_ms: milliseconds,
    max_ms: milliseconds,
    via: oneOf(...VIAS),
    client: text,
    toolkit: text,
    guard: text,
    agent: text,
    agent_session: text,
    guard_action: oneOf(...CALL_GUARD_ACTIONS),
    error: text,
    request_id: text,
    trace_id: text,
    live: oneOf("on"),
    call: text,
  }),
  component: lazyPage(() => import("./logs-page.tsx"), "LogsPage"),
});
