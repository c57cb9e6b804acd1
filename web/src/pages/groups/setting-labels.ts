import type { Group } from "./groups.ts";

export type GroupSetting = keyof Group["settings"];

interface SettingLabel {
  readonly key: GroupSetting;
  readonly label: string;
  readonly description: string;
  /** Shown in the list of groups if the setting is on. */
  readonly short: string;
}

/** D15, D16. */
export const GROUP_SETTINGS: readonly SettingLabel[] = [
  {
    key: "auto_assign_users",
    label: "Auto-assign new users",
    description: "Users created from now on become members. Existing users and machine users do not.",
    short: "New users",
  },
  {
    key: "auto_assign_mcps",
    label: "Auto-assign new servers",
    description: "MCP servers created from now on are added to this group. Existing servers are not.",
    short: "New servers",
  },
  {
    key: "show_draft_mcps",
    label: "Show drafts",
    description: "Members can call this group's draft servers, for example to test a server before you activate it.",
    short: "Shows drafts",
  },
];
