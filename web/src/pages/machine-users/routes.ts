import { IconRobot } from "@tabler/icons-react";
import { createRoute } from "@tanstack/react-router";
import { oneOf, readSearch, text } from "../../components/search-params.ts";
import { lazyPage } from "../../shell/lazy-page.ts";
import { rootRoute } from "../../shell/root-route.tsx";

export const machineUsersRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/machine-users",
  staticData: { title: "Machine users", audience: "admins", nav: { section: "access", order: 30, icon: IconRobot } },
  validateSearch: readSearch({ q: text, group: text, add: oneOf("machine-user") }),
  component: lazyPage(() => import("./machine-users-page.tsx"), "MachineUsersPage"),
});

export const machineUserRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/machine-users/$slug",
  staticData: { title: "Machine user", audience: "admins", partOf: "/machine-users" },
  validateSearch: readSearch({ tab: oneOf("overview", "connections", "access"), q: text, tool: text }),
  component: lazyPage(() => import("./machine-user-page.tsx"), "MachineUserPage"),
});
