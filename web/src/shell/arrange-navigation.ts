import { NAV_SECTIONS, type NavSection } from "./nav-sections.ts";
import type { KnownPage } from "./page-data.ts";

export interface NavEntries {
  readonly section: NavSection;
  readonly pages: readonly KnownPage[];
}

/** The pages of the navigation by section, each in its order. Empty sections are left out. */
export function arrangeNavigation(pages: readonly KnownPage[]): NavEntries[] {
  return NAV_SECTIONS.map((section) => ({
    section,
    pages: pages
      .filter(({ nav }) => nav?.section === section.id)
      .sort((a, b) => (a.nav?.order ?? 0) - (b.nav?.order ?? 0)),
  })).filter((entries) => entries.pages.length > 0);
}
