import { IconUsers } from "@tabler/icons-react";
import { createRoute } from "@tanstack/react-router";
import { oneOf, readSearch, text } from "../../components/search-params.ts";
import { lazyPage } from "../../shell/lazy-page.ts";
import { rootRoute } from "../../shell/root-route.tsx";

export const usersRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/users",
  staticData: {
    title: "Users",
    audience: "admins",
    nav: { section: "access", order: 20, icon: IconUsers },
  },
  validateSearch: readSearch({
    q: text,
    group: text,
    role: oneOf("owner", "admin", "auditor", "member"),
    add: oneOf("person"),
  }),
  component: lazyPage(() => import("./users-page.tsx"), "UsersPage"),
});

export const userRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/users/$email",
  staticData: { title: "User", audience: "admins", partOf: "/users" },
  validateSearch: readSearch({
    tab: oneOf("overview", "connections", "access", "sessions"),
    q: text,
    tool: text,
  }),
  component: lazyPage(() => import("./user-page.tsx"), "UserPage"),
});
