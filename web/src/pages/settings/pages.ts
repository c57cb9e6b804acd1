/** The pages behind the navigation entry "Settings". */
export const SETTINGS_PAGES = [
  { label: "Limits", to: "/settings" },
  { label: "Log and retention", to: "/settings/log" },
  { label: "Sign-in", to: "/settings/sign-in" },
  { label: "API tokens", to: "/api-tokens" },
  { label: "Audit", to: "/audit" },
  { label: "About", to: "/settings/about" },
] as const;
