// Generated from web/src/pages/*/routes.ts by `npm run app-paths`. Do not edit.

/** The URLs of the admin app. Other paths are answered with 404: a page for browsers, otherwise JSON. */
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
  "/my-calls",
  "/playground",
  "/settings",
  "/settings/*",
  "/setup",
  "/toolkits",
  "/toolkits/*",
  "/users",
  "/users/*",
] as const;
