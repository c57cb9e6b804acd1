export const AUTH_CHOICES = [
  { value: "none", label: "Nothing: everybody in the groups may call it" },
  { value: "proxy-oauth", label: "An OAuth sign-in of their own" },
  { value: "proxy-api-key", label: "An API key of their own" },
] as const;

export const TRANSPORT_CHOICES = [
  { value: "both", label: "Find out: streamable HTTP, then SSE" },
  { value: "http", label: "Streamable HTTP" },
  { value: "sse", label: "SSE (2024-11-05)" },
] as const;

export const POLICY_CHOICES = [
  { value: "allow", label: "Take them as they come" },
  { value: "warn", label: "Take them, and mark them until an admin has looked" },
  { value: "hold", label: "Hold them back until an admin accepts them" },
] as const;
