/** Groups and access share a navigation entry. */
export const GROUP_PAGES = [
  { label: "Groups", to: "/groups" },
  { label: "Access", to: "/access" },
] as const;
