import { z } from "zod";
import { action } from "#api/kit/operation";
import { pathParameter } from "#api/kit/parameters";
import { rejectedKey, type Trial } from "#connect/connect";
import { invalid, notFound, Refusal } from "#lib/errors";
import { findServer, isSendableKey, keyHeader, openMergedHeaders, type SharedHeadersPatch } from "#records/mcp-servers";
import type { McpServerRow } from "#storage/server-tables";
import { writeTransaction } from "#storage/transaction";
import type { Vault } from "#storage/vault";
import { keyHeaderFields } from "./auth-settings.ts";
import { sharedHeadersField } from "./shared-headers-field.ts";

const Body = z
  .object({
    sharedHeaders: sharedHeadersField
      .nullish()
      .describe("Unsaved shared headers, merged with the saved ones as an update would; null tests without them"),
    key: z
      .string({ error: "must be a string" })
      .refine(isSendableKey, { error: "must be visible ASCII characters, without leading or trailing spaces" })
      .optional()
      .meta({ description: "An API key to test. It is not stored", writeOnly: true }),
    headerName: keyHeaderFields.headerName.optional().describe("Unsaved header name for `key`"),
    headerPrefix: keyHeaderFields.headerPrefix.optional().describe("Unsaved text before `key` in that header"),
  })
  .meta({
    id: "TestMcpServer",
    description: "Unsaved credentials to test",
    example: { sharedHeaders: { "X-Api-Key": "5f1d7c02" } },
  });

const CAUSES = ["rejected", "unreachable", "timeout", "not_allowed", "invalid_response"] as const;
const Result = z
  .object({
    ok: z.boolean().describe("Whether the server accepted the credential and listed its tools"),
    tools_count: z.int().optional().meta({ description: "Number of listed tools, if `ok`", example: 24 }),
    cause: z
      .enum(CAUSES)
      .optional()
      .describe(
        "Why the test failed: the credential was `rejected`, the server is `unreachable` or did not respond in time (`timeout`), its address is `not_allowed` (`EGRESS_ALLOW`), or its response is not MCP (`invalid_response`)",
      ),
    message: z.string().optional().describe("The failure in words, with the next step"),
  })
  .meta({ id: "TestedServer", description: "Result of a connection test" });

/** Only the saved URL is contacted, so that a test reaches nothing that a sync does not. */
export const testMcpServer = action({
  id: "testMcpServer",
  route: "POST /api/mcp-servers/{slug}/test",
  tag: "MCP Servers",
  summary: "Test the connection to an MCP server",
  description:
    "Lists the server's tools with its shared credential, with unsaved shared headers, or with an API key, and stores nothing. The server's saved URL is used.",
  scope: "admin:write",
  path: { slug: pathParameter("The server's slug", "github") },
  body: Body,
  bodyIsOptional: true,
  answers: { 200: z.object({ data: Result }) },
  refusals: [400, 404],
  onCrash: "Failed to test MCP server",
  async run({ db, path, body, context, actor, requestId, address }) {
    const server = await findServer(db, path.slug);
    if (!server) throw notFound.mcpServer();
    if (server.upstream_url === null) throw new Refusal("unknown-reference", "MCP server has no upstream yet");
    const headers = headersToTest(server, body, context.vault);
    const trial = await context.tryHeaders(server, headers);
    const data = present(server, trial, body.key !== undefined, headers.length > 0);
    const { databases, clock, newId } = context;
    await writeTransaction({ db: databases.main, clock, newId }, { actor, requestId, address }, async (_tx, trail) =>
      trail.audit({
        operation: "testMcpServer",
        target: { kind: "mcp-server", id: server.id, name: server.slug },
        after: {
          ok: data.ok,
          ...(data.cause === undefined ? {} : { cause: data.cause }),
          headers: headers.filter((_, at) => at % 2 === 0),
        },
      }),
    );
    return { status: 200, body: { data } };
  },
});

function headersToTest(
  server: McpServerRow,
  { key, sharedHeaders, headerName, headerPrefix }: z.output<typeof Body>,
  vault: Vault,
): readonly string[] {
  if (key !== undefined) {
    const given = {
      ...(headerName === undefined ? {} : { headerName }),
      ...(headerPrefix === undefined ? {} : { headerPrefix }),
    };
    return keyHeader({ ...server.auth_settings, ...given }, key);
  }
  if (sharedHeaders !== undefined) return openMergedHeaders(vault, server, sharedHeaders satisfies SharedHeadersPatch);
  if (server.auth_type === "none") return openMergedHeaders(vault, server, new Map());
  throw invalid("key", "required, because users of this server authenticate themselves");
}

function present({ name }: McpServerRow, trial: Trial, isKey: boolean, hasCredential: boolean): z.input<typeof Result> {
  if (trial.verdict === "accepted") return { ok: true, tools_count: trial.toolsCount };
  const { cause, status, reason } = trial;
  if (cause !== "rejected") return { ok: false, cause, message: `${name} ${reason}.` };
  if (isKey) return { ok: false, cause, message: rejectedKey(name, status) };
  const message = hasCredential
    ? `${name} rejected the shared credential (${status}). Check the header names and values, then test again.`
    : `${name} requires authentication (${status}). Choose how Gatehouse authenticates.`;
  return { ok: false, cause, message };
}
