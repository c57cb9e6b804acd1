import { IconUsersGroup } from "@tabler/icons-react";
import { createRoute } from "@tanstack/react-router";
import { oneOf, readSearch, text } from "../../components/search-params.ts";
import { lazyPage } from "../../shell/lazy-page.ts";
import { rootRoute } from "../../shell/root-route.tsx";

export const groupsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/groups",
  staticData: {
    title: "Groups",
    audience: "admins",
    nav: { section: "access", order: 10, icon: IconUsersGroup },
  },
  validateSearch: readSearch({ q: text, add: oneOf("group") }),
  component: lazyPage(() => import("./groups-page.tsx"), "GroupsPage"),
});

export const groupRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/groups/$name",
  staticData: { title: "Group", audience: "admins", partOf: "/groups" },
  validateSearch: readSearch({
    tab: oneOf("members", "servers", "toolkits", "skills", "commands", "plugins", "settings"),
    q: text,
    add: oneOf("members", "servers"),
    select: text,
  }),
  component: lazyPage(() => import("./group-page.tsx"), "GroupPage"),
});
