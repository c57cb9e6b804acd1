import { IconBooks } from "@tabler/icons-react";
import { createRoute } from "@tanstack/react-router";
import { readSearch, text } from "../../components/search-params.ts";
import { lazyPage } from "../../shell/lazy-page.ts";
import { rootRoute } from "../../shell/root-route.tsx";

export const libraryRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/library",
  staticData: {
    title: "Your library",
    audience: "everyone",
    nav: { section: "you", order: 16, icon: IconBooks },
  },
  validateSearch: readSearch({ q: text }),
  component: lazyPage(() => import("./library-page.tsx"), "LibraryPage"),
});
