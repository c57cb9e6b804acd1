/** Users and machine users share a navigation entry. */
export const USER_PAGES = [
  { label: "Users", to: "/users" },
  { label: "Machine users", to: "/machine-users" },
] as const;
