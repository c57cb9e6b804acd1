import { z } from "zod";
import { flag } from "#api/kit/body-fields";
import { read } from "#api/kit/operation";
import { dryRun } from "#discovery/dry-run";
import { ENFORCEMENTS, type Policy } from "#policy/policy-types";
import { MOST_RULES } from "#records/discovery";
import { POLICY_ACTIONS } from "#storage/discovery-tables";
import { CreateRuleBody, DefaultActionsBody } from "./schema.ts";

const MOST_CHANGES = 1_000;
const ProposedRule = CreateRuleBody.extend({ id: z.string().max(100).optional().describe("The rule that it changes") });

const DryRunBody = z
  .object({
    default_actions: DefaultActionsBody.optional().describe("Default: as they are"),
    rules: z
      .array(ProposedRule, { error: "must be an array" })
      .max(MOST_RULES, { error: `must contain at most ${MOST_RULES} rules` })
      .optional()
      .describe("All rules in their order. Default: as they are"),
    enforcement: z
      .enum(ENFORCEMENTS, { error: "must be one of monitor, enforce" })
      .optional()
      .describe("Changes no decision"),
    always_allow_managed: flag().optional().describe("Default: as it is"),
  })
  .meta({
    id: "DryRunDiscoveryPolicy",
    description: "The proposed policy",
    example: { default_actions: { mcp_servers: "block" } },
  });

const action = z.enum(POLICY_ACTIONS);
const DryRunResult = z.object({
  changes: z
    .array(
      z.object({
        kind: z.enum(["mcp_server", "skill"]).describe("The kind of item"),
        key: z.string().describe("Its fingerprint or digest"),
        name: z.string().describe("Its name"),
        from: action.describe("The strictest action now"),
        to: action.describe("The strictest action with the proposed policy"),
        devices_count: z.int().describe("Devices for which the decision changes"),
      }),
    )
    .describe(`Items for which decisions would change, at most ${MOST_CHANGES}`),
  changes_count: z.int().describe("Number of all such items"),
  totals: z
    .object({
      allow: z.int().describe("Allowed items"),
      warn: z.int().describe("Items that are warned about"),
      block: z.int().describe("Blocked items"),
    })
    .describe("Items by action with the proposed policy"),
});

/** Families 10. */
export const dryRunDiscoveryPolicy = read({
  id: "dryRunDiscoveryPolicy",
  route: "POST /api/ai-discovery-policy/dry-run",
  tag: "AI Discovery Policy",
  summary: "Try a changed AI discovery policy",
  description: "Evaluates a proposed policy over everything that was discovered, and saves nothing.",
  scope: "admin:read",
  body: DryRunBody,
  bodyIsOptional: true,
  answers: { 200: z.object({ data: DryRunResult.describe("What would change") }) },
  refusals: [400],
  onCrash: "Failed to try the policy",
  async run({ db, body, context }) {
    const current = await context.discovery.policy(db);
    const { policy } = current.compiled;
    const proposed: Policy = {
      ...policy,
      default_actions: {
        mcp_servers: body.default_actions?.mcp_servers ?? policy.default_actions.mcp_servers,
        skills: body.default_actions?.skills ?? policy.default_actions.skills,
      },
      always_allow_managed: body.always_allow_managed ?? policy.always_allow_managed,
      rules: body.rules ? body.rules.map(proposedRule) : policy.rules,
    };
    const needs = { db, now: context.clock.now(), connectors: context.connectors, nextTurn: context.nextTurn };
    const result = await dryRun({ ...needs, gatewayUrls: context.discovery.gatewayUrls }, current, proposed);
    const changes = result.changes.slice(0, MOST_CHANGES).map((change) => ({ ...change }));
    const data = { changes, changes_count: result.changes.length, totals: result.totals };
    return { status: 200, body: { data } };
  },
});

function proposedRule(rule: z.output<typeof ProposedRule>, index: number): Policy["rules"][number] {
  const { id = `proposed-${index}`, name, kind, action: decision, enabled = true, match, message, expires_at } = rule;
  const conditions = Object.fromEntries(Object.entries(match).filter(([, value]) => value !== undefined));
  return {
    ...{ id, name, kind, action: decision, enabled, position: index + 1, match: conditions },
    ...{ message: message ?? null, expires_at: expires_at ?? null },
  };
}
