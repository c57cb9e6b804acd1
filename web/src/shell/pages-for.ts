import { type AnyRoute, useMatches, useRouter } from "@tanstack/react-router";
import { useRights } from "../api/context.tsx";
import { arrangeNavigation, type NavEntries } from "./arrange-navigation.ts";
import type { KnownPage } from "./page-data.ts";

/** Every page with a fixed URL that the signed-in person can open. */
export function useKnownPages(): readonly KnownPage[] {
  const { administers } = useRights();
  const { routesById } = useRouter();
  const routes: AnyRoute[] = Object.values(routesById);
  return routes
    .filter((route) => route.id !== "__root__" && !route.fullPath.includes("$"))
    .map((route): KnownPage => ({ ...route.options.staticData, path: route.fullPath }))
    .filter(({ audience }) => administers || audience === "everyone");
}

/** The navigation of the signed-in person. */
export function useNavigation(): readonly NavEntries[] {
  return arrangeNavigation(useKnownPages());
}

/** The open page, as its route describes it. */
export function useOpenPage(): KnownPage {
  const open = useMatches().at(-1);
  return { title: "Gatehouse", audience: "everyone", ...open?.staticData, path: open?.fullPath ?? "/" };
}
