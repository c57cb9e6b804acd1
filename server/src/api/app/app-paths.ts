// Generated from web/src/pages/*/routes.ts by `npm run app-paths`. Do not edit.

/** The URLs of the admin app. Every other unknown path is a JSON 404. */
export const APP_PATHS = [
  "/",
  "/access",
  "/account",
  "/api-tokens",
  "/audit",
  "/catalog",
  "/catalog/*",
  "/connections",
  "/groups",
  "/groups/*",
  "/logs",
  "/machine-users",
  "/machine-users/*",
  "/mcp-servers",
  "/mcp-servers/*",
  "/playground",
  "/settings",
  "/settings/*",
  "/setup",
  "/users",
  "/users/*",
] as const;
