/** Changed OAuth settings that a sync found. */
export const OAUTH_CHANGE = {
  found: {
    issuer: "https://idp.example.com",
    authorizationEndpoint: "https://idp.example.com/authorize",
    tokenEndpoint: "https://idp.example.com/token",
    resource: "https://mcp.example.com/mcp",
    scopes: [],
  },
  foundAt: 1,
};
