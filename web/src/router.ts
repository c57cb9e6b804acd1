import { createRouter, type RouterHistory } from "@tanstack/react-router";
import { BASE_PATH } from "./api/base-path.ts";
import { routes } from "./pages/routes.ts";
import { NotFound } from "./shell/not-found.tsx";
import { PageError } from "./shell/page-error.tsx";
import { rootRoute } from "./shell/root-route.tsx";

export function createAppRouter(history?: RouterHistory) {
  return createRouter({
    basepath: BASE_PATH || "/",
    routeTree: rootRoute.addChildren(routes),
    ...(history ? { history } : {}),
    defaultPreload: "intent",
    defaultErrorComponent: PageError,
    defaultNotFoundComponent: NotFound,
    scrollRestoration: true,
    // Search parameters stay text: `?q=007` must not become a number.
    parseSearch: (text) => Object.fromEntries(new URLSearchParams(text)),
    stringifySearch: (search) => {
      const given = Object.entries(search).filter(([, value]) => value !== undefined && value !== "");
      const text = String(new URLSearchParams(given.map(([name, value]) => [name, String(value)])));
      return text === "" ? "" : `?${text}`;
    },
  });
}

declare module "@tanstack/react-router" {
  interface Register {
    router: ReturnType<typeof createAppRouter>;
  }
}
