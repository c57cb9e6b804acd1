import { z } from "zod";
import { isoTime, timestamp } from "#api/kit/answers";
import { choice, flag, requiredText, text } from "#api/kit/body-fields";
import { isValidGlob, MAX_GLOB_LENGTH } from "#policy/globs";
import { ENFORCEMENTS } from "#policy/policy-types";
import { PLATFORMS, TRANSPORTS } from "#policy/types";
import {
  type DiscoveryPolicyRow,
  type DiscoveryRuleRow,
  POLICY_ACTIONS,
  REVIEW_STATUSES,
} from "#storage/discovery-tables";

const MOST_VALUES = 200;

/** A single value counts as a list of one. */
function listOf<Schema extends z.ZodType>(value: Schema) {
  return z.preprocess(
    (given) => (typeof given === "string" ? [given] : given),
    z
      .array(value, { error: "must be an array" })
      .min(1, { error: "must contain at least one value" })
      .max(MOST_VALUES, { error: `must contain at most ${MOST_VALUES} values` }),
  );
}

const glob = text(MAX_GLOB_LENGTH).refine(isValidGlob, { error: "invalid pattern" });
const globs = (what: string) => listOf(glob).optional().describe(`Patterns of ${what}; one must match`);
const exact = (what: string) =>
  listOf(requiredText("value", 255)).optional().describe(`${what}; one must be equal, case-insensitive`);
export const riskScore = () =>
  z
    .int({ error: "must be an integer" })
    .min(0, { error: "must be between 0 and 100" })
    .max(100, { error: "must be between 0 and 100" });
const isIt = (what: string) => flag().optional().describe(`Whether ${what}`);

export const RuleMatch = z
  .strictObject(
    {
      name: globs("the configured name"),
      url: globs("the URL"),
      host: globs("the host of the URL. `*.example.com` does not match `example.com`"),
      package: globs("the package, such as `npm:@acme/*`"),
      command: globs("the program's base name"),
      publisher: globs("the npm scope, the owner of the image, or the host"),
      transport: listOf(choice(TRANSPORTS)).optional().describe("Transports; one must be equal"),
      fingerprint: exact("Fingerprints of MCP servers"),
      digest: exact("Digests of skills"),
      client: exact("Clients, such as `cursor`"),
      scope: exact("Scopes, such as `project`"),
      review_status: listOf(choice(REVIEW_STATUSES)).optional().describe("Results of the review; one must be equal"),
      groups: exact("Groups of the device's user"),
      users: exact("Emails of the device's user"),
      devices: exact("IDs of devices"),
      os: listOf(choice(PLATFORMS)).optional().describe("Operating systems; one must be equal"),
      managed: isIt("it points to this gateway, or is a skill of this organization"),
      registered: isIt("a server with the same URL is registered here"),
      in_registry: isIt("a connector or registry entry has the same URL"),
      unpinned: isIt("its package has no exact version"),
      has_scripts: isIt("the skill contains scripts"),
      min_risk: riskScore().optional().describe("The lowest risk that matches"),
    },
    {
      error: (issue) => {
        if (issue.code === "unrecognized_keys") return `unknown condition "${issue.keys[0]}"`;
        return issue.input === undefined ? "at least one condition is required" : "must be an object";
      },
    },
  )
  .refine((match) => Object.values(match).some((value) => value !== undefined), {
    error: "at least one condition is required",
  })
  .meta({ description: "Conditions. All must hold; a condition on something that an item lacks does not hold" });

const RULE_FIELDS = {
  name: requiredText("name").describe("The name of the rule"),
  description: text(2_000).optional().describe("What it is for"),
  enabled: flag().optional().describe("Whether the rule applies. Default: true"),
  position: z
    .int({ error: "must be an integer" })
    .min(1, { error: "must be an integer of at least 1" })
    .optional()
    .describe("The position, from 1. Default: last. Later rules move"),
  kind: z
    .enum(["mcp_server", "skill"], {
      error: ({ input }) => (input === undefined ? "kind is required" : "must be one of mcp_server, skill"),
    })
    .describe("What the rule decides about"),
  action: z
    .enum(POLICY_ACTIONS, {
      error: ({ input }) => (input === undefined ? "action is required" : "must be one of allow, warn, block"),
    })
    .describe("What it decides"),
  match: RuleMatch,
  message: text(300).nullish().describe("Shown to the user of the device"),
  expires_at: text(40)
    .refine((value) => !Number.isNaN(Date.parse(value)), { error: "must be an ISO 8601 timestamp" })
    .nullish()
    .meta({ format: "date-time", description: "When the rule ends; null: never" }),
};

export const CreateRuleBody = z.object(RULE_FIELDS).meta({
  id: "CreateDiscoveryRule",
  description: "A rule to create",
  example: {
    ...{ name: "Block unknown hosts", kind: "mcp_server", action: "block" },
    match: { host: ["*.evil.example"] },
  },
});
export const UpdateRuleBody = z
  .object(RULE_FIELDS)
  .partial()
  .meta({
    id: "UpdateDiscoveryRule",
    description: "Fields to change. `match` is replaced as a unit",
    example: { action: "warn" },
  });
export type GivenRule = z.output<typeof UpdateRuleBody>;

const action = (what: string) => choice(POLICY_ACTIONS).optional().describe(`Default action for ${what}`);
export const DefaultActionsBody = z.object(
  { mcp_servers: action("MCP servers"), skills: action("skills") },
  { error: "must be an object" },
);
export const UpdatePolicyBody = z
  .object({
    enforcement: choice(ENFORCEMENTS)
      .optional()
      .describe("`monitor`: devices only report; `enforce`: devices also remove blocked items"),
    default_actions: DefaultActionsBody.optional().describe("What happens to items that no rule matches"),
    always_allow_managed: flag()
      .optional()
      .describe("Whether servers that use this gateway, and the organization's skills, are always allowed"),
    notify_users: flag().optional().describe("Whether devices show their users what is warned about or blocked"),
  })
  .meta({
    id: "UpdateDiscoveryPolicy",
    description: "Fields to change",
    example: { enforcement: "enforce", default_actions: { mcp_servers: "block" } },
  });

const PolicyActions = z.enum(POLICY_ACTIONS);
export const DiscoveryPolicy = z
  .object({
    version: z.int().describe("Increases with every change"),
    enforcement: z.enum(ENFORCEMENTS).describe("`monitor` or `enforce`"),
    default_actions: z
      .object({ mcp_servers: PolicyActions.describe("For MCP servers"), skills: PolicyActions.describe("For skills") })
      .describe("What happens to items that no rule matches"),
    always_allow_managed: z.boolean().describe("Whether managed items are always allowed"),
    notify_users: z.boolean().describe("Whether devices notify their users"),
    rules_count: z.int().describe("Number of rules"),
    devices_to_evaluate: z.int().describe("Devices for which decisions are still being made again after a change"),
    updated_at: timestamp("When it was last changed; null: never").nullable(),
    updated_by: z.string().nullable().describe("Who changed it last"),
  })
  .meta({ id: "DiscoveryPolicy", description: "The policy about discovered MCP servers and skills" });

export const DiscoveryRule = z
  .object({
    id: z.string().meta({ description: "ID of the rule", example: "rule_01kc5v6q3zt9x4m2e8h7d5n1pw" }),
    position: z.int().describe("The position, from 1. The first rule that matches decides"),
    name: z.string().describe("The name"),
    description: z.string().describe("What it is for"),
    enabled: z.boolean().describe("Whether it applies"),
    kind: z.enum(["mcp_server", "skill"]).describe("What it decides about"),
    action: PolicyActions.describe("What it decides"),
    match: z.record(z.string(), z.unknown()).describe("Its conditions"),
    message: z.string().nullable().describe("Shown to the user of the device"),
    expires_at: timestamp("When it ends; null: never").nullable(),
    warnings: z.array(z.string()).describe("Why it may not do what it should"),
    created_at: timestamp("When it was created"),
    updated_at: timestamp("When it was last changed"),
  })
  .meta({ id: "DiscoveryRule", description: "A rule of the policy" });

export function presentRule(row: DiscoveryRuleRow, warnings: readonly string[] = []): z.input<typeof DiscoveryRule> {
  const { id, position, name, description, enabled, kind, action, match, message } = row;
  return {
    ...{ id, position, name, description, enabled, kind, action, match, message, warnings: [...warnings] },
    expires_at: row.expires_at === null ? null : isoTime(row.expires_at),
    ...{ created_at: isoTime(row.created_at), updated_at: isoTime(row.updated_at) },
  };
}

export function presentPolicy(
  row: DiscoveryPolicyRow,
  counts: { readonly rules: number; readonly toEvaluate: number },
): z.input<typeof DiscoveryPolicy> {
  return {
    ...{ version: row.version, enforcement: row.enforcement },
    default_actions: { mcp_servers: row.default_mcp_servers, skills: row.default_skills },
    ...{ always_allow_managed: row.always_allow_managed, notify_users: row.notify_users },
    ...{ rules_count: counts.rules, devices_to_evaluate: counts.toEvaluate },
    updated_at: row.updated_at === 0 ? null : isoTime(row.updated_at),
    updated_by: row.updated_by,
  };
}
