export const AUTH_CHOICES = [
  { value: "none", label: "None" },
  { value: "proxy-oauth", label: "OAuth per user" },
  { value: "proxy-api-key", label: "API key per user" },
] as const;

export const TRANSPORT_CHOICES = [
  { value: "both", label: "Automatic: streamable HTTP, then SSE" },
  { value: "http", label: "Streamable HTTP" },
  { value: "sse", label: "SSE (2024-11-05)" },
] as const;

export const POLICY_CHOICES = [
  { value: "allow", label: "Allow" },
  { value: "warn", label: "Allow and flag for review" },
  { value: "hold", label: "Hold for review" },
] as const;
