import { IconActivity } from "@tabler/icons-react";
import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { oneOf, readSearch, text } from "../../components/search-params.ts";
import { rootRoute } from "../../shell/root-route.tsx";
import { RANGES, time } from "./time-range.ts";
import { METHODS, OUTCOMES } from "./words.ts";

export const logsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/logs",
  staticData: { title: "Logs", audience: "admins", nav: { group: "Activity", order: 10, icon: IconActivity } },
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
    min_ms: (given) => (/^\d{1,8}$/.test(given) ? given : undefined),
    request_id: text,
    live: oneOf("on"),
    call: text,
  }),
  component: lazyRouteComponent(() => import("./logs-page.tsx"), "LogsPage"),
});
