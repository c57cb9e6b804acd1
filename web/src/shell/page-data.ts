import type { Icon } from "@tabler/icons-react";

export type NavGroup = "top" | "Gateway" | "Access" | "Activity" | "You" | "bottom";

/** What the shell knows of a page, as `staticData` of its route. */
export interface PageData {
  /** What the command palette and the browser's tab call it. */
  readonly title: string;
  /** `admins` also means auditors, who may look. */
  readonly audience: "admins" | "everyone";
  /** Left out: reached from other pages only. */
  readonly nav?: {
    readonly group: NavGroup;
    readonly order: number;
    readonly icon: Icon;
    /** People who do not administer have few pages, and some stand in the navigation for them alone. */
    readonly membersOnly?: true;
  };
  /** The path of the page whose navigation entry is marked while this one is open. */
  readonly partOf?: string;
}

declare module "@tanstack/react-router" {
  interface StaticDataRouteOption extends PageData {}
}
