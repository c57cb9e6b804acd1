import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { inCliWords } from "./field-names.ts";
import { groups } from "./verbs/groups.ts";
import { servers } from "./verbs/servers.ts";
import { settings } from "./verbs/settings.ts";
import { tokens } from "./verbs/tokens.ts";

describe("an API error, with the names of the CLI", () => {
  for (const [verb, message, expected] of [
    [servers.verbs.create, "mcp_proxy: url must be a valid URL", "--upstream must be a valid URL"],
    [servers.verbs.create, "auth_settings.authUrl: must be a valid URL", "--auth-url must be a valid URL"],
    [servers.verbs.create, "slug: slug must contain only letters", "--slug must contain only letters"],
    [servers.verbs.create, "name: must be at most 255 characters", "<name> must be at most 255 characters"],
    [groups.verbs.update, "settings.auto_assign_mcps: must be a boolean", "--auto-assign-servers must be a boolean"],
    [groups.verbs["add-users"], "emails: must not be empty", "<email> must not be empty"],
    [groups.verbs["add-servers"], "Integrations not found: a, b", "Servers not found: a, b"],
    [tokens.verbs.create, "scopes.0: must be one of all", "--scope must be one of all"],
    [settings.verbs.update, "audit_retention_days: must be above 0", "--audit-retention-days must be above 0"],
    [servers.verbs.create, "limits.calls: must be a number", "limits.calls: must be a number"],
    [servers.verbs.get, "MCP server not found", "MCP server not found"],
  ] as const) {
    it(message, () => {
      assert.ok(verb);
      assert.equal(inCliWords(message, verb), expected);
    });
  }
});
