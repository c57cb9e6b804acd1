import type { Icon } from "@tabler/icons-react";
import type { NavSection } from "./nav-sections.ts";

/** What the shell knows about a page: the `staticData` of its route. */
export interface PageData {
  /** Shown in the command palette and the browser's tab. */
  readonly title: string;
  /** `admins` includes auditors, who have read access. */
  readonly audience: "admins" | "everyone";
  /** Omitted for pages that are reached from other pages only. */
  readonly nav?: {
    readonly section: NavSection["id"];
    /** Position in the section. */
    readonly order: number;
    readonly icon: Icon;
    /** A hook: how many entries of the page wait for the user. */
    readonly useCount?: () => number;
  };
  /** The path of the page whose navigation entry is highlighted while this page is open. */
  readonly partOf?: string;
}

export interface KnownPage extends PageData {
  readonly path: string;
}
