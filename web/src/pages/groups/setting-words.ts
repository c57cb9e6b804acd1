import type { Group } from "./groups.ts";

export type GroupSetting = keyof Group["settings"];

interface SettingWords {
  readonly key: GroupSetting;
  readonly label: string;
  readonly description: string;
  /** In the list, where it is on. */
  readonly short: string;
}

/** What each setting does, in plain words (D15, D16). */
export const GROUP_SETTINGS: readonly SettingWords[] = [
  {
    key: "auto_assign_users",
    label: "New people join by themselves",
    description:
      "Every person who is created from now on becomes a member. Machine users do not, and nobody who is here already.",
    short: "New people",
  },
  {
    key: "auto_assign_mcps",
    label: "New servers join by themselves",
    description:
      "Every MCP server that is added from now on can be called by the members at once. Servers that are here already stay where they are.",
    short: "New servers",
  },
  {
    key: "show_draft_mcps",
    label: "Members see drafts",
    description:
      "Members list and call this group's draft servers too. For those who try a server before everybody gets it.",
    short: "Drafts",
  },
];
