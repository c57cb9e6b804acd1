import { z } from "zod";
import { createdAt, recordId, timestamp, updatedAt } from "#api/kit/answers";
import { PLUGIN_TARGETS } from "#storage/plugin-tables";

const version = z.string().meta({ description: "Semantic version", example: "1.4.0" });
const digest = z.string().meta({
  description: "Of the paths, modes and contents of all files",
  example: "sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
});

const Author = z.object({
  name: z.string().describe("Name"),
  email: z.string().optional().describe("Email"),
  url: z.string().optional().describe("Website"),
});

const Agent = z.object({
  name: z.string().describe("Name of the agent"),
  description: z.string().describe("When to use the agent"),
  content: z.string().describe("Instructions in Markdown"),
  model: z.string().optional().describe("The model. Absent: that of the client"),
  tools: z.array(z.string()).optional().describe("The tools of the client that it can use. Absent: all"),
});

/** Families 5. */
export const Plugin = z
  .object({
    id: recordId("plg"),
    slug: z.string().meta({ description: "The name in clients; never changes", example: "engineering" }),
    name: z.string().meta({ description: "Display name", example: "Engineering" }),
    description: z.string().describe("What the plugin is for"),
    author: Author.nullable().describe("Who made it. Null: the organization"),
    category: z.string().nullable().describe("Category in marketplaces"),
    keywords: z.array(z.string()).describe("Words to find it by"),
    homepage: z.string().nullable().describe("Website of the plugin"),
    license: z.string().nullable().describe("License"),
    skills: z.array(z.string()).describe("Slugs of the skills"),
    commands: z.array(z.string()).describe("Slugs of the commands"),
    agents: z.array(Agent).describe("Subagents of the client"),
    hooks: z.record(z.string(), z.unknown()).nullable().describe("Commands that clients run, by event"),
    mcp: z
      .object({
        include_gateway: z.boolean().describe("Whether the plugin configures the gateway"),
        server_name: z.string().describe("Name of the gateway in the client"),
        toolkit: z.string().nullable().describe("Slug of the toolkit that clients use"),
        servers: z.array(z.string()).describe("Slugs of MCP servers that clients get as separate servers"),
      })
      .describe("MCP configuration"),
    targets: z.array(z.enum(PLUGIN_TARGETS)).describe("Clients that releases have manifests for"),
    status: z.enum(["draft", "active"]).describe("Only active plugins reach callers"),
    groups: z.array(z.string()).describe("Names of the groups whose members can install it"),
    latest_version: z.string().nullable().describe("The version of the latest release. Null: none"),
    releases_count: z.int().meta({ description: "Number of releases", example: 2 }),
    has_unpublished_changes: z.boolean().describe("Whether the next release would differ from the latest one"),
    created_at: createdAt,
    updated_at: updatedAt,
  })
  .meta({ id: "Plugin", description: "A bundle of skills, commands, agents and MCP configuration for AI clients" });

export const PublishedRelease = z
  .object({
    version,
    digest,
    files_count: z.int().describe("Number of files"),
    published_at: timestamp("When it was published"),
  })
  .meta({ id: "PublishedRelease", description: "A release that was published" });

export const PluginRelease = PublishedRelease.extend({
  notes: z.string().describe("What changed"),
  size_bytes: z.int().describe("Size of all files in bytes"),
  latest: z.boolean().describe("Whether callers of an active plugin get this release"),
  published_by: z.string().describe("Who published it"),
}).meta({ id: "PluginRelease", description: "One release of a plugin; releases never change" });

export const pluginWarningsField = z.array(z.string()).optional().describe("Warnings of guards");
