import { IconHistory } from "@tabler/icons-react";
import { createRoute } from "@tanstack/react-router";
import { oneOf, readSearch, text } from "../../components/search-params.ts";
import { lazyPage } from "../../shell/lazy-page.ts";
import { rootRoute } from "../../shell/root-route.tsx";

export const auditRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/audit",
  staticData: { title: "Audit log", audience: "admins", nav: { section: "activity", order: 30, icon: IconHistory } },
  validateSearch: readSearch({
    actor: text,
    kind: text,
    target: text,
    operation: text,
    since: oneOf("1", "7", "30", "90"),
    open: text,
  }),
  component: lazyPage(() => import("./audit-page.tsx"), "AuditPage"),
});
