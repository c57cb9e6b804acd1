import { z } from "zod";
import { read } from "#api/kit/operation";
import { marketplaceLinks } from "#plugins/marketplace/urls";

const Marketplace = z
  .object({
    marketplace_url: z.string().meta({
      description: "The plugins of the caller as JSON",
      example: "https://gateway.example.com/plugins/marketplace.json",
    }),
    git_url: z.string().meta({
      description: "The plugins of the caller as one git repository",
      example: "https://gateway.example.com/plugins/marketplace.git",
    }),
    sign_in_command: z.string().meta({
      description: "Asks for the access key and its secret, which the credential helper of git keeps",
      example: "git ls-remote https://gateway.example.com/plugins/marketplace.git",
    }),
    add_commands: z
      .object({
        claude: z.string().describe("Typed in Claude Code"),
        cursor: z.string().describe("Typed in Cursor"),
        codex: z.string().describe("Typed in a terminal"),
      })
      .describe("What adds the marketplace to each client"),
  })
  .meta({ id: "PluginMarketplace", description: "Where clients get plugins" });

/** Families 5. */
export const getPluginMarketplace = read({
  id: "getPluginMarketplace",
  route: "GET /api/plugins/marketplace",
  tag: "Plugins",
  summary: "Get the marketplace",
  description:
    "Where clients get plugins. Callers see the active plugins of their groups. Both URLs accept the credentials of `/mcp`, and HTTP Basic with the access key as user and its secret as password.",
  scope: "admin:read",
  answers: { 200: z.object({ data: Marketplace }) },
  refusals: [],
  onCrash: "Failed to retrieve marketplace",
  async run({ context }) {
    return { status: 200, body: { data: marketplaceLinks(context.gatewayUrl) } };
  },
});
