import type { Schemas } from "../../api/client.ts";

export type Match = Schemas["CreateDiscoveryRule"]["match"];

/** Conditions that the form offers, with a list of values each. Others are kept as they are. */
export const LIST_CONDITIONS = [
  { name: "name", label: "Name", hint: "*github*", kinds: ["mcp_server", "skill"] },
  { name: "host", label: "Host", hint: "*.example.com", kinds: ["mcp_server"] },
  { name: "url", label: "URL", hint: "https://mcp.example.com/*", kinds: ["mcp_server"] },
  { name: "package", label: "Package", hint: "npm:@acme/*", kinds: ["mcp_server"] },
  { name: "command", label: "Program", hint: "npx", kinds: ["mcp_server"] },
  { name: "publisher", label: "Publisher", hint: "@acme", kinds: ["mcp_server"] },
  { name: "client", label: "Client", hint: "cursor", kinds: ["mcp_server", "skill"] },
  { name: "groups", label: "Groups of the user", hint: "Finance", kinds: ["mcp_server", "skill"] },
  { name: "users", label: "Users", hint: "ada@example.com", kinds: ["mcp_server", "skill"] },
  { name: "fingerprint", label: "Fingerprint", hint: "sha256:…", kinds: ["mcp_server"] },
  { name: "digest", label: "Digest", hint: "sha256:…", kinds: ["skill"] },
] as const;
export type ListCondition = (typeof LIST_CONDITIONS)[number]["name"];

/** "Host is *.example.com, risk at least 50" */
export function describeMatch(match: Readonly<Record<string, unknown>>): string {
  return Object.entries(match)
    .map(([name, value]) => {
      const label = LIST_CONDITIONS.find((each) => each.name === name)?.label ?? name.replaceAll("_", " ");
      if (name === "min_risk") return `Risk at least ${String(value)}`;
      if (typeof value === "boolean") return value ? label : `Not ${label}`;
      return `${label}: ${Array.isArray(value) ? value.join(" or ") : String(value)}`;
    })
    .join(", ");
}
