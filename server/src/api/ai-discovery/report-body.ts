import { z } from "zod";
import { flag, requiredText, text } from "#api/kit/body-fields";
import { isEmail } from "#lib/email";
import { redactText } from "#policy/redact";
import { ENFORCEMENT_RESULTS } from "#policy/types";
import { DEVICE_SYSTEMS } from "#storage/discovery-tables";

const MOST_ENTRIES = 10_000;
const MOST_AGE_SECONDS = 1_000_000_000;
const MOST_USERS = 1_000;
const MOST_ERRORS = 2_000;
/** An identifier cannot be redacted, because others would be equal to it. */
const NO_SECRET = { error: "must not contain a credential" };
const hasNoSecret = (id: string) => redactText(id) === id;
const OBJECT = { error: "must be an object" };

const entries = (what: string) =>
  z
    .array(z.unknown(), { error: "must be an array" })
    .max(MOST_ENTRIES, { error: `must contain at most ${MOST_ENTRIES} entries` })
    .default([])
    .describe(`${what}. Entries with errors are listed in \`rejected\`, and the others count`);

const device = z
  .object(
    {
      id: requiredText("device.id", 200)
        .regex(/^[\w.:-]+$/, { error: "must contain only letters, digits, dots, colons, hyphens and underscores" })
        .refine(hasNoSecret, NO_SECRET)
        .describe("A stable identifier of the device"),
      hostname: text(255).nullish().describe("The name of the device"),
      os: z
        .enum(DEVICE_SYSTEMS, {
          error: ({ input }) =>
            input === undefined ? "device.os is required" : `must be one of ${DEVICE_SYSTEMS.join(", ")}`,
        })
        .describe("The operating system"),
      os_version: text(100).nullish().describe("The version of the operating system"),
      arch: text(50).nullish().describe("The processor architecture"),
      serial_hash: text(100).nullish().describe("A hash of the serial number, which tells cloned devices apart"),
      is_wsl: flag().nullish().describe("Whether this is the Windows Subsystem for Linux"),
      is_container: flag().nullish().describe("Whether this is a container"),
      users: z
        .array(text(255), { error: "must be an array" })
        .max(MOST_USERS, { error: `must contain at most ${MOST_USERS} entries` })
        .nullish()
        .describe("Accounts whose home folders were scanned"),
    },
    { error: ({ input }) => (input === undefined ? "device is required" : "must be an object") },
  )
  .describe("The device that was scanned");

export const DiscoveryReportBody = z
  .object({
    schema_version: z.literal(1, { error: "must be 1" }).describe("The version of this format"),
    report_id: requiredText("report_id", 100)
      .refine(hasNoSecret, NO_SECRET)
      .describe("Identifies the report; a repeated report changes nothing"),
    scanned_at: requiredText("scanned_at", 40)
      .refine((value) => !Number.isNaN(Date.parse(value)), { error: "must be an ISO 8601 timestamp" })
      .meta({ format: "date-time", description: "When the scan ended, by the device's clock" }),
    age_seconds: z
      .int({ error: "must be an integer" })
      .min(0, { error: "must be an integer of at least 0" })
      .max(MOST_AGE_SECONDS, { error: `must be an integer of at most ${MOST_AGE_SECONDS}` })
      .nullish()
      .describe(
        "How long the agent kept the report before it sent it, or 0. The order of reports then does not depend on the device's clock. Without it, `scanned_at` decides",
      ),
    full: flag()
      .default(false)
      .describe("Whether everything was scanned. Then items that are missing were removed from the device"),
    agent: z
      .object(
        {
          name: text(100).nullish().describe("The name of the scan agent"),
          version: text(50).nullish().describe("The version of the scan agent"),
        },
        OBJECT,
      )
      .nullish()
      .describe("The software that scanned"),
    device,
    user: z
      .object(
        {
          username: text(255).nullish().describe("The main account of the device"),
          email: text(254)
            .refine((value) => value === "" || isEmail(value), { error: "must be a valid email" })
            .nullish()
            .describe("The email of that person"),
        },
        OBJECT,
      )
      .nullish()
      .describe("The main user of the device"),
    mcp_servers: entries(
      "MCP servers in configuration files, and with `quarantined: true` those that enforcement removed",
    ),
    skills: entries("Skills, and with `quarantined: true` those that enforcement removed"),
    agent_memory: entries("Instructions, rules and memory of agents"),
    agents: entries("Installed agents"),
    errors: z
      .array(
        z.object(
          {
            path: text(1_024).describe("What could not be read"),
            code: text(64).describe("Why, such as `parse_error`"),
          },
          OBJECT,
        ),
        { error: "must be an array" },
      )
      .max(MOST_ERRORS, { error: `must contain at most ${MOST_ERRORS} entries` })
      .default([])
      .describe("Files that could not be read. Items that were found in them before are kept"),
    enforcement: z
      .array(
        z.object(
          {
            fingerprint: text(100).optional().describe("The MCP server"),
            digest: text(100).optional().describe("The skill"),
            client: text(64).optional().describe("The MCP client"),
            result: z
              .enum(ENFORCEMENT_RESULTS, { error: `must be one of ${ENFORCEMENT_RESULTS.join(", ")}` })
              .describe("What happened"),
            reason: text(500).optional().describe("Why it failed"),
          },
          OBJECT,
        ),
        { error: "must be an array" },
      )
      .max(MOST_ERRORS, { error: `must contain at most ${MOST_ERRORS} entries` })
      .default([])
      .describe("What the device did about blocked items since its last report"),
  })
  .meta({
    id: "DiscoveryReport",
    description: "The result of a scan of one device",
    example: {
      schema_version: 1,
      report_id: "0b8f7c1e-1a52-4f6e-9a3b-6f1a2b3c4d5e",
      scanned_at: "2027-01-31T09:30:00Z",
      full: true,
      agent: { name: "gatehouse-scan", version: "1.0.0" },
      device: { id: "c0ffee", hostname: "ada-laptop", os: "darwin", users: ["ada"] },
      user: { username: "ada", email: "ada@example.com" },
      mcp_servers: [
        {
          ...{ name: "github", client: "cursor", scope: "user", transport: "stdio", command: "npx" },
          ...{ args: ["-y", "@modelcontextprotocol/server-github"], env_keys: ["GITHUB_TOKEN"], enabled: true },
          config_path: "~/.cursor/mcp.json",
        },
      ],
      skills: [],
      agent_memory: [],
      agents: [],
      errors: [],
      enforcement: [],
    },
  });
