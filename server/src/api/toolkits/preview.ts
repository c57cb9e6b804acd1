import { z } from "zod";
import type { ApiContext } from "#api/kit/api-context";
import { toolTokens } from "#api/presenters/tool-tokens";
import { compileToolkit, type ToolkitContent } from "#gateway/snapshot/compile-toolkit";
import { HIDDEN_REASONS, previewToolkit } from "#gateway/snapshot/preview-toolkit";
import { tokensOfToolkit } from "#gateway/snapshot/tool-tokens";
import { notFound } from "#lib/errors";
import { findUser } from "#records/users";
import type { MainDb } from "#storage/database";

const source = z.object({
  server: z.string().meta({ description: "The server's slug", example: "github" }),
  tool: z.string().meta({ description: "The tool's name at the server", example: "search_issues" }),
});

/** Families 2. */
export const Preview = z
  .object({
    tools: z
      .array(
        z.object({
          name: z.string().meta({ description: "Name at the gateway", example: "github__search" }),
          title: z.string().optional().describe("Title; missing if the tool has none"),
          description: z.string().optional().describe("Description; missing if the tool has none"),
          inputSchema: z.unknown().describe("JSON Schema of the arguments that callers see"),
          source: source.describe("Where calls go"),
        }),
      )
      .describe("What `tools/list` returns to the user with this toolkit, in the same order"),
    hidden: z
      .array(source.extend({ reason: z.enum(HIDDEN_REASONS).describe("Why the user does not get it") }))
      .describe("Tools of the toolkit that the user does not get"),
    ...toolTokens("the tools of the toolkit", "tools", "github__search"),
  })
  .meta({ id: "ToolkitPreview", description: "What a user gets with a toolkit" });

/** Without a user, `tools` and `hidden` are empty: they depend on the user's groups. */
export async function previewFor(
  db: MainDb,
  { snapshots }: Pick<ApiContext, "snapshots">,
  email: string | undefined,
  content: ToolkitContent,
): Promise<z.input<typeof Preview>> {
  const snapshot = snapshots.current();
  const toolkit = compileToolkit(content);
  const tokens = tokensOfToolkit(snapshot, toolkit);
  if (email === undefined) return { tools: [], hidden: [], ...tokens };
  const row = await findUser(db, email);
  const user = row && snapshot.usersById.get(row.id);
  if (!user) throw notFound.user(email);
  const { tools, hidden } = previewToolkit(snapshot, user, toolkit);
  return { tools: tools.map(({ inputSchema, ...tool }) => ({ ...tool, inputSchema })), hidden: [...hidden], ...tokens };
}
