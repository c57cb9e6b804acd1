import type { z } from "zod";
import type { DiscoveryItemRow, DiscoveryKind } from "#storage/discovery-tables";
import { presentAgent, presentMemory, presentServer, presentSkill, type readAround } from "./present.ts";
import { DiscoveredAgent, DiscoveredMcpServer, DiscoveredMemory, DiscoveredSkill } from "./schema.ts";

/** How the API names each kind of discovered item. */
export interface KindNames {
  readonly kind: DiscoveryKind;
  /** The path segment and the kind of an export. */
  readonly segment: string;
  readonly exportKind: string;
  /** Part of the operation IDs. */
  readonly one: string;
  readonly many: string;
  /** In sentences. */
  readonly label: string;
  readonly labels: string;
  /** The parameter that identifies an item. */
  readonly key: string;
  readonly schema: z.ZodObject;
  present(row: DiscoveryItemRow, around: Awaited<ReturnType<typeof readAround>>): Record<string, unknown>;
}

export const MCP_SERVERS: KindNames = {
  ...{ kind: "mcp_server", segment: "mcp-servers", exportKind: "mcp_servers", key: "fingerprint" },
  ...{ one: "DiscoveredMcpServer", many: "DiscoveredMcpServers", label: "MCP server", labels: "MCP servers" },
  ...{ schema: DiscoveredMcpServer, present: presentServer },
};
export const SKILLS: KindNames = {
  ...{ kind: "skill", segment: "skills", exportKind: "skills", key: "digest" },
  ...{ one: "DiscoveredSkill", many: "DiscoveredSkills", label: "Skill", labels: "skills" },
  ...{ schema: DiscoveredSkill, present: presentSkill },
};
export const AGENT_MEMORY: KindNames = {
  ...{ kind: "agent_memory", segment: "agent-memory", exportKind: "agent_memory", key: "id" },
  ...{ one: "DiscoveredMemory", many: "DiscoveredAgentMemory", label: "Agent memory", labels: "agent memory" },
  ...{ schema: DiscoveredMemory, present: presentMemory },
};
export const AGENTS: KindNames = {
  ...{ kind: "agent", segment: "agents", exportKind: "agents", key: "id" },
  ...{ one: "DiscoveredAgent", many: "DiscoveredAgents", label: "Agent", labels: "agents" },
  ...{ schema: DiscoveredAgent, present: presentAgent },
};
export const KINDS: readonly KindNames[] = [MCP_SERVERS, SKILLS, AGENT_MEMORY, AGENTS];
