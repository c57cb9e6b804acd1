import { type AnyRoute, useMatches, useRouter } from "@tanstack/react-router";
import { useRights } from "../api/context.tsx";
import type { NavGroup, PageData } from "./page-data.ts";

export interface KnownPage extends PageData {
  readonly path: string;
}

const GROUPS: readonly NavGroup[] = ["top", "Gateway", "Access", "Activity", "You", "bottom"];

/** Every page with an address of its own that the person may open. */
export function useKnownPages(): readonly KnownPage[] {
  const { administers } = useRights();
  const { routesById } = useRouter();
  const routes: AnyRoute[] = Object.values(routesById);
  return routes
    .filter((route) => route.id !== "__root__" && !route.fullPath.includes("$"))
    .map((route): KnownPage => ({ ...route.options.staticData, path: route.fullPath }))
    .filter(({ audience }) => administers || audience === "everyone");
}

/** The navigation, group by group; empty groups are left out. */
export function useNavigation(): ReadonlyArray<{ readonly group: NavGroup; readonly pages: readonly KnownPage[] }> {
  const { administers } = useRights();
  const pages = useKnownPages().filter(({ nav }) => nav && !(administers && nav.membersOnly));
  return GROUPS.map((group) => ({ group, pages: inOrder(pages.filter(({ nav }) => nav?.group === group)) })).filter(
    (entry) => entry.pages.length > 0,
  );
}

function inOrder(pages: KnownPage[]): KnownPage[] {
  return pages.sort((a, b) => (a.nav?.order ?? 0) - (b.nav?.order ?? 0));
}

/** What is open now, as its route describes it. */
export function useOpenPage(): KnownPage {
  const open = useMatches().at(-1);
  return { title: "Gatehouse", audience: "everyone", ...open?.staticData, path: open?.fullPath ?? "/" };
}
