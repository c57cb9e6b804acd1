import { IconWebhook } from "@tabler/icons-react";
import { createRoute } from "@tanstack/react-router";
import { oneOf, readSearch, text } from "../../components/search-params.ts";
import { lazyPage } from "../../shell/lazy-page.ts";
import { rootRoute } from "../../shell/root-route.tsx";

export const webhooksRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/webhooks",
  staticData: { title: "Webhooks", audience: "admins", nav: { section: "bottom", order: 7, icon: IconWebhook } },
  validateSearch: readSearch({ q: text, add: oneOf("webhook") }),
  component: lazyPage(() => import("./webhooks-page.tsx"), "WebhooksPage"),
});

export const webhookRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/webhooks/$id",
  staticData: { title: "Webhook", audience: "admins", partOf: "/webhooks" },
  validateSearch: readSearch({
    tab: oneOf("deliveries", "verify", "settings"),
    status: oneOf("pending", "delivered", "failed"),
    event: text,
    open: text,
    edit: oneOf("webhook", "secret"),
  }),
  component: lazyPage(() => import("./webhook-page.tsx"), "WebhookPage"),
});
