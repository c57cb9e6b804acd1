import { z } from "zod";
import { APPROVAL_STATUSES } from "#storage/approval-tables";
import { DISCOVERY_KINDS } from "#storage/discovery-tables";

/** Descriptions of tools can be long. */
export const DESCRIPTION_START = 160;

const logoUrl = z.string().meta({ description: "Logo, served by Gatehouse", format: "uri" });
const Person = z.object({
  name: z.string().meta({ description: "Display name", example: "Ada Lovelace" }),
  email: z.string().meta({ description: "The user's email", example: "ada@example.com" }),
  disabled: z.boolean().describe("Whether the user is disabled"),
});
export const Found = z
  .object({
    servers: z
      .array(
        z.object({
          slug: z.string().meta({ description: "The server's slug", example: "github" }),
          name: z.string().meta({ description: "Display name", example: "GitHub" }),
          status: z.enum(["active", "draft"]).describe("A `draft` is only visible to groups with `show_draft_mcps`"),
          logo_url: logoUrl,
        }),
      )
      .describe("MCP servers, by slug, name or description"),
    tools: z
      .array(
        z.object({
          server_slug: z.string().meta({ description: "The slug of its server", example: "github" }),
          server_name: z.string().meta({ description: "Display name of its server", example: "GitHub" }),
          slug: z.string().meta({ description: "The part after `__` in its gateway name" }),
          name: z.string().meta({ description: "Title, or the name at the server" }),
          description: z.string().describe(`The first ${DESCRIPTION_START} characters of the description`),
          enabled: z.boolean().describe("Whether callers can see it: enabled and not held for review"),
          logo_url: logoUrl,
        }),
      )
      .describe("Tools, by slug or title, including disabled ones"),
    users: z.array(Person).describe("People, by name or email"),
    machine_users: z
      .array(Person.extend({ slug: z.string().meta({ description: "Its slug", example: "nightly-job" }) }))
      .describe("Machine users, by name or email"),
    groups: z
      .array(z.object({ name: z.string().meta({ description: "The group's name", example: "Engineering" }) }))
      .describe("Groups, by name"),
    toolkits: z
      .array(
        z.object({
          slug: z.string().meta({ description: "The toolkit's slug", example: "triage" }),
          name: z.string().meta({ description: "Display name", example: "Issue triage" }),
          status: z.enum(["active", "draft"]).describe("Only active toolkits reach callers"),
        }),
      )
      .describe("Toolkits, by slug, name or description"),
    skills: z
      .array(
        z.object({
          slug: z.string().meta({ description: "The skill's name", example: "release-notes" }),
          description: z.string().describe("What it does"),
          status: z.enum(["active", "draft"]).describe("Only active skills reach callers"),
        }),
      )
      .describe("Skills, by name or description"),
    commands: z
      .array(
        z.object({
          slug: z.string().meta({ description: "The command's slug", example: "release-notes" }),
          name: z.string().meta({ description: "Display name", example: "Release notes" }),
          status: z.enum(["active", "draft"]).describe("Only active commands reach callers"),
        }),
      )
      .describe("Commands, by slug, name or description"),
    plugins: z
      .array(
        z.object({
          slug: z.string().meta({ description: "The plugin's slug", example: "engineering" }),
          name: z.string().meta({ description: "Display name", example: "Engineering" }),
          status: z.enum(["active", "draft"]).describe("Only active plugins reach callers"),
        }),
      )
      .describe("Plugins, by slug, name or description"),
    agents: z
      .array(
        z.object({
          slug: z.string().meta({ description: "The agent's slug", example: "triage" }),
          name: z.string().meta({ description: "Display name", example: "Issue triage" }),
          status: z.enum(["draft", "active", "paused"]).describe("Only active agents start sessions"),
        }),
      )
      .describe("Background agents, by slug, name or description"),
    guards: z
      .array(
        z.object({
          slug: z.string().meta({ description: "The guard's slug", example: "payment-cards" }),
          name: z.string().meta({ description: "Display name", example: "Payment cards" }),
          enabled: z.boolean().describe("Whether the guard is on"),
        }),
      )
      .describe("Guards, by slug, name or description"),
    approvals: z
      .array(
        z.object({
          id: z.string().describe("The approval's ID"),
          tool: z.string().meta({ description: "The tool of the held call", example: "refund" }),
          server_name: z.string().meta({ description: "Display name of its server", example: "Stripe" }),
          user_email: z.string().meta({ description: "The caller", example: "ada@example.com" }),
          status: z.enum(APPROVAL_STATUSES).describe("Whether and how it was decided"),
        }),
      )
      .describe("Approvals of held calls, by caller, tool, server, guard or ID; pending ones first"),
    webhooks: z
      .array(
        z.object({
          id: z.string().describe("The webhook's ID"),
          name: z.string().meta({ description: "Its name", example: "On-call" }),
          enabled: z.boolean().describe("Whether events are sent"),
        }),
      )
      .describe("Webhooks, by name"),
    log_destinations: z
      .array(
        z.object({
          id: z.string().describe("The log destination's ID"),
          name: z.string().meta({ description: "Its name", example: "Collector" }),
          enabled: z.boolean().describe("Whether records are sent"),
        }),
      )
      .describe("Log destinations, by name"),
    issuers: z
      .array(
        z.object({
          slug: z.string().meta({ description: "The issuer's slug", example: "github-actions" }),
          name: z.string().meta({ description: "Display name", example: "GitHub Actions" }),
          enabled: z.boolean().describe("Whether its tokens are exchanged"),
        }),
      )
      .describe("Trusted issuers, by slug, name or issuer"),
    discovered: z
      .array(
        z.object({
          kind: z.enum(DISCOVERY_KINDS).describe("What it is"),
          key: z.string().describe("Its fingerprint, digest or ID in the inventory"),
          name: z.string().meta({ description: "Its most frequent name", example: "github" }),
          devices_count: z.int().describe("Number of devices that have it"),
        }),
      )
      .describe("Items that devices reported, by name, URL, command, package, path or description"),
    devices: z
      .array(
        z.object({
          id: z.string().describe("The device's ID"),
          hostname: z.string().meta({ description: "Its name", example: "ada-laptop" }),
          user_email: z.string().nullable().describe("Its user"),
        }),
      )
      .describe("Devices that report AI tools, by name, ID or user"),
  })
  .meta({ id: "Found", description: "Search results by kind, best match first" });
