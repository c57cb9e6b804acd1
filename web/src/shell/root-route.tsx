import { createRootRoute } from "@tanstack/react-router";
import { NotFound } from "./not-found.tsx";
import type { PageData } from "./page-data.ts";
import { PageError } from "./page-error.tsx";
import { Shell } from "./shell.tsx";

/** The parent of every page. */
export const rootRoute = createRootRoute({
  component: Shell,
  notFoundComponent: NotFound,
  errorComponent: PageError,
  staticData: { title: "Gatehouse", audience: "everyone" },
});

declare module "@tanstack/react-router" {
  interface StaticDataRouteOption extends PageData {}
}
