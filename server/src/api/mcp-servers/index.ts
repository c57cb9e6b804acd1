import type { Operation } from "#api/kit/operation";
import { acceptTools } from "./accept-tools.ts";
import { approveOAuthChange } from "./approve-oauth-change.ts";
import { createMcpServer } from "./create-mcp-server.ts";
import { deleteMcpServer } from "./delete-mcp-server.ts";
import { deleteMcpServerConnection } from "./delete-mcp-server-connection.ts";
import { discoverOAuth } from "./discover-oauth.ts";
import { getMcpServer } from "./get-mcp-server.ts";
import { getToolDefinition } from "./get-tool-definition.ts";
import { keepOAuthSettings } from "./keep-oauth-settings.ts";
import { listMcpServerConnections } from "./list-mcp-server-connections.ts";
import { listMcpServerItems } from "./list-mcp-server-items.ts";
import { listMcpServers } from "./list-mcp-servers.ts";
import { listToolChanges } from "./list-tool-changes.ts";
import { rejectTools } from "./reject-tools.ts";
import { syncMcpServer } from "./sync-mcp-server.ts";
import { testMcpServer } from "./test-mcp-server.ts";
import { updateMcpServer } from "./update-mcp-server.ts";
import { updateMcpServerTools } from "./update-mcp-server-tools.ts";

/** In document order. */
export const mcpServerOperations: readonly Operation[] = [
  listMcpServers,
  createMcpServer,
  updateMcpServer,
  deleteMcpServer,
  getMcpServer,
  updateMcpServerTools,
  listToolChanges,
  getToolDefinition,
  listMcpServerItems,
  acceptTools,
  rejectTools,
  syncMcpServer,
  testMcpServer,
  listMcpServerConnections,
  deleteMcpServerConnection,
  discoverOAuth,
  approveOAuthChange,
  keepOAuthSettings,
];
