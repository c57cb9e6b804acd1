import assert from "node:assert/strict";
import { before, describe, it } from "node:test";
import { onSqliteApi } from "#test/api";
import { createGroup, createMachineUser, createPerson, createServer } from "#test/factories";

type Row = readonly [message: string, method: string, path: string, body?: unknown];

const SLUG =
  "slug: slug must contain only lowercase letters, numbers and hyphens, and must not start or end with a hyphen";
const SERVERS = "/api/mcp-servers";
const TEXT = "must be well-formed text without NUL characters";

/** Every validation message of Spec 4, 7 and 8 and of the decisions: `{code: "INVALID_FORMAT", message}`. */
const INVALID: readonly Row[] = [
  ["name: name is required", "POST", SERVERS, {}],
  ["name: name is required", "POST", SERVERS, { name: "" }],
  ["name: name is required", "POST", SERVERS, { name: " \t " }],
  ["name: must be a string", "POST", SERVERS, { name: 7 }],
  ["name: must be a string", "POST", SERVERS, { name: null }],
  [`name: ${TEXT}`, "POST", SERVERS, { name: "a\0b" }],
  [`name: ${TEXT}`, "POST", SERVERS, { name: "a\ud800" }],
  ["name: must be at most 255 characters", "POST", SERVERS, { name: "x".repeat(256) }],
  [SLUG, "POST", SERVERS, { name: "a", slug: "-a" }],
  [SLUG, "POST", SERVERS, { name: "a", slug: "a-" }],
  [SLUG, "POST", SERVERS, { name: "a", slug: "A" }],
  [SLUG, "POST", SERVERS, { name: "a", slug: "a__b" }],
  [SLUG, "POST", SERVERS, { name: "a", slug: "" }],
  ["slug: must be at most 40 characters", "POST", SERVERS, { name: "a", slug: "a".repeat(41) }],
  ["mcp_proxy: mcp_proxy must be a string", "POST", SERVERS, { name: "a", mcp_proxy: { url: "http://x" } }],
  ["mcp_proxy: mcp_proxy must be valid JSON", "POST", SERVERS, { name: "a", mcp_proxy: "{" }],
  ["mcp_proxy: mcp_proxy must be valid JSON", "POST", SERVERS, { name: "a", mcp_proxy: "" }],
  ["mcp_proxy: mcp_proxy must be an object with type and url", "POST", SERVERS, { name: "a", mcp_proxy: "[]" }],
  ["mcp_proxy: mcp_proxy must be an object with type and url", "POST", SERVERS, { name: "a", mcp_proxy: "null" }],
  ["mcp_proxy: mcp_proxy must be an object with type and url", "POST", SERVERS, { name: "a", mcp_proxy: "{}" }],
  ["mcp_proxy: type must be one of http, sse, both", "POST", SERVERS, proxy({ type: "stdio", url: "http://x/" })],
  ["mcp_proxy: type must be one of http, sse, both", "POST", SERVERS, proxy({ type: "http", command: "sh" })],
  ["mcp_proxy: type must be one of http, sse, both", "POST", SERVERS, proxy({ url: "http://x/", command: "sh" })],
  ["mcp_proxy: type must be one of http, sse, both", "POST", SERVERS, proxy({ type: "toString", url: "http://x/" })],
  ["mcp_proxy: url must be a valid http or https URL", "POST", SERVERS, proxy({ type: "http", url: "nowhere" })],
  ["mcp_proxy: url must be a valid http or https URL", "POST", SERVERS, proxy({ type: "http", url: "file:///etc" })],
  ["mcp_proxy: url must be a valid http or https URL", "POST", SERVERS, proxy({ type: "http", url: "http://u:p@x/" })],
  ["mcp_proxy: url must be a valid http or https URL", "POST", SERVERS, proxy({ type: "http", url: 7 })],
  ["description: must be a string", "POST", SERVERS, { name: "a", description: 7 }],
  ["status: must be one of active, draft", "POST", SERVERS, { name: "a", status: "live" }],
  ["auth_settings: must be an object", "POST", SERVERS, { name: "a", auth_settings: "none" }],
  [
    "auth_settings.authType: must be one of proxy-oauth, proxy-api-key, none, exchanged-token",
    "POST",
    SERVERS,
    auth({ authType: "x" }),
  ],
  ["auth_settings.tokenUrl: must be a valid http or https URL", "POST", SERVERS, auth({ tokenUrl: "javascript:1" })],
  ["auth_settings.headerName: must be a header name that may be set", "POST", SERVERS, auth({ headerName: "Host" })],
  ["connector_id: must be a string", "POST", SERVERS, { name: "a", connector_id: 7 }],
  ["connector_id: connector not found", "POST", SERVERS, { name: "a", connector_id: "nowhere" }],
  ["slug query parameter is required", "PATCH", SERVERS, {}],
  ["slug query parameter is required", "DELETE", SERVERS],
  ["slug query parameter is required", "DELETE", `${SERVERS}?slug=%20`],
  ["slug: must be given once", "DELETE", `${SERVERS}?slug=known&slug=known`],
  ["name: must be a string", "PATCH", `${SERVERS}?slug=known`, { name: null }],
  ["slug: must be a string", "PATCH", `${SERVERS}?slug=known`, { slug: null }],
  ["status: must be one of active, draft", "PATCH", `${SERVERS}?slug=known`, { status: null }],
  ['fields: unknown field "x"', "GET", `${SERVERS}?fields=slug,x`],
  ["fields: unbalanced parentheses", "GET", `${SERVERS}?fields=tools(name`],
  ["status: must be one of active, draft", "GET", `${SERVERS}?status=soon`],
  ["include_tools: must be true or false", "GET", `${SERVERS}?include_tools=1`],
  ["cursor: must be an integer of at least 0", "GET", `${SERVERS}?cursor=-1`],
  [`search: ${TEXT}`, "GET", `${SERVERS}?search=%00`],

  ["source: must be one of connector, registry", "GET", "/api/connectors?source=both"],
  ["status: must be one of active, beta, soon", "GET", "/api/connectors?status=draft"],
  ["include_tools: must be true or false", "GET", "/api/connectors?include_tools=yes"],
  ["cursor: must be an integer of at least 0", "GET", "/api/connectors?cursor=-1"],
  ["source: must be one of connector, registry", "GET", "/api/connectors/x/usage?source=both"],

  ["name: name is required", "POST", "/api/groups", {}],
  ["name: group with this name already exists", "POST", "/api/groups", { name: "KNOWN" }],
  ["settings: must be an object", "POST", "/api/groups", { name: "g", settings: 1 }],
  [
    "settings.show_draft_mcps: must be true or false",
    "POST",
    "/api/groups",
    { name: "g", settings: { show_draft_mcps: 1 } },
  ],
  ["name query parameter is required", "PATCH", "/api/groups", {}],
  ["name query parameter is required", "DELETE", "/api/groups"],
  ["name: must be a string", "PATCH", "/api/groups?name=known", { name: null }],
  ["slugs: slugs array cannot be empty", "POST", "/api/groups/known/integrations", {}],
  ["slugs: slugs array cannot be empty", "POST", "/api/groups/known/integrations", { slugs: [] }],
  ["slugs: must be an array", "POST", "/api/groups/known/integrations", { slugs: "known" }],
  ["slugs.1: must be a string", "POST", "/api/groups/known/integrations", { slugs: ["known", 1] }],
  ["name: name is required", "POST", "/api/groups/%20/integrations", { slugs: ["known"] }],
  ["name: name is required", "POST", "/api/groups//integrations", { slugs: ["known"] }],
  ["emails: emails array cannot be empty", "POST", "/api/groups/known/users", { emails: [] }],

  ["name: name is required", "POST", "/api/users", {}],
  ["email: email is required", "POST", "/api/users", { name: "a" }],
  ["email: email is required", "POST", "/api/users", { name: "a", email: " " }],
  ["email: must be a string", "POST", "/api/users", { name: "a", email: 1 }],
  ["email: must be a valid email address", "POST", "/api/users", { name: "a", email: "no-email" }],
  ["email: user with this email already exists", "POST", "/api/users", { name: "a", email: "ADA@example.com" }],
  [
    "owner_ids: owner_ids can only be set on machine users",
    "POST",
    "/api/users",
    { name: "a", email: "new@example.com", owner_ids: [] },
  ],
  [
    "client_credentials: client_credentials can only be set on machine users",
    "POST",
    "/api/users",
    { name: "a", email: "new@example.com", client_credentials: {} },
  ],
  ["is_machine_user: must be true or false", "POST", "/api/users", { name: "a", is_machine_user: "yes" }],
  ["name: name is required", "POST", "/api/users", { is_machine_user: true }],
  [SLUG, "POST", "/api/users", { is_machine_user: true, name: "a", slug: "No" }],
  [
    "client_credentials: can only be set on creation. Change them with PUT /api/users/client-credentials",
    "PATCH",
    "/api/users?email=ada@example.com",
    { client_credentials: null },
  ],
  ["client_credentials.clientId: clientId is required", "POST", "/api/users", machine({})],
  [
    "client_credentials.clientSecret: clientSecret is required",
    "POST",
    "/api/users",
    machine({ clientId: "i", tokenUrl: "https://x/" }),
  ],
  [
    "client_credentials.tokenUrl: tokenUrl is required",
    "POST",
    "/api/users",
    machine({ clientId: "i", clientSecret: "s" }),
  ],
  [
    "client_credentials.tokenUrl: must be a valid http or https URL",
    "POST",
    "/api/users",
    machine({ clientId: "i", clientSecret: "s", tokenUrl: "x" }),
  ],
  [
    "owner_ids: user not found: usr_nobody",
    "POST",
    "/api/users",
    { is_machine_user: true, name: "a", owner_ids: ["usr_nobody"] },
  ],
  ["email query parameter is required", "PATCH", "/api/users", {}],
  [
    "owner_ids: owner_ids can only be set on machine users",
    "PATCH",
    "/api/users?email=ada@example.com",
    { owner_ids: [] },
  ],
  [
    "owner_ids: user not found: usr_nobody",
    "PATCH",
    "/api/users?email=bot@machine.example.com",
    { owner_ids: ["usr_nobody"] },
  ],
  [
    "risk_score: must be a number from 0 to 100, or null",
    "PATCH",
    "/api/users?email=ada@example.com",
    { risk_score: 101 },
  ],
  ["role: must be one of owner, admin, auditor, member", "PATCH", "/api/users?email=ada@example.com", { role: "x" }],
  ["role: role can only be set on people", "PATCH", "/api/users?email=bot@machine.example.com", { role: "member" }],
  ["disabled: must be true or false", "PATCH", "/api/users?email=ada@example.com", { disabled: 1 }],
  ["email: not a person: bot@machine.example.com", "POST", "/api/users/invite?email=bot@machine.example.com"],
  ["email: not a machine user: ada@example.com", "POST", "/api/users/rotate-secret?email=ada@example.com"],
  [
    "overlap_seconds: must be an integer from 0 to 604800",
    "POST",
    "/api/users/rotate-secret?email=bot@machine.example.com",
    { overlap_seconds: 604_801 },
  ],

  ["name: name is required", "POST", "/api/api-tokens", { scopes: ["all"] }],
  ["scopes: scopes array cannot be empty", "POST", "/api/api-tokens", { name: "t", scopes: [] }],
  [
    "expires_at: must be an ISO 8601 timestamp",
    "POST",
    "/api/api-tokens",
    { name: "t", scopes: ["all"], expires_at: "soon" },
  ],
  [
    "expires_at: must be in the future",
    "POST",
    "/api/api-tokens",
    { name: "t", scopes: ["all"], expires_at: "2020-01-01T00:00:00Z" },
  ],
  ["id query parameter is required", "DELETE", "/api/api-tokens"],
  ["cursor: must be a cursor from an earlier answer", "GET", "/api/logs?cursor=x"],
  ["from: must be an ISO 8601 timestamp", "GET", "/api/logs?from=yesterday"],
];

/** Errors of the shape `{error}`, with their status. */
const REFUSED: readonly (readonly [status: number, ...Row])[] = [
  [404, "MCP server not found", "PATCH", `${SERVERS}?slug=nowhere`, {}],
  [404, "MCP server not found", "DELETE", `${SERVERS}?slug=nowhere`],
  [404, "MCP server not found", "GET", `${SERVERS}/nowhere`],
  [404, "MCP server not found", "POST", `${SERVERS}/nowhere/sync`],
  [400, "Connector id is required", "GET", "/api/connectors//usage"],
  [400, "Connector id is required", "GET", "/api/connectors/%20/usage"],
  [404, "Group not found", "PATCH", "/api/groups?name=nowhere", {}],
  [404, "Group not found", "DELETE", "/api/groups?name=nowhere"],
  [404, "Group not found", "POST", "/api/groups/nowhere/integrations", { slugs: ["x"] }],
  [404, "Group not found", "POST", "/api/groups/nowhere/users", { emails: ["x"] }],
  [404, "User not found: Nobody@example.com", "PATCH", "/api/users?email=Nobody@example.com", {}],
  [404, "API token not found", "DELETE", "/api/api-tokens?id=tok_none"],
  [400, "Integrations not found: b, a", "POST", "/api/groups/known/integrations", { slugs: ["b", "known", "a", "b"] }],
  [
    400,
    "Users not found: b@example.com, a@example.com",
    "POST",
    "/api/groups/known/users",
    { emails: ["b@example.com", "ada@example.com", "a@example.com"] },
  ],
  [400, "MCP server has no upstream yet", "POST", `${SERVERS}/known/sync`],
];

function proxy(upstream: object) {
  return { name: "a", mcp_proxy: JSON.stringify(upstream) };
}
function auth(settings: object) {
  return { name: "a", auth_settings: settings };
}
function machine(credentials: object) {
  return { is_machine_user: true, name: "a", client_credentials: credentials };
}

onSqliteApi("messages of the contract (API-3)", (api) => {
  before(async () => {
    await createServer(api.service, "Known");
    await createGroup(api.service, "Known");
    await createPerson(api.service, "Ada", "ada@example.com");
    await createMachineUser(api.service, "bot");
  });

  describe("400", () => {
    for (const [message, method, path, body] of INVALID) {
      it(`${method} ${path} ${JSON.stringify(body)?.slice(0, 60) ?? ""}: ${message}`, () =>
        api.invalid(message, method, path, body));
    }
    it("reports a body that is not JSON or not an object", async () => {
      for (const [text, message] of [
        ["{", "body: must be valid JSON"],
        ["", "body: must be valid JSON"],
        [Buffer.from([0x22, 0xff, 0x22]), "body: must be valid JSON"],
        ["[]", "body: must be a JSON object"],
        ["null", "body: must be a JSON object"],
      ] as const) {
        const headers = { authorization: `Bearer ${api.service.token}`, "content-type": "application/json" };
        const answer = await api.service.http("/api/groups", { method: "POST", headers, body: text });
        assert.deepEqual([answer.status, answer.body], [400, { code: "INVALID_FORMAT", message }]);
      }
    });
  });

  describe("400 and 404 with {error}", () => {
    for (const [status, error, method, path, body] of REFUSED) {
      it(`${method} ${path}: ${error}`, async () => {
        await api.expect(status, { error }, method, path, body);
      });
    }
  });
});
