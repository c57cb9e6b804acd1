import { IconCertificate } from "@tabler/icons-react";
import { createRoute } from "@tanstack/react-router";
import { oneOf, readSearch, text } from "../../components/search-params.ts";
import { lazyPage } from "../../shell/lazy-page.ts";
import { rootRoute } from "../../shell/root-route.tsx";

export const issuersRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/issuers",
  staticData: {
    title: "Trusted issuers",
    audience: "admins",
    nav: { section: "access", order: 60, icon: IconCertificate },
  },
  validateSearch: readSearch({ q: text, add: oneOf("issuer") }),
  component: lazyPage(() => import("./issuers-page.tsx"), "IssuersPage"),
});

export const issuerRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/issuers/$slug",
  staticData: { title: "Trusted issuer", audience: "admins", partOf: "/issuers" },
  validateSearch: readSearch({ tab: oneOf("settings", "test", "credentials"), active: oneOf("yes", "no") }),
  component: lazyPage(() => import("./issuer-page.tsx"), "IssuerPage"),
});
