import { z } from "zod";
import { timestamp } from "#api/kit/answers";
import { DISCOVERY_KINDS, POLICY_ACTIONS, REVIEW_STATUSES } from "#storage/discovery-tables";

const action = z
  .enum(POLICY_ACTIONS)
  .nullable()
  .describe("What the policy decides: the strictest action of its instances. Null: not decided");
const ruleId = z
  .string()
  .nullable()
  .describe("The rule; `managed`: it points to this gateway; null: the default action");
const risk = z
  .object({
    score: z.int().describe("From 0 to 100"),
    reasons: z.array(z.string()).meta({ description: "Why", example: ["unpinned_package"] }),
  })
  .describe("The risk, of the riskiest instance");

const BASE = {
  name: z.string().describe("Its most frequent name"),
  first_seen: timestamp("When a device first reported it"),
  last_seen: timestamp("When a device last reported it, to the minute"),
  devices_count: z.int().describe("Devices that have it now"),
  users_count: z.int().describe("Users who have it now"),
  clients: z.array(z.string()).describe("Clients that have it now, most frequent first"),
  risk,
  review_status: z.enum(REVIEW_STATUSES).describe("The result of the review"),
  note: z.string().nullable().describe("A note of the review"),
  reviewed_by: z.string().nullable().describe("Who reviewed it"),
  reviewed_at: timestamp("When it was reviewed; null: never").nullable(),
};

const DECIDED = { managed: z.boolean().describe("Whether it is managed here"), action, rule_id: ruleId };

export const DiscoveredMcpServer = z
  .object({
    fingerprint: z.string().describe("Identifies the server on all devices"),
    transport: z.string().nullable().describe("`stdio`, `http` or `sse`"),
    url: z.string().nullable().describe("The URL of a remote server, without credentials and query"),
    package: z.string().nullable().meta({ description: "The package", example: "npm:@acme/server" }),
    other_packages: z
      .array(z.string())
      .describe("Packages that its command also installs or runs. The policy decides about each of them"),
    command: z.string().nullable().describe("The program of a local server"),
    ...DECIDED,
    mcp_server_slug: z.string().nullable().describe("The registered server with the same URL"),
    registry_id: z.string().nullable().describe("The connector or registry entry with the same URL"),
    ...BASE,
  })
  .meta({ id: "DiscoveredMcpServer", description: "An MCP server that was found on devices" });

export const DiscoveredSkill = z
  .object({
    digest: z.string().describe("The digest of all files"),
    description: z.string().describe("The description in SKILL.md"),
    files_count: z.int().nullable().describe("Number of files"),
    size_bytes: z.int().nullable().describe("Size of all files in bytes"),
    has_scripts: z.boolean().describe("Whether it contains scripts"),
    allowed_tools: z.string().nullable().describe("Tools that it allows"),
    issues: z.array(z.string()).describe("Problems of its text, such as `hidden_unicode`"),
    has_text: z.boolean().describe("Whether a device sent the text of SKILL.md, so that the skill can be imported"),
    ...DECIDED,
    ...BASE,
  })
  .meta({ id: "DiscoveredSkill", description: "A skill that was found on devices" });

export const DiscoveredMemory = z
  .object({
    id: z.string().describe("Identifies the file on all devices"),
    path: z.string().describe("The path"),
    kind: z.string().describe("`instructions`, `rules` or `auto_memory`"),
    ...BASE,
  })
  .meta({ id: "DiscoveredMemory", description: "Instructions, rules or memory of agents that were found on devices" });

export const DiscoveredAgent = z
  .object({
    id: z.string().describe("Identifies the agent on all devices"),
    kind: z.string().describe("`app`, `cli`, `extension` or `subagent`"),
    ...BASE,
  })
  .meta({ id: "DiscoveredAgent", description: "An AI agent that was found on devices" });

export const DiscoveryInstance = z
  .object({
    id: z.string().describe("ID of the instance"),
    kind: z.enum(DISCOVERY_KINDS).describe("The kind of item"),
    key: z.string().describe("The fingerprint, digest or ID of the item"),
    device_id: z.string().describe("The device"),
    hostname: z.string().nullable().describe("The name of the device"),
    user_email: z.string().nullable().describe("The email of the device's user"),
    username: z.string().nullable().describe("The account on the device"),
    client: z.string().describe("The client"),
    name: z.string().describe("Its name there"),
    path: z.string().describe("The file or folder"),
    config_path: z.string().nullable().describe("The configuration file of an MCP server"),
    scope: z.string().describe("Where it applies, such as `user` or `project`"),
    action,
    rule_id: ruleId,
    risk,
    first_seen: timestamp("When it was first reported"),
    last_seen: timestamp("When it was last reported"),
    removed_at: timestamp("When it was gone; null: it is there").nullable(),
    quarantined: z.boolean().optional().describe("Whether enforcement removed it and the device can restore it"),
    enabled: z.boolean().optional().describe("Whether the client uses it"),
    transport: z.string().optional().describe("`stdio`, `http` or `sse`"),
    command: z.string().optional().describe("The program"),
    args: z.array(z.string()).optional().describe("The arguments, without secrets"),
    url: z.string().optional().describe("The URL"),
    package: z
      .object({
        type: z.string().describe("`npm`, `pypi`, `oci` or `binary`"),
        name: z.string().describe("The name"),
        version: z.string().optional().describe("The version, if the configuration names one"),
      })
      .optional()
      .describe("The package"),
    env_keys: z.array(z.string()).optional().describe("Names of its environment variables"),
    header_keys: z.array(z.string()).optional().describe("Names of its headers"),
    project: z.string().optional().describe("The project folder"),
    config_hash: z.string().optional().describe("A hash of the configuration without secrets"),
    has_scripts: z.boolean().optional().describe("Whether it contains scripts"),
    issues: z.array(z.string()).optional().describe("Problems of its text"),
    size_bytes: z.int().optional().describe("Size in bytes"),
    sha256: z.string().optional().describe("The hash of its content"),
    modified_at: z.string().optional().describe("When the file was changed, by the device's clock"),
    version: z.string().optional().describe("The installed version"),
    running: z.boolean().optional().describe("Whether it was running"),
  })
  .meta({ id: "DiscoveryInstance", description: "An item in one place on one device" });

export const DiscoveryDevice = z
  .object({
    id: z.string().describe("ID of the device"),
    hostname: z.string().describe("The name of the device"),
    os: z.string().describe("`darwin`, `linux` or `win32`"),
    os_version: z.string().nullable().describe("The version of the operating system"),
    arch: z.string().nullable().describe("The processor architecture"),
    is_wsl: z.boolean().describe("Whether this is the Windows Subsystem for Linux"),
    is_container: z.boolean().describe("Whether this is a container"),
    usernames: z.array(z.string()).describe("Accounts that were scanned"),
    username: z.string().nullable().describe("The main account"),
    user_email: z.string().nullable().describe("The email of its user, assigned or reported"),
    user_known: z.boolean().describe("Whether a person with this email exists here"),
    agent_version: z.string().nullable().describe("The version of the scan agent"),
    status: z.enum(["active", "stale", "retired"]).describe("`stale`: it did not report for three scan intervals"),
    counts: z
      .object({
        mcp_servers: z.int().describe("MCP servers"),
        skills: z.int().describe("Skills"),
        agent_memory: z.int().describe("Memory files"),
        agents: z.int().describe("Agents"),
      })
      .describe("What it contains"),
    warnings: z
      .array(z.string())
      .describe(
        "`cloned_id`: another device reports the same ID; `token_changed`: reports came with several API tokens",
      ),
    scan_errors: z
      .array(z.object({ path: z.string().describe("The file or folder"), code: z.string().describe("Why") }))
      .describe(
        "What the last report does not cover: paths that could not be read, limits that were reached (`too_many_entries`), and paths of `rejected` entries. What was found there before is kept",
      ),
    reported_with: z.string().describe("The API token of the last report"),
    first_seen: timestamp("When it first reported"),
    last_seen: timestamp("When it last reported"),
  })
  .meta({ id: "DiscoveryDevice", description: "A device that reports" });

export const DiscoveryViolation = z
  .object({
    id: z.string().describe("ID of the violation"),
    kind: z.enum(DISCOVERY_KINDS).describe("The kind of item"),
    key: z.string().nullable().describe("The fingerprint or digest of the item"),
    name: z.string().nullable().describe("Its name on the device"),
    client: z.string().nullable().describe("The client that has it"),
    path: z.string().nullable().describe("Where it is"),
    device_id: z.string().describe("The device"),
    hostname: z.string().nullable().describe("The name of the device"),
    user_email: z.string().nullable().describe("The email of the device's user"),
    action: z.enum(POLICY_ACTIONS).describe("`warn` or `block`"),
    rule_id: ruleId,
    rule_name: z.string().nullable().describe("The name of the rule, if it still exists"),
    policy_version: z.int().describe("The version of the policy that decided"),
    enforcement: z.string().nullable().describe("What the device did about it, as it reported"),
    quarantined: z.boolean().describe("Whether enforcement removed it and the device can restore it"),
    first_seen: timestamp("When it was first seen"),
    resolved_at: timestamp("When it was removed or allowed; null: it is open").nullable(),
  })
  .meta({ id: "DiscoveryViolation", description: "An item on a device that the policy warns about or blocks" });
