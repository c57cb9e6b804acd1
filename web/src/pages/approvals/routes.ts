import { IconChecklist } from "@tabler/icons-react";
import { createRoute } from "@tanstack/react-router";
import { oneOf, readSearch, text } from "../../components/search-params.ts";
import { lazyPage } from "../../shell/lazy-page.ts";
import { rootRoute } from "../../shell/root-route.tsx";
import { usePendingApprovals } from "./pending-approvals.ts";

export const approvalsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/approvals",
  staticData: {
    title: "Approvals",
    audience: "admins",
    nav: { section: "gateway", order: 40, icon: IconChecklist, useCount: usePendingApprovals },
  },
  validateSearch: readSearch({
    tab: oneOf("history"),
    q: text,
    status: oneOf("approved", "denied", "expired"),
    guard: text,
  }),
  component: lazyPage(() => import("./approvals-page.tsx"), "ApprovalsPage"),
});

/** Callers follow the link in a tool's result to this page too. */
export const approvalRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/approvals/$id",
  staticData: { title: "Approval", audience: "everyone", partOf: "/approvals" },
  component: lazyPage(() => import("./approval-page.tsx"), "ApprovalPage"),
});
