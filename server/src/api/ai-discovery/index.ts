import type { Operation } from "#api/kit/operation";
import { deleteDiscoveryDevice, getDiscoveryDevice, listDiscoveryDevices, updateDiscoveryDevice } from "./devices.ts";
import { exportDiscovery } from "./export-discovery.ts";
import { getDiscoverySummary } from "./get-discovery-summary.ts";
import { importDiscoveredMcpServer } from "./import-discovered-mcp-server.ts";
import { importDiscoveredSkill } from "./import-discovered-skill.ts";
import { itemOperations } from "./item-operations.ts";
import { AGENT_MEMORY, AGENTS, MCP_SERVERS, SKILLS } from "./kinds.ts";
import { listDiscoveryViolations } from "./list-discovery-violations.ts";
import { reportDiscovery } from "./report-discovery.ts";

/** In document order. */
export const discoveryOperations: readonly Operation[] = [
  reportDiscovery,
  getDiscoverySummary,
  ...itemOperations(MCP_SERVERS),
  importDiscoveredMcpServer,
  ...itemOperations(SKILLS),
  importDiscoveredSkill,
  ...itemOperations(AGENT_MEMORY),
  ...itemOperations(AGENTS),
  listDiscoveryDevices,
  getDiscoveryDevice,
  updateDiscoveryDevice,
  deleteDiscoveryDevice,
  listDiscoveryViolations,
  exportDiscovery,
];
