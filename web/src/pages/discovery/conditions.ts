import type { Schemas } from "../../api/client.ts";
import { REVIEW_LABELS } from "./discovery.ts";

export type Match = Schemas["CreateDiscoveryRule"]["match"];

/** Conditions with a list of values each. The first ones are always shown in the form. */
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
  { name: "devices", label: "Devices", hint: "ID of a device", kinds: ["mcp_server", "skill"] },
  { name: "fingerprint", label: "Fingerprint", hint: "sha256:…", kinds: ["mcp_server"] },
  { name: "digest", label: "Digest", hint: "sha256:…", kinds: ["skill"] },
] as const;
const SHOWN: readonly string[] = ["name", "host", "package", "client"];

interface Choice extends Condition {
  readonly label: string;
  readonly options: Readonly<Record<string, string>>;
}

/** Conditions whose values are known. */
export const CHOICE_CONDITIONS: readonly Choice[] = [
  {
    name: "transport",
    label: "Transport",
    kinds: ["mcp_server"],
    options: { stdio: "Local program (stdio)", http: "Streamable HTTP", sse: "SSE" },
  },
  {
    name: "scope",
    label: "Scope",
    kinds: ["mcp_server"],
    options: { user: "User", project: "Project", plugin: "Plugin", managed: "Managed", extension: "Extension" },
  },
  { name: "review_status", label: "Review", kinds: ["mcp_server", "skill"], options: REVIEW_LABELS },
  {
    name: "os",
    label: "Operating system",
    kinds: ["mcp_server", "skill"],
    options: { darwin: "macOS", linux: "Linux", win32: "Windows" },
  },
];

/** Conditions that are true or false. */
export const FLAG_CONDITIONS = [
  { name: "managed", label: "Managed here", kinds: ["mcp_server", "skill"] },
  { name: "registered", label: "Registered here", kinds: ["mcp_server"] },
  { name: "in_registry", label: "In the catalog", kinds: ["mcp_server"] },
  { name: "unpinned", label: "Package without a version", kinds: ["mcp_server"] },
  { name: "has_scripts", label: "Contains scripts", kinds: ["skill"] },
] as const;

interface Condition {
  readonly name: keyof Match;
  readonly kinds: readonly string[];
}

export function conditionsFor<Each extends Condition>(conditions: readonly Each[], kind: string): Each[] {
  return conditions.filter(({ kinds }) => kinds.includes(kind));
}

/** Whether the form shows the condition before "More conditions" is chosen. */
export function isShown(name: string): boolean {
  return SHOWN.includes(name);
}

const LABELS: ReadonlyMap<string, string> = new Map(
  [...LIST_CONDITIONS, ...CHOICE_CONDITIONS, ...FLAG_CONDITIONS].map(({ name, label }) => [name, label]),
);

/** "Host is *.example.com, risk at least 50" */
export function describeMatch(match: Readonly<Record<string, unknown>>): string {
  return Object.entries(match)
    .map(([name, value]) => {
      const label = LABELS.get(name) ?? name.replaceAll("_", " ");
      if (name === "min_risk") return `Risk at least ${String(value)}`;
      if (typeof value === "boolean") return `${label}: ${value ? "yes" : "no"}`;
      return `${label}: ${Array.isArray(value) ? value.join(" or ") : String(value)}`;
    })
    .join(", ");
}
