import { z } from "zod";
import { read } from "#api/kit/operation";
import { targetParameter } from "#api/kit/parameters";
import { claudeCodeSettings } from "#discovery/claude-code-settings";
import { invalid } from "#lib/errors";
import { allowedServerNames, instancesOfRules, listRules, readPolicy } from "#records/discovery";
import type { DiscoveryRuleRow } from "#storage/discovery-tables";

const TARGETS = ["claude-code"];
const Entry = z
  .object({
    serverName: z.string().optional().describe("The configured name"),
    serverUrl: z.string().optional().describe("The URL, with `*` for any characters"),
    serverCommand: z.array(z.string()).optional().describe("The exact command line"),
  })
  .describe("One of the three");
const entries = (what: string) => z.array(Entry).describe(what);

/** Families 10. */
export const exportDiscoveryPolicy = read({
  id: "exportDiscoveryPolicy",
  route: "GET /api/ai-discovery-policy/export",
  tag: "AI Discovery Policy",
  summary: "Export the policy for a client",
  description:
    "The part of the policy that the client can enforce itself. Put `settings` into `managed-settings.json` of Claude Code. There, denied entries win over allowed ones, and a list of allowed entries blocks all others, so `settings` contains it only if the default action is `block` and Claude Code supports every rule that allows or warns. Entries that would also deny what an earlier rule or `always_allow_managed` allows are left out.",
  scope: "admin:read",
  query: { target: targetParameter("The client: `claude-code`", "claude-code") },
  answers: {
    200: z.object({
      data: z
        .object({
          deniedMcpServers: entries("From rules that block"),
          allowedMcpServers: entries("From rules that allow, and this gateway"),
          settings: z
            .object({
              deniedMcpServers: entries("Blocked servers"),
              allowedMcpServers: entries("The only allowed servers").optional(),
            })
            .describe("The managed settings"),
          skipped: z
            .array(z.object({ rule_id: z.string().describe("The rule"), reason: z.string().describe("Why") }))
            .describe("Rules that the client cannot enforce, or not entirely"),
        })
        .describe("The export"),
    }),
  },
  refusals: [400],
  onCrash: "Failed to export the policy",
  async run({ db, query, context }) {
    if (!TARGETS.includes(query.target)) throw invalid("target", `must be one of ${TARGETS.join(", ")}`);
    const rules = await listRules(db);
    const instances = await instancesOfRules(
      db,
      rules.map(({ id }) => id),
    );
    const { gatewayUrls } = context.discovery;
    const allowedNames = await allowedServerNames(db, "claude-code", namesOf(rules));
    const inventory = { instancesOf: (id: string) => instances.get(id) ?? [], allowedNames, gatewayUrls };
    const data = claudeCodeSettings(await readPolicy(db), rules, inventory, context.clock.now());
    // The shared types are read-only throughout, and responses are not.
    return { status: 200, body: { data: structuredClone(data) as never } };
  },
});

/** Names that rules block. */
function namesOf(rules: readonly DiscoveryRuleRow[]): string[] {
  return rules.flatMap(({ action, match: { name } }) => (action === "block" && Array.isArray(name) ? name : []));
}
