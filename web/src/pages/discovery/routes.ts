import { IconDeviceLaptop, IconListSearch, IconRadar2, IconShieldCog } from "@tabler/icons-react";
import { createRoute } from "@tanstack/react-router";
import { oneOf, readSearch, text } from "../../components/search-params.ts";
import { lazyPage } from "../../shell/lazy-page.ts";
import { rootRoute } from "../../shell/root-route.tsx";

export const discoveryRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/discovery",
  staticData: {
    title: "Overview",
    audience: "admins",
    nav: { section: "discovery", order: 10, icon: IconRadar2 },
  },
  component: lazyPage(() => import("./overview-page.tsx"), "OverviewPage"),
});

export const inventoryRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/discovery/inventory",
  staticData: {
    title: "Inventory",
    audience: "admins",
    nav: { section: "discovery", order: 20, icon: IconListSearch },
  },
  validateSearch: readSearch({
    tab: oneOf("servers", "skills", "memory", "agents"),
    q: text,
    action: oneOf("allow", "warn", "block"),
    review: oneOf("unreviewed", "approved", "rejected", "ignored"),
    managed: oneOf("true", "false"),
    risk: oneOf("25", "50"),
    device: text,
    client: text,
    sort: oneOf("risk", "devices", "last_seen", "first_seen", "name"),
    order: oneOf("asc", "desc"),
    item: text,
    do: oneOf("import"),
  }),
  component: lazyPage(() => import("./inventory-page.tsx"), "InventoryPage"),
});

export const devicesRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/discovery/devices",
  staticData: {
    title: "Devices",
    audience: "admins",
    nav: { section: "discovery", order: 30, icon: IconDeviceLaptop },
  },
  validateSearch: readSearch({ q: text, status: oneOf("active", "stale", "retired"), device: text }),
  component: lazyPage(() => import("./devices-page.tsx"), "DevicesPage"),
});

export const policyRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/discovery/policy",
  staticData: { title: "Policy", audience: "admins", nav: { section: "discovery", order: 40, icon: IconShieldCog } },
  validateSearch: readSearch({
    tab: oneOf("rules", "violations", "history"),
    rule: text,
    status: oneOf("open", "resolved"),
    action: oneOf("warn", "block"),
  }),
  component: lazyPage(() => import("./policy-page.tsx"), "PolicyPage"),
});

export const rollOutRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/discovery/roll-out",
  staticData: { title: "Roll out the scan agent", audience: "admins", partOf: "/discovery" },
  component: lazyPage(() => import("./roll-out-page.tsx"), "RollOutPage"),
});
