/** People and machine users share an entry of the navigation. */
export const USER_PAGES = [
  { label: "People", to: "/users" },
  { label: "Machine users", to: "/machine-users" },
] as const;
