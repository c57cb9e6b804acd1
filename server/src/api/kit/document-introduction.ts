/** What the document says before its first operation. Paragraphs are separated by a blank line. */
export const DOCUMENT_WORDS = `Manages one organization's MCP servers, who may use them, and what happened.

**Authentication.** Every operation needs an API token: \`Authorization: Bearer <API_TOKEN>\`. A token has scopes; each operation names the one that it needs. \`all\` includes every scope, \`admin:write\` includes \`admin:read\`.

**Errors.** A faulty request is answered with 400 and \`{"code": "INVALID_FORMAT", "message": "<field>: <reason>"}\`, every other refusal with \`{"error": "<sentence>"}\`. Every answer carries \`x-request-id\`.

**Lists** are answered in pages: \`limit\` says how many entries, \`cursor\` or \`skip\` where to begin, and \`pagination.hasMore\` whether more follow.

**Repeating.** A POST with an \`Idempotency-Key\` can be sent again after a lost answer: within 24 hours it is done once.

**Additions.** These are additions to the first API contract: \`upstream\` of MCP servers, \`GET /api/groups/{name}\`, \`GET /api/users/{email}\`, and \`return=full\` on the creation of servers, groups and users. Requests without them are answered as before.

**Versions.** This is version 1, with or without the header \`Service-API-Version: 1\`. New operations and fields come without a new version, so expect fields that you do not know. What is deprecated says so here and in the headers \`Deprecation\` and \`Sunset\`, and stays for six months at least.`;

/** Each tag in a sentence; Spec 1 names the families. */
export const TAG_WORDS: Readonly<Record<string, string>> = {
  "MCP Servers": "The MCP servers that the gateway leads to.",
  Connectors: "The catalog of known MCP servers: built-in ones and those of the public registry.",
  Groups: "Which users can use which MCP servers.",
  Users: "People, and machine users: accounts of bots, scripts and automations.",
  Toolkits: "Selections of tools from several MCP servers.",
  Skills: "Instructions that agents can load.",
  Guards: "Rules that check what goes to tools and what comes back.",
  Commands: "Prompts that users can call by name.",
  Plugins: "Bundles of servers, skills and commands for AI clients.",
  "Background Agents": "Agents on other platforms: create, sync, invoke and inspect.",
  "Auth Exchange": "External JWT tokens in exchange for connect credentials.",
  "AI Discovery": "AI tools found across the organization by the scan agent.",
  "AI Discovery Policy": "Which discovered MCP servers and skills are allowed, warned of or blocked.",
  Access: "Who can use what, and why.",
  "User API": "For applications that embed Gatehouse: how a user stands with each server, and connecting them.",
  "API Tokens": "Tokens for this API.",
  Search: "Find things by what they are called.",
  Logs: "What happened at the gateway.",
  Audit: "What was changed, by whom.",
  Settings: "Settings of the organization.",
  Me: "Who the caller is.",
};
