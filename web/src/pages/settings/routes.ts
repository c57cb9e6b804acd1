import { IconSettings } from "@tabler/icons-react";
import { createRoute } from "@tanstack/react-router";
import { lazyPage } from "../../shell/lazy-page.ts";
import { rootRoute } from "../../shell/root-route.tsx";

const component = lazyPage(() => import("./settings-page.tsx"), "SettingsPage");

export const settingsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/settings",
  staticData: { title: "Settings", audience: "admins", nav: { section: "bottom", order: 10, icon: IconSettings } },
  component,
});

/** `/settings/sign-in`: a part other than the first. */
export const settingsPartRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/settings/$part",
  staticData: { title: "Settings", audience: "admins", partOf: "/settings" },
  component,
});
