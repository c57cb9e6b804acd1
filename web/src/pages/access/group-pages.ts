/** Both are about who may call what, and share an entry of the navigation. */
export const GROUP_PAGES = [
  { label: "Groups", to: "/groups" },
  { label: "Who can call what", to: "/access" },
] as const;
