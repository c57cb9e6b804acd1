/** A fictional organization. Only the connector names are real. */
export interface SeedServer {
  readonly connector: string;
  readonly name: string;
  readonly auth: "none" | "proxy-oauth" | "proxy-api-key";
  readonly tools: readonly string[];
  readonly groups: readonly string[];
}

export const SERVERS: readonly SeedServer[] = [
  {
    connector: "github",
    name: "GitHub",
    auth: "none",
    tools: [
      "search_repositories",
      "get_file_contents",
      "list_issues",
      "create_issue",
      "list_pull_requests",
      "merge_pull_request",
    ],
    groups: ["Engineering"],
  },
  {
    connector: "linear",
    name: "Linear",
    auth: "none",
    tools: ["list_issues", "create_issue", "update_issue", "search_documentation"],
    groups: ["Engineering", "Support"],
  },
  {
    connector: "notion",
    name: "Notion",
    auth: "proxy-oauth",
    tools: ["search", "fetch", "create_pages", "update_page"],
    groups: ["Everyone"],
  },
  {
    connector: "sentry",
    name: "Sentry",
    auth: "none",
    tools: ["find_issues", "get_issue_details", "update_issue"],
    groups: ["Engineering"],
  },
  {
    connector: "stripe",
    name: "Stripe",
    auth: "proxy-api-key",
    tools: ["list_customers", "create_invoice", "retrieve_balance", "list_disputes"],
    groups: ["Finance"],
  },
  {
    connector: "asana",
    name: "Asana",
    auth: "proxy-oauth",
    tools: ["search_tasks", "create_task"],
    groups: ["Support"],
  },
  {
    connector: "atlassian",
    name: "Atlassian",
    auth: "none",
    tools: ["search_jira_issues", "get_confluence_page", "create_jira_issue", "add_comment"],
    groups: ["Engineering", "Support"],
  },
  {
    connector: "cloudflare-docs",
    name: "Cloudflare Docs",
    auth: "none",
    tools: ["search_cloudflare_documentation"],
    groups: ["Everyone"],
  },
  {
    connector: "hubspot",
    name: "HubSpot",
    auth: "proxy-api-key",
    tools: ["list_contacts", "create_deal", "get_company"],
    groups: ["Support", "Finance"],
  },
  {
    connector: "intercom",
    name: "Intercom",
    auth: "none",
    tools: ["search_conversations", "get_contact", "reply_to_conversation"],
    groups: ["Support"],
  },
  {
    connector: "vercel",
    name: "Vercel",
    auth: "none",
    tools: ["list_deployments", "get_build_logs"],
    groups: ["Engineering"],
  },
  {
    connector: "neon",
    name: "Neon",
    auth: "none",
    tools: ["run_sql", "describe_table_schema", "create_branch"],
    groups: ["Engineering"],
  },
];

export const GROUPS = ["Engineering", "Support", "Finance", "Everyone"] as const;

export const PEOPLE: readonly { name: string; email: string; role: string; groups: readonly string[] }[] = [
  { name: "Ada Lindqvist", email: "ada@acme.example", role: "admin", groups: ["Engineering", "Everyone"] },
  { name: "Bruno Okafor", email: "bruno@acme.example", role: "member", groups: ["Support", "Everyone"] },
  { name: "Chiara Rossi", email: "chiara@acme.example", role: "member", groups: ["Finance", "Everyone"] },
  { name: "Dmitri Petrov", email: "dmitri@acme.example", role: "auditor", groups: ["Everyone"] },
  { name: "Elif Yılmaz", email: "elif@acme.example", role: "member", groups: ["Engineering", "Everyone"] },
  { name: "Farid Haddad", email: "farid@acme.example", role: "member", groups: ["Engineering"] },
  { name: "Grace Nakamura", email: "grace@acme.example", role: "member", groups: ["Support", "Finance"] },
  { name: "Henrik Vestergaard-Christoffersen", email: "henrik@acme.example", role: "member", groups: [] },
];

export const MACHINES: readonly { name: string; groups: readonly string[] }[] = [
  { name: "Build bot", groups: ["Engineering"] },
  { name: "Support triage agent", groups: ["Support", "Everyone"] },
  { name: "Nightly report", groups: ["Finance", "Engineering"] },
  { name: "Incident responder", groups: ["Engineering", "Support"] },
];

export const HOW_TO = `Open **Developers → API keys** in your dashboard and create a *restricted key* with read access.

1. Choose *Create restricted key*.
2. Allow reading of customers, invoices and disputes.
3. Copy the key: it is shown once.

Questions? Ask in \`#finance-tools\`.`;

/** A tool definition as a typical server lists it. */
export function toolOf(name: string) {
  const words = name.replaceAll("_", " ");
  const reads = /^(?:search|list|get|find|fetch|retrieve|describe)/.test(name);
  return {
    name,
    title: words.charAt(0).toUpperCase() + words.slice(1),
    description: `${words.charAt(0).toUpperCase() + words.slice(1)}. ${reads ? "Read-only." : "May ask for confirmation."}`,
    inputSchema: {
      type: "object",
      properties: {
        query: { type: "string", description: "Search terms" },
        limit: { type: "integer", minimum: 1, maximum: 100, default: 20, description: "Maximum number of results" },
        state: { type: "string", enum: ["open", "closed", "all"], default: "open" },
        labels: { type: "array", items: { type: "string" }, description: "Only items with all of these labels" },
      },
      required: ["query"],
    },
    annotations: { readOnlyHint: reads, destructiveHint: /^(?:merge|delete)/.test(name) },
  };
}
