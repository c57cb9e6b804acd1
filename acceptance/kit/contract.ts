/** The operations of the contract (Spec 4.1–4.4). */
export interface ContractOperation {
  readonly id: string;
  readonly method: string;
  readonly path: string;
  /** The query parameter that identifies its target. */
  readonly target?: string;
  readonly takesBody: boolean;
}

export const CONTRACT_OPERATIONS: readonly ContractOperation[] = [
  { id: "listMcpServers", method: "GET", path: "/api/mcp-servers", takesBody: false },
  { id: "createMcpServer", method: "POST", path: "/api/mcp-servers", takesBody: true },
  { id: "updateMcpServer", method: "PATCH", path: "/api/mcp-servers", target: "slug", takesBody: true },
  { id: "deleteMcpServer", method: "DELETE", path: "/api/mcp-servers", target: "slug", takesBody: false },
  { id: "listConnectors", method: "GET", path: "/api/connectors", takesBody: false },
  { id: "getConnectorUsage", method: "GET", path: "/api/connectors/{connector_id}/usage", takesBody: false },
  { id: "listGroups", method: "GET", path: "/api/groups", takesBody: false },
  { id: "createGroup", method: "POST", path: "/api/groups", takesBody: true },
  { id: "updateGroup", method: "PATCH", path: "/api/groups", target: "name", takesBody: true },
  { id: "deleteGroup", method: "DELETE", path: "/api/groups", target: "name", takesBody: false },
  { id: "addIntegrationsToGroup", method: "POST", path: "/api/groups/{name}/integrations", takesBody: true },
  { id: "listUsers", method: "GET", path: "/api/users", takesBody: false },
  { id: "createUser", method: "POST", path: "/api/users", takesBody: true },
  { id: "updateUser", method: "PATCH", path: "/api/users", target: "email", takesBody: true },
];

export const SLUG_MESSAGE =
  "slug: slug must contain only lowercase letters, numbers and hyphens, and must not start or end with a hyphen";
export const SLUG_FORMAT = /^[a-z0-9]+(?:[a-z0-9-]*[a-z0-9])?$/;
export const ISO_TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d+)?Z$/;
