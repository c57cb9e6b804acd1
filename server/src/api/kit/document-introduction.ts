/** The introduction of the API document. Paragraphs are separated by a blank line. */
export const API_DESCRIPTION = `Manages an organization's MCP servers and access to them, and reports on calls and changes.

**Authentication.** Every operation needs an API token: \`Authorization: Bearer <API_TOKEN>\`. A token has scopes; the description of each operation names the scope that it requires. \`all\` includes every scope, and \`admin:write\` includes \`admin:read\`.

**Errors.** An invalid request gets a 400 response with \`{"code": "INVALID_FORMAT", "message": "<field>: <reason>"}\`. All other errors have the shape \`{"error": "<message>"}\`. Every response has an \`x-request-id\` header.

**Pagination.** Lists are returned in pages. \`limit\` sets the page size, \`cursor\` or \`skip\` sets the start, and \`pagination.hasMore\` reports whether there is another page.

**Idempotency.** Send an \`Idempotency-Key\` with a POST to retry it safely: requests with the same key within 24 hours run only once.

**Additions.** These are additions to the first API contract: \`upstream\` of MCP servers, \`GET /api/groups/{name}\`, \`GET /api/users/{email}\`, and \`return=full\` when you create servers, groups and users. Requests without them behave as before.

**Versions.** This is version 1, with or without the header \`Service-API-Version: 1\`. New operations and fields are added without a new version, so ignore fields that you do not know. Deprecated operations and parameters are marked in this document and announced in the \`Deprecation\` and \`Sunset\` response headers at least six months before they are removed.`;

/** The description of each tag; Spec 1 lists the tags. */
export const TAG_DESCRIPTIONS: Readonly<Record<string, string>> = {
  "MCP Servers": "MCP servers that the gateway forwards to.",
  Connectors: "The catalog of known MCP servers: built-in ones and those of the public registry.",
  Groups: "Which users can use which MCP servers.",
  Users: "People, and machine users: accounts of bots, scripts and automations.",
  Provisioning: "Users and groups that an identity provider manages through SCIM 2.0, at `/scim/v2`.",
  Toolkits: "Selections of tools from several MCP servers.",
  Skills: "Instructions and files for models, delivered to MCP clients.",
  Guards: "Rules that check what goes to tools and what comes back.",
  Commands: "Prompts that users can call by name.",
  Plugins: "Bundles of servers, skills and commands for AI clients.",
  "Background Agents": "Agents on other platforms: create, sync, invoke and inspect.",
  "Auth Exchange": "Exchanges external JWTs for connect credentials.",
  "AI Discovery": "AI tools found across the organization by the scan agent.",
  "AI Discovery Policy": "Which discovered MCP servers and skills are allowed, flagged or blocked.",
  Access: "Who can use what, and why.",
  "User API": "For applications that embed Gatehouse: the status of a user's connections, and connecting them.",
  "API Tokens": "Tokens for this API.",
  "Log destinations": "Receivers of the call log and the audit log.",
  Email: "The mail server for invitations and notices, and the emails that were sent.",
  Webhooks: "Receivers of events, and the log of deliveries.",
  Search: "Searches records by name.",
  Logs: "Calls through the gateway.",
  Audit: "Changes, and who made them.",
  Settings: "Organization settings.",
  Configuration: "The configuration as files: export, compare, apply.",
  Me: "The caller's own account.",
};
