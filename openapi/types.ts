// Made by `npm run openapi` from the operations' declarations. An optional member may also be undefined: it is not sent.

export interface Schemas {
  readonly AddIntegrations: {
    readonly slugs: ReadonlyArray<string>;
  };
  readonly AddUsers: {
    readonly emails: ReadonlyArray<string>;
  };
  readonly ApiToken: {
    readonly id: string;
    readonly name: string;
    readonly scopes: ReadonlyArray<string>;
    readonly expires_at: string | null;
    readonly last_used_at: string | null;
    readonly created_at: string;
  };
  readonly AuthSettings: {
    readonly authType?: "proxy-oauth" | "proxy-api-key" | "none" | null | undefined;
    readonly clientId?: string | null | undefined;
    readonly authUrl?: string | null | undefined;
    readonly tokenUrl?: string | null | undefined;
    readonly client?: {
      readonly scope?: string | null | undefined;
    } | null | undefined;
    readonly howtoMarkdown?: string | null | undefined;
    readonly clientSecret?: string | null | undefined;
    readonly registrationUrl?: string | null | undefined;
    readonly issuer?: string | null | undefined;
    readonly resource?: string | null | undefined;
    readonly headerName?: string | null | undefined;
    readonly headerPrefix?: string | null | undefined;
  };
  readonly CreateApiToken: {
    readonly name: string;
    readonly scopes: ReadonlyArray<"all" | "admin:read" | "admin:write" | "connect:read" | "connect:write" | "connect:exchange-auth" | "discovery:ingest" | "agents:invoke">;
    readonly expires_at?: string | null | undefined;
  };
  readonly CreateGroup: {
    readonly name: string;
    readonly settings?: {
      readonly auto_assign_users?: boolean | undefined;
      readonly auto_assign_mcps?: boolean | undefined;
      readonly show_draft_mcps?: boolean | undefined;
    } | undefined;
  };
  readonly CreateMachineUser: {
    readonly is_machine_user: true;
    readonly name: string;
    readonly slug?: string | undefined;
    readonly client_credentials?: {
      readonly clientId: string;
      readonly clientSecret: string;
      readonly tokenUrl: string;
    } | undefined;
    readonly owner_ids?: ReadonlyArray<string> | undefined;
  };
  readonly CreateMcpServer: {
    readonly name: string;
    readonly slug?: string | undefined;
    readonly mcp_proxy?: string | undefined;
    readonly description?: string | undefined;
    readonly status?: "active" | "draft" | undefined;
    readonly auth_settings?: Schemas["AuthSettings"] | undefined;
  };
  readonly CreatePerson: {
    readonly name: string;
    readonly email: string;
    readonly is_machine_user?: boolean | undefined;
  };
  readonly Credentials: {
    readonly client_id: string;
    readonly secret: string;
  };
  readonly CursorPagination: {
    readonly cursor: number;
    readonly limit: number;
    readonly hasMore: boolean;
    readonly nextCursor: number | null;
  };
  readonly Error: {
    readonly error: string;
  };
  readonly Group: {
    readonly id: string;
    readonly name: string;
    readonly settings: {
      readonly auto_assign_users: boolean;
      readonly auto_assign_mcps: boolean;
      readonly show_draft_mcps: boolean;
    };
    readonly users_count: number;
    readonly integrations_count: number;
    readonly created_at: string;
    readonly updated_at: string;
  };
  readonly InvalidFormat: {
    readonly code: string;
    readonly message: string;
  };
  readonly LogEntry: {
    readonly id: string;
    readonly ts: string;
    readonly user_id: string;
    readonly user_email: string;
    readonly server_slug: string | null;
    readonly tool: string | null;
    readonly method: string;
    readonly outcome: "ok" | "tool_error" | "error" | "denied" | "upstream_failed" | "timeout" | "cancelled" | "interrupted";
    readonly duration_ms: number;
    readonly request_bytes: number;
    readonly response_bytes: number;
    readonly request_id: string;
    readonly error: string | null;
  };
  readonly McpServerDetail: {
    readonly slug: string;
    readonly name: string;
    readonly description: string;
    readonly status: "active" | "draft";
    readonly logo_url: string;
    readonly auth_type: "none" | "proxy-oauth" | "proxy-api-key";
    readonly tools_count: number;
    readonly is_local_mcp: boolean;
    readonly connection: {
      readonly url: string;
      readonly transport: "http" | "sse" | "both";
    } | null;
    readonly tools: ReadonlyArray<{
      readonly name: string;
      readonly slug: string;
      readonly description: string;
    }>;
    readonly id: string;
    readonly needs_setup: boolean;
    readonly auth_settings: {
      readonly authType: "none" | "proxy-oauth" | "proxy-api-key";
      readonly clientId?: string | undefined;
      readonly authUrl?: string | undefined;
      readonly tokenUrl?: string | undefined;
      readonly registrationUrl?: string | undefined;
      readonly issuer?: string | undefined;
      readonly resource?: string | undefined;
      readonly headerName?: string | undefined;
      readonly headerPrefix?: string | undefined;
      readonly client?: {
        readonly scope?: string | undefined;
      } | undefined;
      readonly howtoMarkdown?: string | undefined;
      readonly hasClientSecret: boolean;
    };
    readonly all_tools: ReadonlyArray<{
      readonly name: string;
      readonly slug: string;
      readonly description: string;
      readonly enabled: boolean;
    }>;
    readonly tools_synced_at: string | null;
    readonly sync_error: string | null;
    readonly created_at: string;
    readonly updated_at: string;
  };
  readonly McpServerSelection: {
    readonly slug?: string | undefined;
    readonly name?: string | undefined;
    readonly description?: string | undefined;
    readonly status?: "active" | "draft" | undefined;
    readonly logo_url?: string | undefined;
    readonly auth_type?: "none" | "proxy-oauth" | "proxy-api-key" | undefined;
    readonly tools_count?: number | undefined;
    readonly is_local_mcp?: boolean | undefined;
    readonly connection?: {
      readonly url?: string | undefined;
      readonly transport?: "http" | "sse" | "both" | undefined;
    } | null | undefined;
    readonly tools?: ReadonlyArray<{
      readonly name?: string | undefined;
      readonly slug?: string | undefined;
      readonly description?: string | undefined;
    }> | undefined;
  };
  readonly Message: {
    readonly message: string;
  };
  readonly RotateUserSecret: {
    /** How long the secret so far stays valid beside the new one */
    readonly overlap_seconds?: number | undefined;
  };
  readonly SkipPagination: {
    readonly skip: number;
    readonly limit: number;
    readonly hasMore: boolean;
  };
  readonly Success: {
    readonly data: {
      readonly success: boolean;
    };
  };
  readonly SwitchedTools: {
    readonly slug: string;
    readonly tools_count: number;
    readonly tools: ReadonlyArray<{
      readonly name: string;
      readonly slug: string;
      readonly description: string;
      readonly enabled: boolean;
    }>;
  };
  readonly UpdateGroup: {
    readonly name?: string | undefined;
    readonly settings?: {
      readonly auto_assign_users?: boolean | undefined;
      readonly auto_assign_mcps?: boolean | undefined;
      readonly show_draft_mcps?: boolean | undefined;
    } | undefined;
  };
  readonly UpdateMcpServer: {
    readonly name?: string | undefined;
    readonly slug?: string | undefined;
    readonly mcp_proxy?: string | null | undefined;
    readonly description?: string | null | undefined;
    readonly status?: "active" | "draft" | undefined;
    readonly auth_settings?: Schemas["AuthSettings"] | undefined;
  };
  readonly UpdateMcpServerTools: {
    readonly enable?: ReadonlyArray<string> | undefined;
    readonly disable?: ReadonlyArray<string> | undefined;
  };
  readonly UpdateUser: {
    readonly name?: string | undefined;
    readonly risk_score?: number | null | undefined;
    readonly owner_ids?: ReadonlyArray<string> | undefined;
  };
  readonly User: {
    readonly id: string;
    readonly name: string;
    readonly email: string;
    readonly is_machine_user: boolean;
    readonly slug?: string | undefined;
    readonly group_ids: ReadonlyArray<string>;
    readonly owner_ids?: ReadonlyArray<string> | undefined;
    readonly risk_score: number | null;
    readonly role: "admin" | "member";
    readonly disabled: boolean;
    readonly created_at: string;
    readonly updated_at: string;
  };
}

export interface Operations {
  /** List MCP servers */
  readonly listMcpServers: {
    readonly request: {
      readonly query?: {
        /** Only servers of this status */
        readonly status?: "active" | "draft" | undefined;
        /** Only servers whose name or description holds this text, in any case */
        readonly search?: string | undefined;
        /** Adds each server's enabled tools; use fields=tools(...) instead @deprecated */
        readonly include_tools?: boolean | undefined;
        /** Comma-separated fields; nested ones in parentheses, such as tools(name,slug) */
        readonly fields?: string | undefined;
        /** Zero-based offset of the first entry */
        readonly cursor?: number | undefined;
        /** How many entries to answer at most */
        readonly limit?: number | undefined;
        /** Adds totalCount */
        readonly includeTotal?: boolean | undefined;
      } | undefined;
      readonly headers?: {
        /** Only servers that this group can use; its name, in any case */
        readonly "x-service-group"?: string | undefined;
      } | undefined;
    };
    readonly answer: {
      readonly data: ReadonlyArray<Schemas["McpServerSelection"]>;
      readonly pagination: Schemas["CursorPagination"];
      readonly totalCount?: number | undefined;
    };
  };
  /** Create an MCP server */
  readonly createMcpServer: {
    readonly request: {
      readonly headers?: {
        /** Within 24 hours, the same key with the same request is answered again and done once */
        readonly "Idempotency-Key"?: string | undefined;
      } | undefined;
      readonly body: Schemas["CreateMcpServer"];
    };
    readonly answer: {
      readonly data: {
        readonly slug: string;
      };
    };
  };
  /** Change an MCP server */
  readonly updateMcpServer: {
    readonly request: {
      readonly query: {
        /** The server's present slug */
        readonly slug: string;
      };
      readonly body: Schemas["UpdateMcpServer"];
    };
    readonly answer: {
      readonly data: {
        readonly slug: string;
      };
    };
  };
  /** Delete an MCP server */
  readonly deleteMcpServer: {
    readonly request: {
      readonly query: {
        /** The server's slug */
        readonly slug: string;
      };
    };
    readonly answer: Schemas["Message"];
  };
  /** Get one MCP server with its settings and tools */
  readonly getMcpServer: {
    readonly request: {
      readonly path: {
        /** The server's slug */
        readonly slug: string;
      };
    };
    readonly answer: {
      readonly data: Schemas["McpServerDetail"];
    };
  };
  /** Switch tools of an MCP server on and off */
  readonly updateMcpServerTools: {
    readonly request: {
      readonly query: {
        /** The server's slug */
        readonly slug: string;
      };
      readonly body: Schemas["UpdateMcpServerTools"];
    };
    readonly answer: {
      readonly data: Schemas["SwitchedTools"];
    };
  };
  /** Read an MCP server's tools now */
  readonly syncMcpServer: {
    readonly request: {
      readonly path: {
        /** The server's slug */
        readonly slug: string;
      };
    };
    readonly answer: {
      readonly data: {
        readonly slug: string;
        readonly tools_count: number;
        readonly sync_error: string | null;
      };
    };
  };
  /** List groups */
  readonly listGroups: {
    readonly request: {
      readonly query?: {
        /** How many groups to pass over */
        readonly skip?: number | undefined;
        /** How many entries to answer at most */
        readonly limit?: number | undefined;
        /** Only groups whose name holds this text, in any case */
        readonly search?: string | undefined;
      } | undefined;
    };
    readonly answer: {
      readonly data: ReadonlyArray<Schemas["Group"]>;
      readonly pagination: Schemas["SkipPagination"];
    };
  };
  /** Create a group */
  readonly createGroup: {
    readonly request: {
      readonly headers?: {
        /** Within 24 hours, the same key with the same request is answered again and done once */
        readonly "Idempotency-Key"?: string | undefined;
      } | undefined;
      readonly body: Schemas["CreateGroup"];
    };
    readonly answer: {
      readonly data: Schemas["Group"];
    };
  };
  /** Rename a group or change its settings */
  readonly updateGroup: {
    readonly request: {
      readonly query: {
        /** The group's present name, in any case */
        readonly name: string;
      };
      readonly body: Schemas["UpdateGroup"];
    };
    readonly answer: {
      readonly data: Schemas["Group"];
    };
  };
  /** Delete a group */
  readonly deleteGroup: {
    readonly request: {
      readonly query: {
        /** The group's name, in any case */
        readonly name: string;
      };
    };
    readonly answer: Schemas["Message"];
  };
  /** Add MCP servers to a group */
  readonly addIntegrationsToGroup: {
    readonly request: {
      readonly path: {
        /** The group's name, in any case */
        readonly name: string;
      };
      readonly headers?: {
        /** Within 24 hours, the same key with the same request is answered again and done once */
        readonly "Idempotency-Key"?: string | undefined;
      } | undefined;
      readonly body: Schemas["AddIntegrations"];
    };
    readonly answer: Schemas["Success"];
  };
  /** Remove an MCP server from a group */
  readonly removeIntegrationFromGroup: {
    readonly request: {
      readonly path: {
        /** The group's name, in any case */
        readonly name: string;
      };
      readonly query: {
        /** The server's slug */
        readonly slug: string;
      };
    };
    readonly answer: Schemas["Success"];
  };
  /** Add users to a group */
  readonly addUsersToGroup: {
    readonly request: {
      readonly path: {
        /** The group's name, in any case */
        readonly name: string;
      };
      readonly headers?: {
        /** Within 24 hours, the same key with the same request is answered again and done once */
        readonly "Idempotency-Key"?: string | undefined;
      } | undefined;
      readonly body: Schemas["AddUsers"];
    };
    readonly answer: Schemas["Success"];
  };
  /** Remove a user from a group */
  readonly removeUserFromGroup: {
    readonly request: {
      readonly path: {
        /** The group's name, in any case */
        readonly name: string;
      };
      readonly query: {
        /** The user's e-mail, in any case */
        readonly email: string;
      };
    };
    readonly answer: Schemas["Success"];
  };
  /** List people and machine users */
  readonly listUsers: {
    readonly request: {
      readonly query?: {
        /** How many users to pass over */
        readonly skip?: number | undefined;
        /** How many entries to answer at most */
        readonly limit?: number | undefined;
        /** Only users whose name or e-mail holds this text, in any case */
        readonly search?: string | undefined;
      } | undefined;
    };
    readonly answer: {
      readonly data: ReadonlyArray<Schemas["User"]>;
      readonly pagination: Schemas["SkipPagination"];
    };
  };
  /** Create a person or a machine user */
  readonly createUser: {
    readonly request: {
      readonly headers?: {
        /** Within 24 hours, the same key with the same request is answered again and done once */
        readonly "Idempotency-Key"?: string | undefined;
      } | undefined;
      readonly body: Schemas["CreatePerson"] | Schemas["CreateMachineUser"];
    };
    readonly answer: {
      readonly data: Schemas["User"];
      readonly credentials?: Schemas["Credentials"] | undefined;
    };
  };
  /** Change a person or a machine user */
  readonly updateUser: {
    readonly request: {
      readonly query: {
        /** The user's e-mail, in any case */
        readonly email: string;
      };
      readonly body: Schemas["UpdateUser"];
    };
    readonly answer: {
      readonly data: Schemas["User"];
    };
  };
  /** Delete a person or a machine user */
  readonly deleteUser: {
    readonly request: {
      readonly query: {
        /** The user's e-mail, in any case */
        readonly email: string;
      };
    };
    readonly answer: Schemas["Message"];
  };
  /** Give a machine user a new secret */
  readonly rotateUserSecret: {
    readonly request: {
      readonly query: {
        /** The machine user's e-mail, in any case */
        readonly email: string;
      };
      readonly headers?: {
        /** Within 24 hours, the same key with the same request is answered again and done once */
        readonly "Idempotency-Key"?: string | undefined;
      } | undefined;
      readonly body?: Schemas["RotateUserSecret"] | undefined;
    };
    readonly answer: {
      readonly data: Schemas["User"];
      readonly credentials?: Schemas["Credentials"] | undefined;
    };
  };
  /** List API tokens */
  readonly listApiTokens: {
    readonly request: {
      readonly query?: {
        /** How many tokens to pass over */
        readonly skip?: number | undefined;
        /** How many entries to answer at most */
        readonly limit?: number | undefined;
      } | undefined;
    };
    readonly answer: {
      readonly data: ReadonlyArray<Schemas["ApiToken"]>;
      readonly pagination: Schemas["SkipPagination"];
    };
  };
  /** Create an API token */
  readonly createApiToken: {
    readonly request: {
      readonly headers?: {
        /** Within 24 hours, the same key with the same request is answered again and done once */
        readonly "Idempotency-Key"?: string | undefined;
      } | undefined;
      readonly body: Schemas["CreateApiToken"];
    };
    readonly answer: {
      readonly data: Schemas["ApiToken"];
      readonly token?: string | undefined;
    };
  };
  /** Delete an API token */
  readonly deleteApiToken: {
    readonly request: {
      readonly query: {
        /** The token's id */
        readonly id: string;
      };
    };
    readonly answer: Schemas["Message"];
  };
  /** List calls at the gateway, newest first */
  readonly listLogs: {
    readonly request: {
      readonly query?: {
        /** Only calls of the user with this e-mail, in any case */
        readonly user?: string | undefined;
        /** Only calls to the server with this slug */
        readonly server?: string | undefined;
        /** Only calls of this tool, by the name that its server gives it */
        readonly tool?: string | undefined;
        /** Only calls of this method */
        readonly method?: "other" | "tools/call" | "tools/list" | "prompts/get" | "resources/read" | undefined;
        /** Only calls that ended so */
        readonly outcome?: "ok" | "tool_error" | "error" | "denied" | "upstream_failed" | "timeout" | "cancelled" | "interrupted" | undefined;
        /** Only calls at or after this time */
        readonly from?: string | undefined;
        /** Only calls before this time */
        readonly to?: string | undefined;
        /** Where the page before ended, as its nextCursor said */
        readonly cursor?: string | undefined;
        /** How many entries to answer at most */
        readonly limit?: number | undefined;
      } | undefined;
    };
    readonly answer: {
      readonly data: ReadonlyArray<Schemas["LogEntry"]>;
      readonly pagination: {
        readonly limit: number;
        readonly hasMore: boolean;
        readonly nextCursor: string | null;
      };
    };
  };
}

export const ROUTES = {
  listMcpServers: "GET /api/mcp-servers",
  createMcpServer: "POST /api/mcp-servers",
  updateMcpServer: "PATCH /api/mcp-servers",
  deleteMcpServer: "DELETE /api/mcp-servers",
  getMcpServer: "GET /api/mcp-servers/{slug}",
  updateMcpServerTools: "PATCH /api/mcp-servers/tools",
  syncMcpServer: "POST /api/mcp-servers/{slug}/sync",
  listGroups: "GET /api/groups",
  createGroup: "POST /api/groups",
  updateGroup: "PATCH /api/groups",
  deleteGroup: "DELETE /api/groups",
  addIntegrationsToGroup: "POST /api/groups/{name}/integrations",
  removeIntegrationFromGroup: "DELETE /api/groups/{name}/integrations",
  addUsersToGroup: "POST /api/groups/{name}/users",
  removeUserFromGroup: "DELETE /api/groups/{name}/users",
  listUsers: "GET /api/users",
  createUser: "POST /api/users",
  updateUser: "PATCH /api/users",
  deleteUser: "DELETE /api/users",
  rotateUserSecret: "POST /api/users/rotate-secret",
  listApiTokens: "GET /api/api-tokens",
  createApiToken: "POST /api/api-tokens",
  deleteApiToken: "DELETE /api/api-tokens",
  listLogs: "GET /api/logs",
} as const satisfies Readonly<Record<keyof Operations, string>>;
