// Made by `npm run openapi` from the operations' declarations. An optional member may also be undefined: it is not sent.

export interface Schemas {
  /** What runs here */
  readonly About: {
    /** The release that answers */
    readonly version: string;
    /** The Node that runs it */
    readonly node: string;
    /** Where records are kept */
    readonly database: "sqlite" | "postgres";
    /** The keys in use, by purpose and version; never a key itself */
    readonly data_keys: ReadonlyArray<{
      /** What is sealed with it */
      readonly purpose: string;
      /** The highest of a purpose seals; older ones open what they sealed */
      readonly version: number;
      /** Which key file wraps it: a digest, not the key */
      readonly wrapped_by: string;
      /** How many values it seals now, of the pepper how many verifiers it made; null: not counted. Zero of an older version: it is no longer needed */
      readonly values: number | null;
      /** When it was created */
      readonly created_at: string;
    }>;
  };
  /** Which tools to accept; all of them, or none when one is unknown or has changed again */
  readonly AcceptTools: {
    /** Which to accept; left out, all that wait, as they are now */
    readonly tools?: ReadonlyArray<{
      /** A tool, by the part after `__` */
      readonly tool: string;
      /** Of the definition that was looked at, as the list of changes gave it */
      readonly digest: string;
    }> | undefined;
  };
  /** Why somebody can or cannot call a tool */
  readonly AccessExplanation: {
    /** Whose access it is */
    readonly email: string;
    /** The tool's name at the gateway */
    readonly tool: string;
    /** `not_connected`: the call is answered with a link by which the user connects to the server */
    readonly verdict: "allowed" | "not_connected" | "refused";
    /** The first thing that stands in the way, for programs */
    readonly reason: "allowed" | "unknown_user" | "user_disabled" | "malformed_name" | "unknown_server" | "no_group" | "draft" | "no_upstream" | "not_synced" | "unknown_tool" | "tool_disabled" | "tool_held" | "not_connected";
    /** The verdict in words */
    readonly says: string;
    /** What would change the verdict; null when the call is allowed */
    readonly next_step: string | null;
    /** The groups that hold the server */
    readonly groups: ReadonlyArray<{
      /** The group's name */
      readonly name: string;
      /** Whether the user is in it */
      readonly member: boolean;
      /** Whether its members reach the server; a draft needs `show_draft_mcps` */
      readonly gives: boolean;
    }>;
    /** Everything that was looked at, in order */
    readonly steps: ReadonlyArray<{
      /** What was looked at */
      readonly check: "user" | "enabled" | "name" | "server" | "group" | "status" | "upstream" | "tool" | "connection";
      /** Null: an earlier step leaves nothing to look at */
      readonly passed: boolean | null;
      /** What was found */
      readonly says: string;
    }>;
  };
  /** What a user reaches at the gateway, in numbers */
  readonly AccessSummary: {
    /** Whose access it is */
    readonly email: string;
    /** A disabled user reaches nothing */
    readonly disabled: boolean;
    /** How many servers the user reaches */
    readonly servers: number;
    /** How many tools these list */
    readonly tools: number;
    /** How many prompts */
    readonly prompts: number;
    /** How many resources */
    readonly resources: number;
    /** How many resource templates */
    readonly resource_templates: number;
  };
  /** A tool that a user lists and may call, and why */
  readonly AccessibleTool: {
    /** The tool's name at the gateway */
    readonly tool: string;
    /** The server's slug */
    readonly server: string;
    /** What the server itself calls it */
    readonly upstream_name: string;
    /** Whether the server is a draft, which only groups that show drafts give */
    readonly draft: boolean;
    /** The user's groups that give it, each by itself */
    readonly groups: ReadonlyArray<string>;
    /** The same in words */
    readonly why: string;
  };
  /** MCP servers to add */
  readonly AddIntegrations: {
    /** Slugs of the MCP servers to add; those already in the group are passed over */
    readonly slugs: ReadonlyArray<string>;
  };
  /** Users to add */
  readonly AddUsers: {
    /** E-mail addresses of people and machine users to add; members are passed over */
    readonly emails: ReadonlyArray<string>;
  };
  /** An API token, without the token itself */
  readonly ApiToken: {
    /** The record's id, never used again */
    readonly id: string;
    /** What the token is for */
    readonly name: string;
    /** What the token allows */
    readonly scopes: ReadonlyArray<string>;
    /** When the token stops working; null: never */
    readonly expires_at: string | null;
    /** When the token was last used, to within a minute; null: never */
    readonly last_used_at: string | null;
    /** When it was created */
    readonly created_at: string;
  };
  /** One change that was made over the administration API */
  readonly AuditEntry: {
    /** The entry's id */
    readonly id: string;
    /** When it was done */
    readonly ts: string;
    /** Who did it */
    readonly actor: {
      /** What kind of caller it was */
      readonly type: string;
      /** The caller's id */
      readonly id: string;
      /** The caller's name at that time */
      readonly name: string;
    };
    /** The operation's id */
    readonly operation: string;
    /** What it was done to */
    readonly target: {
      /** What kind of thing it is */
      readonly type: string;
      /** Its id */
      readonly id: string;
      /** Its name at that time */
      readonly name: string;
    };
    /** What was, without secrets; null for what is new */
    readonly before: Readonly<Record<string, unknown>> | null;
    /** What is since then, without secrets; null for what is gone */
    readonly after: Readonly<Record<string, unknown>> | null;
    /** The id that the answer carried as `x-request-id` */
    readonly request_id: string;
    /** The caller's address, as far as trusted proxies tell; null: unknown */
    readonly ip: string | null;
  };
  /** How users authenticate towards the upstream */
  readonly AuthSettings: {
    /** What each user needs towards the upstream: nothing, an OAuth sign-in, or a key of their own */
    readonly authType?: "proxy-oauth" | "proxy-api-key" | "none" | null | undefined;
    /** OAuth client id; without one, the service registers itself */
    readonly clientId?: string | null | undefined;
    /** OAuth authorization endpoint; without it, discovered */
    readonly authUrl?: string | null | undefined;
    /** OAuth token endpoint; without it, discovered */
    readonly tokenUrl?: string | null | undefined;
    /** What is asked for at the authorization endpoint */
    readonly client?: {
      /** OAuth scopes, separated by spaces */
      readonly scope?: string | null | undefined;
    } | null | undefined;
    /** Markdown that tells users how to get their key */
    readonly howtoMarkdown?: string | null | undefined;
    /** OAuth client secret; kept sealed and never shown again */
    readonly clientSecret?: string | null | undefined;
    /** OAuth registration endpoint; without it, discovered */
    readonly registrationUrl?: string | null | undefined;
    /** OAuth issuer; without it, discovered */
    readonly issuer?: string | null | undefined;
    /** OAuth resource indicator; without it, the upstream's address */
    readonly resource?: string | null | undefined;
    /** Header in which a user's key goes upstream; `Authorization` unless given */
    readonly headerName?: string | null | undefined;
    /** Text in front of a user's key in that header; `Bearer ` unless given */
    readonly headerPrefix?: string | null | undefined;
    /** Shared credential: headers that the gateway sends with every request to the server, by name. Only with `authType` `none`. Stored encrypted and never returned. Merged by name; a null value removes one header, null removes all */
    readonly sharedHeaders?: Readonly<Record<string, string | null>> | null | undefined;
  };
  /** How many calls there were, how they ended and how long they took */
  readonly CallStatistics: {
    /** The beginning of the first minute that was counted */
    readonly from: string;
    /** The end of the last minute that was counted */
    readonly to: string;
    /** How much time one entry of `series` covers, in UTC */
    readonly bucket: "minute" | "ten_minutes" | "hour" | "day";
    /** All calls together */
    readonly totals: {
      /** How many calls there were */
      readonly calls: number;
      /** How many of them did not end with `ok` */
      readonly errors: number;
      /** How many ended how; what did not happen is left out */
      readonly outcomes: Readonly<Record<string, number>>;
      /** How long they took; null when none ended. Percentiles are read from a histogram and a few percent off */
      readonly duration_ms: {
        /** The mean */
        readonly mean: number | null;
        /** The median */
        readonly p50: number | null;
        /** 95 of 100 calls took no longer */
        readonly p95: number | null;
        /** 99 of 100 calls took no longer */
        readonly p99: number | null;
      };
    };
    /** The calls over time, also where there were none */
    readonly series: ReadonlyArray<{
      /** When this span of time began */
      readonly ts: string;
      /** How many calls there were */
      readonly calls: number;
      /** How many of them did not end with `ok` */
      readonly errors: number;
      /** How many ended how; what did not happen is left out */
      readonly outcomes: Readonly<Record<string, number>>;
      /** How long they took; null when none ended. Percentiles are read from a histogram and a few percent off */
      readonly duration_ms: {
        /** The mean */
        readonly mean: number | null;
        /** The median */
        readonly p50: number | null;
        /** 95 of 100 calls took no longer */
        readonly p95: number | null;
        /** 99 of 100 calls took no longer */
        readonly p99: number | null;
      };
    }>;
    /** The servers with the most calls */
    readonly servers: ReadonlyArray<{
      /** The server's slug at that time */
      readonly server_slug: string;
      /** How many calls there were */
      readonly calls: number;
      /** How many of them did not end with `ok` */
      readonly errors: number;
      /** How many ended how; what did not happen is left out */
      readonly outcomes: Readonly<Record<string, number>>;
      /** How long they took; null when none ended. Percentiles are read from a histogram and a few percent off */
      readonly duration_ms: {
        /** The mean */
        readonly mean: number | null;
        /** The median */
        readonly p50: number | null;
        /** 95 of 100 calls took no longer */
        readonly p95: number | null;
        /** 99 of 100 calls took no longer */
        readonly p99: number | null;
      };
    }>;
    /** The tools with the most calls */
    readonly tools: ReadonlyArray<{
      /** The server's slug at that time */
      readonly server_slug: string;
      /** The tool, by its server's name for it */
      readonly tool: string;
      /** How many calls there were */
      readonly calls: number;
      /** How many of them did not end with `ok` */
      readonly errors: number;
      /** How many ended how; what did not happen is left out */
      readonly outcomes: Readonly<Record<string, number>>;
      /** How long they took; null when none ended. Percentiles are read from a histogram and a few percent off */
      readonly duration_ms: {
        /** The mean */
        readonly mean: number | null;
        /** The median */
        readonly p50: number | null;
        /** 95 of 100 calls took no longer */
        readonly p95: number | null;
        /** 99 of 100 calls took no longer */
        readonly p99: number | null;
      };
    }>;
    /** The users with the most calls */
    readonly users: ReadonlyArray<{
      /** The caller's e-mail at that time */
      readonly user_email: string;
      /** How many calls there were */
      readonly calls: number;
      /** How many of them did not end with `ok` */
      readonly errors: number;
      /** How many ended how; what did not happen is left out */
      readonly outcomes: Readonly<Record<string, number>>;
      /** How long they took; null when none ended. Percentiles are read from a histogram and a few percent off */
      readonly duration_ms: {
        /** The mean */
        readonly mean: number | null;
        /** The median */
        readonly p50: number | null;
        /** 95 of 100 calls took no longer */
        readonly p95: number | null;
        /** 99 of 100 calls took no longer */
        readonly p99: number | null;
      };
    }>;
  };
  /** The password so far, and the one from now on */
  readonly ChangePassword: {
    /** The password so far */
    readonly current_password: string;
    /** The password from now on: at least 12 characters, and not easy to guess */
    readonly new_password: string;
  };
  /** The caller's password, once more */
  readonly ConfirmPassword: {
    /** The caller's password */
    readonly password: string;
  };
  /** Whether a user is connected to a server */
  readonly Connected: {
    /** Whether the user can call the server's tools as things are */
    readonly connected: boolean;
    /** How the user stands with the server; `not_required`: it asks for nothing */
    readonly status: "connected" | "not_connected" | "reconnect_needed" | "not_required";
  };
  /** An MCP client that acts for a user */
  readonly ConnectedClient: {
    /** Of this connection; it is never used again */
    readonly id: string;
    /** The client: an id that it got when it registered, or the address of its document */
    readonly client_id: string;
    /** What the client calls itself; nobody has checked it */
    readonly client_name: string;
    /** Where the user was sent back to when they agreed */
    readonly redirect_uri: string;
    /** The one MCP server that it may use; null: all that the user may */
    readonly server_slug: string | null;
    /** When the user agreed */
    readonly connected_at: string;
    /** When it last got a token, which it does every hour while it is in use */
    readonly last_used_at: string;
    /** When it ends unless it is used before */
    readonly expires_at: string;
  };
  /** An entry of the connector catalog */
  readonly Connector: {
    /** Its id in the catalog */
    readonly id: string;
    /** `connector`: built-in; `registry`: an entry of the public MCP registry */
    readonly source: "connector" | "registry";
    /** What people call it */
    readonly name: string;
    /** What it is for; may be empty */
    readonly description: string;
    /** A logo, served by us */
    readonly logo_url: string;
    /** Where to read more; null: not known */
    readonly website: string | null;
    /** Null: not known */
    readonly category: string | null;
    /** `soon` cannot be reached yet; registry entries are always `active` */
    readonly status: "active" | "beta" | "soon";
    /** What each user needs towards it, the usual one first; empty: not known */
    readonly auth_types: ReadonlyArray<"none" | "proxy-oauth" | "proxy-api-key">;
    /** How many of its tools are known */
    readonly tools_count: number;
    /** Its known tools; built-in connectors only, and only when asked for */
    readonly tools?: ReadonlyArray<{
      /** The tool's name */
      readonly name: string;
      /** What it does */
      readonly description: string;
    }> | undefined;
    /** Which MCP servers use it; only when asked for */
    readonly usage?: {
      /** How many MCP servers use it */
      readonly count: number;
      /** The first of them by slug; null: none */
      readonly slug: string | null;
    } | undefined;
    /** How it is spoken to; registry entries only */
    readonly transport?: "http" | "sse" | undefined;
    /** Its remote endpoint; registry entries only */
    readonly url?: string | undefined;
    /** Its source; registry entries only, where it is known */
    readonly repo?: string | undefined;
    /** Whether the endpoint is in its publisher's own domain; registry entries only */
    readonly official?: boolean | undefined;
  };
  /** A category of the connector catalog */
  readonly ConnectorCategory: {
    /** What the catalog calls it */
    readonly name: string;
    /** How many built-in connectors it holds */
    readonly count: number;
  };
  /** Which MCP servers use a connector */
  readonly ConnectorUsage: {
    /** Its id in the catalog */
    readonly connector_id: string;
    /** `connector`: built-in; `registry`: an entry of the public MCP registry */
    readonly source: "connector" | "registry";
    /** Whether any MCP server uses it */
    readonly in_use: boolean;
    /** How many MCP servers use it */
    readonly count: number;
    /** The MCP servers that use it, oldest first */
    readonly mcp_servers: ReadonlyArray<{
      /** The record's id, never used again */
      readonly id: string;
      /** The server's slug */
      readonly slug: string;
      /** What people call it */
      readonly name: string;
      /** A `draft` shows only to groups whose settings say so */
      readonly status: "active" | "draft";
      /** Whether something is missing: an upstream, or a client id for its OAuth */
      readonly needs_setup: boolean;
    }>;
  };
  /** A token to be made */
  readonly CreateApiToken: {
    /** What the token is for */
    readonly name: string;
    /** What the token shall allow */
    readonly scopes: ReadonlyArray<"all" | "admin:read" | "admin:write" | "connect:read" | "connect:write" | "connect:exchange-auth" | "discovery:ingest" | "agents:invoke" | "logs:payloads">;
    /** When the token shall stop working; left out or null: never */
    readonly expires_at?: string | null | undefined;
  };
  /** A group to be made */
  readonly CreateGroup: {
    /** Unique without regard to case; every other operation finds the group by it */
    readonly name: string;
    /** How the group shall behave; what is left out is false */
    readonly settings?: {
      /** Whether every person who is created from now on joins this group; machine users do not */
      readonly auto_assign_users?: boolean | undefined;
      /** Whether every MCP server that is created from now on joins this group */
      readonly auto_assign_mcps?: boolean | undefined;
      /** Whether members list and call the group's draft servers too */
      readonly show_draft_mcps?: boolean | undefined;
    } | undefined;
  };
  /** A machine user to be made */
  readonly CreateMachineUser: {
    /** Says that this is a machine user */
    readonly is_machine_user: true;
    /** What others call it */
    readonly name: string;
    /** First part of its e-mail; left out, it is made from the name; when it is taken, a number is appended */
    readonly slug?: string | undefined;
    /** Its own OAuth client, with which it gets tokens for MCP servers whose token endpoint has that origin */
    readonly client_credentials?: {
      /** OAuth client id */
      readonly clientId: string;
      /** OAuth client secret; kept sealed and never shown again */
      readonly clientSecret: string;
      /** OAuth token endpoint */
      readonly tokenUrl: string;
    } | undefined;
    /** Ids of the people who answer for it */
    readonly owner_ids?: ReadonlyArray<string> | undefined;
  };
  /** An MCP server to be made */
  readonly CreateMcpServer: {
    /** What people call it */
    readonly name: string;
    /** First part of its tools' names at the gateway; when it is taken, a number is appended; left out, it is made from the name */
    readonly slug?: string | undefined;
    /** Its upstream: JSON text of an object with `type` (`http`, `sse` or `both`) and `url` */
    readonly mcp_proxy?: string | undefined;
    /** What it is for */
    readonly description?: string | undefined;
    /** A `draft` shows only to groups whose settings say so; left out: `active` with an upstream, else `draft` */
    readonly status?: "active" | "draft" | undefined;
    readonly auth_settings?: Schemas["AuthSettings"] | undefined;
    /** A connector of the catalog: gives address, authentication and description where they are left out */
    readonly connector_id?: string | null | undefined;
    /** Its upstream as an object, instead of the JSON text in `mcp_proxy`; give one of the two */
    readonly upstream?: {
      /** Transport: `http` is streamable HTTP (`streamable-http` is an alias), `both` tries `http`, then `sse` */
      readonly type?: "both" | "http" | "sse" | "streamable-http" | undefined;
      /** URL of the upstream, `http` or `https` */
      readonly url: string;
      /** As in mcp.json files; the same as `auth_settings.sharedHeaders` */
      readonly headers?: Readonly<Record<string, string | null>> | undefined;
    } | undefined;
  };
  /** A person to be made */
  readonly CreatePerson: {
    /** What others call them */
    readonly name: string;
    /** Kept as given; unique without regard to case */
    readonly email: string;
    /** False, or left out, for a person */
    readonly is_machine_user?: boolean | undefined;
  };
  /** A machine user's key at the gateway: `Bearer <client_id>:<secret>` */
  readonly Credentials: {
    /** The access key: the first half of the gateway's bearer token */
    readonly client_id: string;
    /** The second half, behind a colon; shown this once */
    readonly secret: string;
  };
  /** Where this page lies in the list */
  readonly CursorPagination: {
    /** Zero-based offset of this page's first entry */
    readonly cursor: number;
    /** How many entries a page holds at most */
    readonly limit: number;
    /** Whether another page follows */
    readonly hasMore: boolean;
    /** The cursor of the next page; null on the last one */
    readonly nextCursor: number | null;
  };
  /** What discovery found */
  readonly DiscoveredOAuth: {
    /** The server's slug */
    readonly slug: string;
    /** Whether something is still missing: see `advice` */
    readonly needs_setup: boolean;
    /** What an admin has to do before users can connect; null: nothing */
    readonly advice: string | null;
    /** The authorization server */
    readonly issuer: string;
    /** Where users sign in */
    readonly authUrl: string;
    /** Where tokens come from */
    readonly tokenUrl: string;
    /** Where the service registers itself; null: it cannot */
    readonly registrationUrl: string | null;
    /** What tokens are asked for (RFC 8707) */
    readonly resource: string;
    /** What the server wants asked for, where the settings name no scope */
    readonly scopes: ReadonlyArray<string>;
    /** Where our client id comes from: the settings, our metadata document, a registration, or nowhere yet */
    readonly client: "settings" | "document" | "registered" | "missing";
    /** Every step, in order, so that the server can be mended from it */
    readonly steps: ReadonlyArray<Schemas["DiscoveryStep"]>;
  };
  /** A discovery that failed, with its steps */
  readonly DiscoveryFailure: {
    /** What is wrong */
    readonly error: string;
    /** Every step, in order, so that the server can be mended from it */
    readonly steps: ReadonlyArray<Schemas["DiscoveryStep"]>;
  };
  /** One step of a discovery */
  readonly DiscoveryStep: {
    /** What was asked */
    readonly asked: string;
    /** What came back */
    readonly answered: string;
    /** What follows from it */
    readonly concluded: string;
  };
  /** A refusal, in a sentence */
  readonly Error: {
    /** What went wrong, in a sentence */
    readonly error: string;
  };
  /** What a search found, kind by kind, the best first */
  readonly Found: {
    /** MCP servers, by slug, name or description */
    readonly servers: ReadonlyArray<{
      /** The server's slug */
      readonly slug: string;
      /** What people call it */
      readonly name: string;
      /** A `draft` shows only to groups whose settings say so */
      readonly status: "active" | "draft";
      /** A logo, served by us */
      readonly logo_url: string;
    }>;
    /** Tools, by slug or title, also those that are switched off */
    readonly tools: ReadonlyArray<{
      /** The slug of its server */
      readonly server_slug: string;
      /** What people call its server */
      readonly server_name: string;
      /** What follows `__` in its name at the gateway */
      readonly slug: string;
      /** Its title, or the name that its server gives it */
      readonly name: string;
      /** The first 160 characters of what the server says of it */
      readonly description: string;
      /** Whether callers may see it: it is switched on and not held back */
      readonly enabled: boolean;
      /** A logo, served by us */
      readonly logo_url: string;
    }>;
    /** People, by name or e-mail */
    readonly users: ReadonlyArray<{
      /** What the user is called */
      readonly name: string;
      /** The user's e-mail address */
      readonly email: string;
      /** Whether the user is switched off */
      readonly disabled: boolean;
    }>;
    /** Machine users, by name or e-mail */
    readonly machine_users: ReadonlyArray<{
      /** What the user is called */
      readonly name: string;
      /** The user's e-mail address */
      readonly email: string;
      /** Whether the user is switched off */
      readonly disabled: boolean;
      /** Its slug */
      readonly slug: string;
    }>;
    /** Groups, by name */
    readonly groups: ReadonlyArray<{
      /** The group's name */
      readonly name: string;
    }>;
  };
  /** Users, and the MCP servers that they can use */
  readonly Group: {
    /** The record's id, never used again */
    readonly id: string;
    /** Unique without regard to case */
    readonly name: string;
    /** How the group behaves */
    readonly settings: {
      /** Whether every person who is created from now on joins this group; machine users do not */
      readonly auto_assign_users: boolean;
      /** Whether every MCP server that is created from now on joins this group */
      readonly auto_assign_mcps: boolean;
      /** Whether members list and call the group's draft servers too */
      readonly show_draft_mcps: boolean;
    };
    /** How many people and machine users are in it */
    readonly users_count: number;
    /** How many MCP servers are in it */
    readonly integrations_count: number;
    /** When it was created */
    readonly created_at: string;
    /** When it was last changed */
    readonly updated_at: string;
  };
  /** A fault in the request, with the field that has it */
  readonly InvalidFormat: {
    /** What kind of fault it is */
    readonly code: string;
    /** Which field or parameter, and why */
    readonly message: string;
  };
  /** A person's invitation, without its link; a new one voids it */
  readonly Invitation: {
    /** The person's id */
    readonly user_id: string;
    /** Who is invited */
    readonly email: string;
    /** When it was created */
    readonly created_at: string;
    /** When the link stops working */
    readonly expires_at: string;
  };
  /** A person or a machine user, in a list */
  readonly ListedUser: {
    /** The record's id, never used again */
    readonly id: string;
    /** What others call them */
    readonly name: string;
    /** Unique without regard to case; a machine user's is generated */
    readonly email: string;
    /** Whether this is a bot, a script or a job */
    readonly is_machine_user: boolean;
    /** Only machine users have one */
    readonly slug?: string | undefined;
    /** The groups it is in */
    readonly group_ids: ReadonlyArray<string>;
    /** The people who answer for it; only machine users have owners */
    readonly owner_ids?: ReadonlyArray<string> | undefined;
    /** From 0 to 100; null: not scored */
    readonly risk_score: number | null;
    /** What a person may do: `owner` everything, `admin` all but say who may manage, `auditor` read, `member` use their own connections */
    readonly role: "owner" | "admin" | "auditor" | "member";
    /** Whether it is shut out for now */
    readonly disabled: boolean;
    /** When it was created */
    readonly created_at: string;
    /** When it was last changed */
    readonly updated_at: string;
    /** Machine users only, with `include_details`: the first half of their key */
    readonly access_key?: string | undefined;
    /** Machine users only, with `include_details`: until when the secret before the last rotation works too; null: it does not */
    readonly previous_secret_expires_at?: string | null | undefined;
    /** Machine users only, with `include_details`: its own OAuth client without the secret; null: none */
    readonly client_credentials?: {
      /** OAuth client id */
      readonly client_id: string;
      /** OAuth token endpoint */
      readonly token_url: string;
    } | null | undefined;
    /** With `include_details`: when it last called the gateway, as far as the log reaches back */
    readonly last_used_at?: string | null | undefined;
    /** People only, with `include_details`: when they last used the admin app, within a week */
    readonly last_seen_at?: string | null | undefined;
    /** People only, with `include_details`: whether an invitation waits for them */
    readonly invited?: boolean | undefined;
    /** People only, with `include_details`: how they have come in so far and can again */
    readonly sign_in_methods?: ReadonlyArray<"password" | "sso"> | undefined;
    /** With `include_details`: to how many MCP servers it is connected */
    readonly connections_count?: number | undefined;
    /** Machine users only, with `include_details`: who `owner_ids` are */
    readonly owners?: ReadonlyArray<{
      /** A person's id */
      readonly id: string;
      /** What others call them */
      readonly name: string;
      /** Their e-mail */
      readonly email: string;
    }> | undefined;
  };
  /** One request at the gateway, with all that is kept of it */
  readonly LogDetail: {
    /** The record's id */
    readonly id: string;
    /** When the request came */
    readonly ts: string;
    /** The caller's id */
    readonly user_id: string;
    /** The caller's e-mail at that time */
    readonly user_email: string;
    /** The MCP server, if one was meant */
    readonly server_slug: string | null;
    /** The tool, if one was meant */
    readonly tool: string | null;
    /** The MCP method */
    readonly method: string;
    /** How it ended: `tool_error` is the tool's own refusal, `error` a fault in the request, `denied` what the caller may not do, `interrupted` a call that this process did not live to see end */
    readonly outcome: "ok" | "tool_error" | "error" | "denied" | "upstream_failed" | "timeout" | "cancelled" | "interrupted" | "not_connected";
    /** From the request's arrival to the end of its answer */
    readonly duration_ms: number;
    /** Size of the request's body */
    readonly request_bytes: number;
    /** Size of the answer's body */
    readonly response_bytes: number;
    /** The id that the answer carried as `x-request-id` */
    readonly request_id: string;
    /** What went wrong, in a sentence; null when nothing did */
    readonly error: string | null;
    /** How the caller proved who they are: `oauth` is a client that the user connected, `app` our own app */
    readonly via: "machine_key" | "oauth" | "exchange" | "agent" | "app";
    /** The OAuth client that called for the user; null: none did */
    readonly client_id: string | null;
    /** The W3C trace that it belongs to; null: none that is known */
    readonly trace_id: string | null;
    /** The name under which the tool can be called at the gateway now; null: there is no such tool */
    readonly gateway_name: string | null;
    /** What happened when. Without `forwarded`, no server was asked */
    readonly timeline: ReadonlyArray<{
      /** What happened */
      readonly event: "received" | "forwarded" | "ended";
      /** How long after the request's arrival */
      readonly after_ms: number;
    }>;
    /** Whether what it carried is kept */
    readonly has_payload: boolean;
    /** What it carried; null unless asked for with `include_payload`, and kept */
    readonly payload: Schemas["LogPayload"] | null;
  };
  /** One request at the gateway, with its caller and its outcome */
  readonly LogEntry: {
    /** The record's id */
    readonly id: string;
    /** When the request came */
    readonly ts: string;
    /** The caller's id */
    readonly user_id: string;
    /** The caller's e-mail at that time */
    readonly user_email: string;
    /** The MCP server, if one was meant */
    readonly server_slug: string | null;
    /** The tool, if one was meant */
    readonly tool: string | null;
    /** The MCP method */
    readonly method: string;
    /** How it ended: `tool_error` is the tool's own refusal, `error` a fault in the request, `denied` what the caller may not do, `interrupted` a call that this process did not live to see end */
    readonly outcome: "ok" | "tool_error" | "error" | "denied" | "upstream_failed" | "timeout" | "cancelled" | "interrupted" | "not_connected";
    /** From the request's arrival to the end of its answer */
    readonly duration_ms: number;
    /** Size of the request's body */
    readonly request_bytes: number;
    /** Size of the answer's body */
    readonly response_bytes: number;
    /** The id that the answer carried as `x-request-id` */
    readonly request_id: string;
    /** What went wrong, in a sentence; null when nothing did */
    readonly error: string | null;
    /** How the caller proved who they are: `oauth` is a client that the user connected, `app` our own app */
    readonly via: "machine_key" | "oauth" | "exchange" | "agent" | "app";
    /** The OAuth client that called for the user; null: none did */
    readonly client_id: string | null;
    /** The W3C trace that it belongs to; null: none that is known */
    readonly trace_id: string | null;
  };
  /** Calls to one server that failed alike */
  readonly LogErrorGroup: {
    /** The MCP server, if one was meant */
    readonly server_slug: string | null;
    /** How these calls ended */
    readonly outcome: "ok" | "tool_error" | "error" | "denied" | "upstream_failed" | "timeout" | "cancelled" | "interrupted" | "not_connected";
    /** What was said of them, with `…` where they differ; null: nothing was */
    readonly error: string | null;
    /** How many there were */
    readonly calls: number;
    /** When the first of them came, of those that were counted */
    readonly first_ts: string;
    /** When the last of them came */
    readonly last_ts: string;
  };
  /** Where the next page begins, and where what comes later does */
  readonly LogPagination: {
    /** How many entries a page holds at most */
    readonly limit: number;
    /** Whether another page follows */
    readonly hasMore: boolean;
    /** The cursor of the next page; null on the last one */
    readonly nextCursor: string | null;
    /** Where to follow the log from, so that nothing is missed that is not on this page */
    readonly tailCursor: string;
  };
  /** What a call carried */
  readonly LogPayload: {
    /** Whether what looks like a secret was left out */
    readonly capture: "redacted" | "full";
    /** What the caller sent */
    readonly request: {
      /** As JSON text; null: it was too large to be looked through for secrets */
      readonly text: string | null;
      /** Size of all that went */
      readonly bytes: number;
      /** Whether more went than is kept */
      readonly is_cut: boolean;
    };
    /** The answer that the caller got; without what was streamed before it */
    readonly response: {
      /** As JSON text; null: it was too large to be looked through for secrets */
      readonly text: string | null;
      /** Size of all that went */
      readonly bytes: number;
      /** Whether more went than is kept */
      readonly is_cut: boolean;
    };
  };
  /** An MCP server with its settings and tools */
  readonly McpServerDetail: {
    /** Unique; also the first part of its tools' names */
    readonly slug: string;
    /** What people call it */
    readonly name: string;
    /** What it is for; may be empty */
    readonly description: string;
    /** A `draft` shows only to groups whose settings say so */
    readonly status: "active" | "draft";
    /** A logo, served by us */
    readonly logo_url: string;
    /** What each user needs towards the upstream: nothing, an OAuth sign-in, or a key of their own */
    readonly auth_type: "none" | "proxy-oauth" | "proxy-api-key";
    /** How many of its tools are enabled */
    readonly tools_count: number;
    /** Whether the operator runs it beside the gateway */
    readonly is_local_mcp: boolean;
    /** Where the upstream is; null until it has one */
    readonly connection: {
      /** The upstream's address */
      readonly url: string;
      /** How it is spoken to: `http` is streamable HTTP, `sse` the transport of 2024-11-05, `both` tries in order, `stdio` is a process beside the gateway */
      readonly transport: "http" | "sse" | "both" | "stdio";
    } | null;
    /** Its tools that callers see */
    readonly tools: ReadonlyArray<{
      /** The tool's title, or the name that its server gives it */
      readonly name: string;
      /** What follows `__` in its name at the gateway */
      readonly slug: string;
      /** What the server says of it */
      readonly description: string;
    }>;
    /** The record's id, never used again */
    readonly id: string;
    /** The connector that it was made from; null: none */
    readonly connector_id: string | null;
    /** How users authenticate towards the upstream; never a secret */
    readonly auth_settings: {
      /** What each user needs towards the upstream: nothing, an OAuth sign-in, or a key of their own */
      readonly authType: "none" | "proxy-oauth" | "proxy-api-key";
      /** OAuth client id; without one, the service registers itself */
      readonly clientId?: string | undefined;
      /** OAuth authorization endpoint; without it, discovered */
      readonly authUrl?: string | undefined;
      /** OAuth token endpoint; without it, discovered */
      readonly tokenUrl?: string | undefined;
      /** OAuth registration endpoint; without it, discovered */
      readonly registrationUrl?: string | undefined;
      /** OAuth issuer; without it, discovered */
      readonly issuer?: string | undefined;
      /** OAuth resource indicator; without it, the upstream's address */
      readonly resource?: string | undefined;
      /** Header in which a user's key goes upstream; `Authorization` unless given */
      readonly headerName?: string | undefined;
      /** Text in front of a user's key in that header; `Bearer ` unless given */
      readonly headerPrefix?: string | undefined;
      /** What is asked for at the authorization endpoint */
      readonly client?: {
        /** OAuth scopes, separated by spaces */
        readonly scope?: string | undefined;
      } | undefined;
      /** Markdown that tells users how to get their key */
      readonly howtoMarkdown?: string | undefined;
      /** Shared credential: headers that the gateway sends with every request to the server, by name. Only with `authType` `none`. Values are always null, because they are never returned */
      readonly sharedHeaders?: Readonly<Record<string, string | null>> | undefined;
      /** Whether an OAuth client secret is kept */
      readonly hasClientSecret: boolean;
    };
    readonly limits: Schemas["ServerLimits"];
    /** When the server changes its tools or brings new ones: `allow` takes them, `warn` takes and marks them, `hold` keeps them from callers until an admin accepts them */
    readonly tool_policy: "allow" | "warn" | "hold";
    /** How many of these are kept from callers meanwhile */
    readonly tools_held_count: number;
    /** All its tools, also those that are switched off */
    readonly all_tools: ReadonlyArray<{
      /** The tool's title, or the name that its server gives it */
      readonly name: string;
      /** What follows `__` in its name at the gateway */
      readonly slug: string;
      /** What the server says of it */
      readonly description: string;
      /** Whether it is switched on */
      readonly enabled: boolean;
      /** Whether it is kept from callers until an admin accepts it (`tool_policy`) */
      readonly held: boolean;
      /** Whether it differs from what was accepted; null: no */
      readonly change: "new" | "changed" | null;
      /** Of its definition; empty until it is read again after an upgrade */
      readonly digest: string;
      /** Code points in its definition that nobody can see */
      readonly invisible_characters: ReadonlyArray<string>;
      /** What the server says that calls do: its word, not a guarantee */
      readonly hints: {
        /** Whether a call leaves everything as it was; null: the server does not say */
        readonly read_only: boolean | null;
        /** Whether a call may delete or overwrite something; null: the server does not say */
        readonly destructive: boolean | null;
        /** Whether calling it again with the same arguments changes nothing more; null: the server does not say */
        readonly idempotent: boolean | null;
        /** Whether a call deals with things beyond the server, such as the web; null: the server does not say */
        readonly open_world: boolean | null;
      };
    }>;
    /** Whether something is missing: an upstream, or a client id for its OAuth */
    readonly needs_setup: boolean;
    /** How many tools wait to be accepted */
    readonly tools_changed_count: number;
    /** When its tools were last read; null: never */
    readonly tools_synced_at: string | null;
    /** Why they could not be read the last time; null when they could */
    readonly sync_error: string | null;
    /** The groups that it is in, oldest first */
    readonly groups: ReadonlyArray<string>;
    /** How users stand with it, where it asks something of them */
    readonly connections: {
      /** How many users are connected to it */
      readonly connected: number;
      /** How many of its users must connect again */
      readonly reconnect_needed: number;
    };
    /** How many users its groups give it to; counted up to 1000, and one more stands for all beyond */
    readonly users_count: number;
    /** How its last calls went, 20 at most; null: it was never called */
    readonly recent_calls: {
      /** When the last of them came */
      readonly last_at: string;
      /** How many of them reached it */
      readonly calls: number;
      /** How many of these it did not answer */
      readonly failed: number;
      /** How long those that it answered took, in the middle; null: it answered none */
      readonly median_ms: number | null;
    } | null;
    /** With whose connection its tools are read; null: nobody was chosen */
    readonly sync_user_email: string | null;
    /** When it was created */
    readonly created_at: string;
    /** When it was last changed */
    readonly updated_at: string;
  };
  /** An MCP server; with `fields`, only what that names */
  readonly McpServerSelection: {
    /** Unique; also the first part of its tools' names */
    readonly slug?: string | undefined;
    /** What people call it */
    readonly name?: string | undefined;
    /** What it is for; may be empty */
    readonly description?: string | undefined;
    /** A `draft` shows only to groups whose settings say so */
    readonly status?: "active" | "draft" | undefined;
    /** A logo, served by us */
    readonly logo_url?: string | undefined;
    /** What each user needs towards the upstream: nothing, an OAuth sign-in, or a key of their own */
    readonly auth_type?: "none" | "proxy-oauth" | "proxy-api-key" | undefined;
    /** How many of its tools are enabled */
    readonly tools_count?: number | undefined;
    /** Whether the operator runs it beside the gateway */
    readonly is_local_mcp?: boolean | undefined;
    /** Where the upstream is; null until it has one */
    readonly connection?: {
      /** The upstream's address */
      readonly url?: string | undefined;
      /** How it is spoken to: `http` is streamable HTTP, `sse` the transport of 2024-11-05, `both` tries in order, `stdio` is a process beside the gateway */
      readonly transport?: "http" | "sse" | "both" | "stdio" | undefined;
    } | null | undefined;
    /** Its enabled tools; only when asked for */
    readonly tools?: ReadonlyArray<{
      /** The tool's title, or the name that its server gives it */
      readonly name?: string | undefined;
      /** What follows `__` in its name at the gateway */
      readonly slug?: string | undefined;
      /** What the server says of it */
      readonly description?: string | undefined;
    }> | undefined;
    /** Whether something is missing: an upstream, or a client id for its OAuth */
    readonly needs_setup?: boolean | undefined;
    /** How many tools wait to be accepted */
    readonly tools_changed_count?: number | undefined;
    /** When its tools were last read; null: never */
    readonly tools_synced_at?: string | null | undefined;
    /** Why they could not be read the last time; null when they could */
    readonly sync_error?: string | null | undefined;
    /** The groups that it is in, oldest first */
    readonly groups?: ReadonlyArray<string> | undefined;
    /** How users stand with it, where it asks something of them */
    readonly connections?: {
      /** How many users are connected to it */
      readonly connected?: number | undefined;
      /** How many of its users must connect again */
      readonly reconnect_needed?: number | undefined;
    } | undefined;
    /** How many users its groups give it to; counted up to 1000, and one more stands for all beyond */
    readonly users_count?: number | undefined;
    /** How its last calls went, 20 at most; null: it was never called */
    readonly recent_calls?: {
      /** When the last of them came */
      readonly last_at?: string | undefined;
      /** How many of them reached it */
      readonly calls?: number | undefined;
      /** How many of these it did not answer */
      readonly failed?: number | undefined;
      /** How long those that it answered took, in the middle; null: it answered none */
      readonly median_ms?: number | null | undefined;
    } | null | undefined;
  };
  /** Who calls, without what it called with */
  readonly Me: {
    /** Whether a token calls or a person who is signed in */
    readonly type: "api_token" | "user";
    /** The token's or the person's id */
    readonly id: string;
    /** What the token is for, or the person's name */
    readonly name: string;
    /** What the caller may do */
    readonly scopes: ReadonlyArray<string>;
    /** When the token or the web session ends; null: never */
    readonly expires_at: string | null;
    /** When the token or the web session was last used, to within a minute */
    readonly last_used_at: string | null;
    /** When it was created */
    readonly created_at: string;
    /** People only */
    readonly email?: string | undefined;
    /** People only: what they may do */
    readonly role?: string | undefined;
    /** People only: the web session that asks */
    readonly web_session_id?: string | undefined;
    /** People only: when they last proved who they are */
    readonly authenticated_at?: string | undefined;
    /** People only: by what they can prove again who they are: `confirmMyPassword`, or the page `/sso?confirm=true` */
    readonly sign_in_methods?: ReadonlyArray<"password" | "sso"> | undefined;
    /** People only: to be sent as `x-csrf-token` with every request that changes something */
    readonly csrf_token?: string | undefined;
  };
  /** A sentence that says what was done */
  readonly Message: {
    /** What was done */
    readonly message: string;
  };
  /** Whom this installation serves */
  readonly Organization: {
    /** The organization, as MCP clients see it */
    readonly name: string;
    /** Machine users' addresses end in it */
    readonly domain: string;
    /** Whom people ask: an e-mail address or a web address; null: nobody is named */
    readonly help_contact: string | null;
  };
  /** How to rotate */
  readonly RotateUserSecret: {
    /** How long the secret so far stays valid beside the new one; 0: it ends at once */
    readonly overlap_seconds?: number | undefined;
  };
  /** A user's connection to a server, without its secret */
  readonly ServerConnection: {
    /** Whose it is */
    readonly user_email: string;
    /** What the user gave: an OAuth sign-in, or a key */
    readonly kind: "oauth" | "api_key";
    /** Whether the server still accepts it */
    readonly status: "connected" | "reconnect_needed";
    /** Why the user must connect again; null: they need not */
    readonly last_error: string | null;
    /** What the user granted; null: not known */
    readonly scopes: ReadonlyArray<string> | null;
    /** What the server asked for beyond that; null: nothing */
    readonly needed_scopes: ReadonlyArray<string> | null;
    /** When the user connected */
    readonly connected_at: string;
    /** When the credential ends unless it is renewed; null: not known */
    readonly expires_at: string | null;
  };
  /** Limits of this server alone; those that are missing are as in the settings */
  readonly ServerLimits: {
    /** How many calls go to it at once */
    readonly concurrent_calls?: number | undefined;
    /** How many more wait for their turn */
    readonly queued_calls?: number | undefined;
    /** For how many seconds they wait */
    readonly queue_seconds?: number | undefined;
    /** After how many failures in a row it is left alone for a while */
    readonly failures_until_pause?: number | undefined;
    /** For how many seconds it is left alone */
    readonly pause_seconds?: number | undefined;
    /** After how many seconds without a first byte of its answer a call is given up */
    readonly first_byte_seconds?: number | undefined;
    /** After how many seconds of silence within an answer a call is given up */
    readonly idle_seconds?: number | undefined;
    /** After how many seconds a call is given up in any case */
    readonly total_seconds?: number | undefined;
  };
  /** A user's key for a server */
  readonly SetUserApiKey: {
    /** The user's own key for the server; it is sealed and never shown again */
    readonly key: string;
  };
  /** The organization's settings as they are in effect */
  readonly Settings: {
    /** For how many days the call log is kept */
    readonly call_log_retention_days: number;
    /** For how many days the statistics of calls are kept */
    readonly call_stats_retention_days: number;
    /** For how many days the audit is kept */
    readonly audit_retention_days: number;
    /** After how many minutes servers' tools are read again */
    readonly tool_sync_interval_minutes: number;
    /** How many calls go to one server at once */
    readonly server_concurrent_calls: number;
    /** How many more wait for their turn */
    readonly server_queued_calls: number;
    /** For how many seconds they wait */
    readonly server_queue_seconds: number;
    /** After how many failures in a row a server is left alone for a while */
    readonly server_failures_until_pause: number;
    /** For how many seconds it is left alone */
    readonly server_pause_seconds: number;
    /** After how many seconds without a first byte of its answer a call is given up */
    readonly server_first_byte_seconds: number;
    /** After how many seconds of silence within an answer a call is given up */
    readonly server_idle_seconds: number;
    /** After how many seconds a call is given up in any case */
    readonly server_total_seconds: number;
    /** How many calls one user may have under way at once */
    readonly user_concurrent_calls: number;
    /** How many calls one user may make in a minute; 0: as many as they like */
    readonly user_calls_per_minute: number;
    /** For how many days arguments and results are kept */
    readonly payload_retention_days: number;
    /** How many megabytes of them are kept at most; the oldest go first */
    readonly payload_storage_mb: number;
    /** What is kept of what calls carry: `metadata` sizes and errors, `off` not even those, `redacted` arguments and results without what looks like a secret, `full` as they went; `off` also deletes what was kept */
    readonly payload_capture: "off" | "metadata" | "redacted" | "full";
    /** Whether machine users' secrets can be looked at again; off deletes the copies that are kept for it */
    readonly machine_secret_reveal: boolean;
    /** Whether people may sign in with a password; off takes an owner who has signed in with the identity provider */
    readonly local_sign_in: boolean;
    /** Whom people ask when something of theirs does not work: an e-mail address, or the http or https address of a page; null: nobody is named */
    readonly help_contact: string | null;
    /** The organization's identity provider; null: none */
    readonly sso: Schemas["SsoSettings"] | null;
  };
  /** Where this page lies in the list */
  readonly SkipPagination: {
    /** How many entries were passed over */
    readonly skip: number;
    /** How many entries a page holds at most */
    readonly limit: number;
    /** Whether another page follows */
    readonly hasMore: boolean;
  };
  /** The organization's identity provider (OpenID Connect) */
  readonly SsoSettings: {
    /** The provider's issuer, under which its OpenID configuration is found */
    readonly issuer: string;
    /** Our client id there. The redirect address to register is `{base_url}/sso-callback` */
    readonly client_id: string;
    /** Whether a client secret is kept */
    readonly has_client_secret: boolean;
    /** Only people with a verified e-mail address of these domains may sign in */
    readonly allowed_domains: ReadonlyArray<string>;
    /** The claim that lists a person's groups; null: groups are managed here alone */
    readonly groups_claim: string | null;
    /** From a value of that claim to the name of a group here; these memberships follow each sign-in */
    readonly group_mapping: Readonly<Record<string, string>>;
    /** The role of people who are made by signing in */
    readonly default_role: "admin" | "auditor" | "member";
    /** Whether people who are unknown here are made when they sign in */
    readonly auto_create: boolean;
  };
  /** Everything that was asked for is so now */
  readonly Success: {
    /** How it went */
    readonly data: {
      /** Always true */
      readonly success: boolean;
    };
  };
  /** A server's tools as they are switched now */
  readonly SwitchedTools: {
    /** The server's slug */
    readonly slug: string;
    /** How many of its tools are enabled now */
    readonly tools_count: number;
    /** All its tools, also those that are switched off */
    readonly tools: ReadonlyArray<{
      /** The tool's title, or the name that its server gives it */
      readonly name: string;
      /** What follows `__` in its name at the gateway */
      readonly slug: string;
      /** What the server says of it */
      readonly description: string;
      /** Whether it is switched on */
      readonly enabled: boolean;
      /** Whether it is kept from callers until an admin accepts it (`tool_policy`) */
      readonly held: boolean;
      /** Whether it differs from what was accepted; null: no */
      readonly change: "new" | "changed" | null;
      /** Of its definition; empty until it is read again after an upgrade */
      readonly digest: string;
      /** Code points in its definition that nobody can see */
      readonly invisible_characters: ReadonlyArray<string>;
      /** What the server says that calls do: its word, not a guarantee */
      readonly hints: {
        /** Whether a call leaves everything as it was; null: the server does not say */
        readonly read_only: boolean | null;
        /** Whether a call may delete or overwrite something; null: the server does not say */
        readonly destructive: boolean | null;
        /** Whether calling it again with the same arguments changes nothing more; null: the server does not say */
        readonly idempotent: boolean | null;
        /** Whether a call deals with things beyond the server, such as the web; null: the server does not say */
        readonly open_world: boolean | null;
      };
    }>;
  };
  /** Where to go on. `hasMore`: at once, as one answer looks at a part of a busy log only */
  readonly TailPagination: {
    /** How many entries a page holds at most */
    readonly limit: number;
    /** Whether another page follows */
    readonly hasMore: boolean;
    /** Where to follow the log from, so that nothing is missed that is not on this page */
    readonly tailCursor: string;
  };
  /** Where the next page begins */
  readonly TimePagination: {
    /** How many entries a page holds at most */
    readonly limit: number;
    /** Whether another page follows */
    readonly hasMore: boolean;
    /** The cursor of the next page; null on the last one */
    readonly nextCursor: string | null;
  };
  /** A tool that differs from what was accepted */
  readonly ToolChange: {
    /** What follows `__` in its name at the gateway */
    readonly tool: string;
    /** What the server itself calls it */
    readonly upstream_name: string;
    /** Whether the tool is new, or was accepted with another definition */
    readonly change: "new" | "changed";
    /** Whether it is kept from callers until it is accepted */
    readonly held: boolean;
    /** Of its definition now: what accepting names */
    readonly digest: string;
    /** Of the definition that was accepted; null: none was */
    readonly accepted_digest: string | null;
    /** Code points in its definition that nobody can see */
    readonly invisible_characters: ReadonlyArray<string>;
    /** What changed, part by part */
    readonly differences: ReadonlyArray<{
      /** Which part of the definition */
      readonly field: string;
      /** What was accepted, texts as they are and all else as JSON; null: nothing */
      readonly before: string | null;
      /** What the server lists now, likewise */
      readonly after: string | null;
      /** Which words differ, where both sides are texts */
      readonly words?: ReadonlyArray<{
        /** Whether these words stand on both sides or on one */
        readonly kind: "same" | "removed" | "added";
        /** The words */
        readonly text: string;
      }> | undefined;
    }>;
  };
  /** How a user stands with a server that was asked just now */
  readonly TriedConnection: {
    /** Whether the user can call the server's tools as things are */
    readonly connected: boolean;
    /** How the user stands with the server; `not_required`: it asks for nothing */
    readonly status: "connected" | "not_connected" | "reconnect_needed" | "not_required";
    /** Whether the server took what the user shows to it */
    readonly verified: boolean;
    /** Why not, or why it could not be asked */
    readonly message?: string | undefined;
  };
  /** What to change; what is left out stays */
  readonly UpdateGroup: {
    /** Unique without regard to case; every other operation finds the group by it */
    readonly name?: string | undefined;
    /** How the group shall behave; what is left out stays */
    readonly settings?: {
      /** Whether every person who is created from now on joins this group; machine users do not */
      readonly auto_assign_users?: boolean | undefined;
      /** Whether every MCP server that is created from now on joins this group */
      readonly auto_assign_mcps?: boolean | undefined;
      /** Whether members list and call the group's draft servers too */
      readonly show_draft_mcps?: boolean | undefined;
    } | undefined;
  };
  /** What to change; what is left out stays */
  readonly UpdateMcpServer: {
    /** What people call it */
    readonly name?: string | undefined;
    /** First part of its tools' names at the gateway; when it is taken, a number is appended; the names of its tools follow */
    readonly slug?: string | undefined;
    /** Its upstream: JSON text of an object with `type` (`http`, `sse` or `both`) and `url`; null removes it */
    readonly mcp_proxy?: string | null | undefined;
    /** What it is for; null empties it */
    readonly description?: string | null | undefined;
    /** A `draft` shows only to groups whose settings say so */
    readonly status?: "active" | "draft" | undefined;
    /** Merged key by key; null clears a key */
    readonly auth_settings?: Schemas["AuthSettings"] | undefined;
    /** When the server changes its tools or brings new ones: `allow` takes them, `warn` takes and marks them, `hold` keeps them from callers until an admin accepts them */
    readonly tool_policy?: "allow" | "warn" | "hold" | undefined;
    /** The user with whose connection its tools are read every now and then, where it asks for one; null: nobody */
    readonly sync_user_email?: string | null | undefined;
    /** How much it is asked at once and how long it is waited for; merged key by key, null clears a key or all */
    readonly limits?: {
      /** How many calls go to it at once; null: as in the settings */
      readonly concurrent_calls?: number | null | undefined;
      /** How many more wait for their turn; null: as in the settings */
      readonly queued_calls?: number | null | undefined;
      /** For how many seconds they wait; null: as in the settings */
      readonly queue_seconds?: number | null | undefined;
      /** After how many failures in a row it is left alone for a while; null: as in the settings */
      readonly failures_until_pause?: number | null | undefined;
      /** For how many seconds it is left alone; null: as in the settings */
      readonly pause_seconds?: number | null | undefined;
      /** After how many seconds without a first byte of its answer a call is given up; null: as in the settings */
      readonly first_byte_seconds?: number | null | undefined;
      /** After how many seconds of silence within an answer a call is given up; null: as in the settings */
      readonly idle_seconds?: number | null | undefined;
      /** After how many seconds a call is given up in any case; null: as in the settings */
      readonly total_seconds?: number | null | undefined;
    } | null | undefined;
    /** Its upstream as an object, instead of the JSON text in `mcp_proxy`; give one of the two; null removes it */
    readonly upstream?: {
      /** Transport: `http` is streamable HTTP (`streamable-http` is an alias), `both` tries `http`, then `sse` */
      readonly type?: "both" | "http" | "sse" | "streamable-http" | undefined;
      /** URL of the upstream, `http` or `https` */
      readonly url: string;
      /** As in mcp.json files; the same as `auth_settings.sharedHeaders` */
      readonly headers?: Readonly<Record<string, string | null>> | undefined;
    } | null | undefined;
  };
  /** Which tools to switch; all of them, or none when one is unknown */
  readonly UpdateMcpServerTools: {
    /** Tools to switch on, by slug or by the name that the server gives them */
    readonly enable?: ReadonlyArray<string> | undefined;
    /** Tools to switch off, likewise */
    readonly disable?: ReadonlyArray<string> | undefined;
  };
  /** What to change; what is left out stays */
  readonly UpdateSettings: {
    /** For how many days the call log is kept; 90 unless set, and again with null */
    readonly call_log_retention_days?: number | null | undefined;
    /** For how many days the statistics of calls are kept; 400 unless set, and again with null */
    readonly call_stats_retention_days?: number | null | undefined;
    /** For how many days the audit is kept; 365 unless set, and again with null */
    readonly audit_retention_days?: number | null | undefined;
    /** After how many minutes servers' tools are read again; 15 unless set, and again with null */
    readonly tool_sync_interval_minutes?: number | null | undefined;
    /** How many calls go to one server at once; 64 unless set, and again with null */
    readonly server_concurrent_calls?: number | null | undefined;
    /** How many more wait for their turn; 128 unless set, and again with null */
    readonly server_queued_calls?: number | null | undefined;
    /** For how many seconds they wait; 5 unless set, and again with null */
    readonly server_queue_seconds?: number | null | undefined;
    /** After how many failures in a row a server is left alone for a while; 5 unless set, and again with null */
    readonly server_failures_until_pause?: number | null | undefined;
    /** For how many seconds it is left alone; 30 unless set, and again with null */
    readonly server_pause_seconds?: number | null | undefined;
    /** After how many seconds without a first byte of its answer a call is given up; 60 unless set, and again with null */
    readonly server_first_byte_seconds?: number | null | undefined;
    /** After how many seconds of silence within an answer a call is given up; 60 unless set, and again with null */
    readonly server_idle_seconds?: number | null | undefined;
    /** After how many seconds a call is given up in any case; 900 unless set, and again with null */
    readonly server_total_seconds?: number | null | undefined;
    /** How many calls one user may have under way at once; 256 unless set, and again with null */
    readonly user_concurrent_calls?: number | null | undefined;
    /** How many calls one user may make in a minute; 0: as many as they like; 0 unless set, and again with null */
    readonly user_calls_per_minute?: number | null | undefined;
    /** For how many days arguments and results are kept; 7 unless set, and again with null */
    readonly payload_retention_days?: number | null | undefined;
    /** How many megabytes of them are kept at most; the oldest go first; 512 unless set, and again with null */
    readonly payload_storage_mb?: number | null | undefined;
    /** What is kept of what calls carry: `metadata` sizes and errors, `off` not even those, `redacted` arguments and results without what looks like a secret, `full` as they went; `off` also deletes what was kept; metadata unless set, and again with null */
    readonly payload_capture?: "off" | "metadata" | "redacted" | "full" | null | undefined;
    /** Whether machine users' secrets can be looked at again; off deletes the copies that are kept for it; true unless set, and again with null */
    readonly machine_secret_reveal?: boolean | null | undefined;
    /** Whether people may sign in with a password; off takes an owner who has signed in with the identity provider; true unless set, and again with null */
    readonly local_sign_in?: boolean | null | undefined;
    /** Whom people ask when something of theirs does not work: an e-mail address, or the http or https address of a page; null: nobody is named */
    readonly help_contact?: string | null | undefined;
    /** The organization's identity provider: what is left out stays; null: none */
    readonly sso?: {
      /** The provider's issuer, under which its OpenID configuration is found */
      readonly issuer?: string | undefined;
      /** Our client id there. The redirect address to register is `{base_url}/sso-callback` */
      readonly client_id?: string | undefined;
      /** Our client secret there, kept sealed; null: a public client */
      readonly client_secret?: string | null | undefined;
      /** Only people with a verified e-mail address of these domains may sign in */
      readonly allowed_domains?: ReadonlyArray<string> | undefined;
      /** The claim that lists a person's groups; null: groups are managed here alone */
      readonly groups_claim?: string | null | undefined;
      /** From a value of that claim to the name of a group here; these memberships follow each sign-in */
      readonly group_mapping?: Readonly<Record<string, string>> | undefined;
      /** The role of people who are made by signing in */
      readonly default_role?: "admin" | "auditor" | "member" | undefined;
      /** Whether people who are unknown here are made when they sign in */
      readonly auto_create?: boolean | undefined;
    } | null | undefined;
  };
  /** What to change; what is left out stays */
  readonly UpdateUser: {
    /** What others call them */
    readonly name?: string | undefined;
    /** From 0 to 100; null: not scored */
    readonly risk_score?: number | null | undefined;
    /** Machine users only: its own OAuth client from now on; null: none. What it got by the one before ends at once */
    readonly client_credentials?: {
      /** OAuth client id */
      readonly clientId: string;
      /** OAuth client secret; kept sealed and never shown again */
      readonly clientSecret: string;
      /** OAuth token endpoint */
      readonly tokenUrl: string;
    } | null | undefined;
    /** Replaces the whole set, an empty one removes all; machine users only */
    readonly owner_ids?: ReadonlyArray<string> | undefined;
    /** People only; to change it takes the scope `all` */
    readonly role?: "owner" | "admin" | "auditor" | "member" | undefined;
    /** true stops the user's keys at once, false brings them back */
    readonly disabled?: boolean | undefined;
  };
  /** A person or a machine user */
  readonly User: {
    /** The record's id, never used again */
    readonly id: string;
    /** What others call them */
    readonly name: string;
    /** Unique without regard to case; a machine user's is generated */
    readonly email: string;
    /** Whether this is a bot, a script or a job */
    readonly is_machine_user: boolean;
    /** Only machine users have one */
    readonly slug?: string | undefined;
    /** The groups it is in */
    readonly group_ids: ReadonlyArray<string>;
    /** The people who answer for it; only machine users have owners */
    readonly owner_ids?: ReadonlyArray<string> | undefined;
    /** From 0 to 100; null: not scored */
    readonly risk_score: number | null;
    /** What a person may do: `owner` everything, `admin` all but say who may manage, `auditor` read, `member` use their own connections */
    readonly role: "owner" | "admin" | "auditor" | "member";
    /** Whether it is shut out for now */
    readonly disabled: boolean;
    /** When it was created */
    readonly created_at: string;
    /** When it was last changed */
    readonly updated_at: string;
  };
  /** A server that a user reaches, and how they stand with it */
  readonly UserMcpServer: {
    /** The server's slug */
    readonly slug: string;
    /** What people call it */
    readonly name: string;
    /** What it is for; may be empty */
    readonly description: string;
    /** A logo, served by us */
    readonly logo_url: string;
    /** What the server asks of each user: nothing, an OAuth sign-in, or a key of their own */
    readonly auth_type: "none" | "proxy-oauth" | "proxy-api-key";
    /** How to get a key, in Markdown as an admin wrote it: to be shown with everything but text made inert */
    readonly how_to: string | null;
    /** The page at which the user connects, once signed in */
    readonly connect_url: string;
    /** How many of its tools are enabled */
    readonly tools_count: number;
    /** When the user last called it, as far as their last 2,000 calls reach */
    readonly last_used_at: string | null;
    /** How the user stands with the server */
    readonly connection: {
      /** How the user stands with the server; `not_required`: it asks for nothing */
      readonly status: "connected" | "not_connected" | "reconnect_needed" | "not_required";
      /** When the user connected; null: not connected, or by client credentials that are still unused */
      readonly connected_at: string | null;
      /** When the credential ends unless it is renewed; null: not known */
      readonly expires_at: string | null;
      /** Why the user must connect again, where that is known */
      readonly last_error: string | null;
    };
  };
  /** A browser in which a person is signed in */
  readonly WebSession: {
    /** The record's id, never used again */
    readonly id: string;
    /** Whether it is the one that asks */
    readonly current: boolean;
    /** What proved who it is: password, setup, invitation or oidc */
    readonly method: string;
    /** The address that signed in */
    readonly address: string;
    /** What the browser called itself */
    readonly user_agent: string;
    /** When it began */
    readonly created_at: string;
    /** When it was last used, to within a minute */
    readonly last_seen_at: string;
    /** When it ends, however much it is used */
    readonly expires_at: string;
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
        /** Only servers in the group of this name, in any case, drafts included; in an unknown one there are none */
        readonly group?: string | undefined;
        /** Adds each server's enabled tools; use fields=tools(...) instead @deprecated */
        readonly include_tools?: boolean | undefined;
        /** Only servers that ask this of their users */
        readonly auth_type?: "none" | "proxy-oauth" | "proxy-api-key" | undefined;
        /** Only servers that need set-up, whose tools could not be read or wait to be accepted, or to which users must connect again */
        readonly needs_attention?: boolean | undefined;
        /** Adds how each server stands, its groups, how many users reach it and are connected, and how its last calls went */
        readonly include_details?: boolean | undefined;
        /** By when they were made (the default), name, number of tools, or when their tools were read */
        readonly sort?: "created" | "name" | "tools" | "synced" | undefined;
        /** The way up (the default) or down */
        readonly order?: "asc" | "desc" | undefined;
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
      /** How many entries all pages hold together */
      readonly totalCount?: number | undefined;
    };
  };
  /** Create an MCP server */
  readonly createMcpServer: {
    readonly request: {
      readonly query?: {
        /** `full` returns the whole record in `data`, as the operation that gets one record does. An addition to the first API contract */
        readonly return?: "full" | undefined;
      } | undefined;
      readonly headers?: {
        /** Within 24 hours, the same key with the same request is answered again and done once */
        readonly "Idempotency-Key"?: string | undefined;
      } | undefined;
      readonly body: Schemas["CreateMcpServer"];
    };
    readonly answer: {
      /** The slug; with `return=full` the whole server */
      readonly data: {
        /** The slug that the server has now */
        readonly slug: string;
      } | Schemas["McpServerDetail"];
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
        /** The slug that the server has now */
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
  /** List tools whose definitions wait to be accepted */
  readonly listToolChanges: {
    readonly request: {
      readonly path: {
        /** The server's slug */
        readonly slug: string;
      };
      readonly query?: {
        /** Zero-based offset of the first entry */
        readonly cursor?: number | undefined;
        /** How many entries to answer at most */
        readonly limit?: number | undefined;
      } | undefined;
    };
    readonly answer: {
      readonly data: ReadonlyArray<Schemas["ToolChange"]>;
      readonly pagination: Schemas["CursorPagination"];
      /** How many entries all pages hold together */
      readonly totalCount: number;
    };
  };
  /** Accept new and changed tools of an MCP server */
  readonly acceptTools: {
    readonly request: {
      readonly path: {
        /** The server's slug */
        readonly slug: string;
      };
      readonly headers?: {
        /** Within 24 hours, the same key with the same request is answered again and done once */
        readonly "Idempotency-Key"?: string | undefined;
      } | undefined;
      readonly body?: Schemas["AcceptTools"] | undefined;
    };
    readonly answer: {
      readonly data: {
        /** The tools that waited and no longer do */
        readonly accepted: ReadonlyArray<string>;
      };
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
        /** The server's slug */
        readonly slug: string;
        /** How many of its tools are enabled now */
        readonly tools_count: number;
        /** Why its tools could not be read; null when they could */
        readonly sync_error: string | null;
      };
    };
  };
  /** List who is connected to an MCP server */
  readonly listMcpServerConnections: {
    readonly request: {
      readonly path: {
        /** The server's slug */
        readonly slug: string;
      };
      readonly query?: {
        /** How many entries to pass over */
        readonly skip?: number | undefined;
        /** How many entries to answer at most */
        readonly limit?: number | undefined;
      } | undefined;
    };
    readonly answer: {
      readonly data: ReadonlyArray<Schemas["ServerConnection"]>;
      readonly pagination: Schemas["SkipPagination"];
    };
  };
  /** Disconnect a user from an MCP server */
  readonly deleteMcpServerConnection: {
    readonly request: {
      readonly path: {
        /** The server's slug */
        readonly slug: string;
      };
      readonly query: {
        /** The user's e-mail, in any case */
        readonly email: string;
      };
    };
    readonly answer: Schemas["Message"];
  };
  /** Discover an MCP server's OAuth settings */
  readonly discoverOAuth: {
    readonly request: {
      readonly path: {
        /** The server's slug */
        readonly slug: string;
      };
      readonly query?: {
        /** Whether to register the service anew, because the authorization server has forgotten it. Users whose sign-ins belong to the registration before must connect again once their tokens end */
        readonly register_again?: boolean | undefined;
      } | undefined;
    };
    readonly answer: {
      readonly data: Schemas["DiscoveredOAuth"];
    };
  };
  /** List connectors */
  readonly listConnectors: {
    readonly request: {
      readonly query?: {
        /** Only this catalog; both without it */
        readonly source?: "connector" | "registry" | undefined;
        /** Only connectors of this status */
        readonly status?: "active" | "beta" | "soon" | undefined;
        /** Only built-in connectors of this category */
        readonly category?: string | undefined;
        /** Only connectors whose id, name or description holds this text, in any case */
        readonly search?: string | undefined;
        /** Adds a summary of the tools of built-in connectors */
        readonly include_tools?: boolean | undefined;
        /** Adds how many MCP servers use each */
        readonly include_usage?: boolean | undefined;
        /** Zero-based offset of the first entry */
        readonly cursor?: number | undefined;
        /** How many entries to answer at most */
        readonly limit?: number | undefined;
      } | undefined;
    };
    readonly answer: {
      readonly data: ReadonlyArray<Schemas["Connector"]>;
      readonly pagination: Schemas["CursorPagination"];
      /** How many entries all pages hold together */
      readonly totalCount: number;
    };
  };
  /** List the categories of connectors */
  readonly listConnectorCategories: {
    readonly request: Readonly<Record<never, never>>;
    readonly answer: {
      readonly data: ReadonlyArray<Schemas["ConnectorCategory"]>;
    };
  };
  /** Tell which MCP servers use a connector */
  readonly getConnectorUsage: {
    readonly request: {
      readonly path: {
        /** The connector's catalog id; a slash in it comes percent-encoded, as %2F */
        readonly connector_id: string;
      };
      readonly query?: {
        /** Only as an entry of this catalog; as both without it */
        readonly source?: "connector" | "registry" | undefined;
      } | undefined;
    };
    readonly answer: {
      readonly data: Schemas["ConnectorUsage"];
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
      readonly query?: {
        /** `full` returns the whole record in `data`, as the operation that gets one record does. An addition to the first API contract */
        readonly return?: "full" | undefined;
      } | undefined;
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
  /** Get one group */
  readonly getGroup: {
    readonly request: {
      readonly path: {
        /** The group's name, in any case */
        readonly name: string;
      };
    };
    readonly answer: {
      readonly data: Schemas["Group"];
    };
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
        /** Only people, or only machine users */
        readonly type?: "person" | "machine" | undefined;
        /** Only members of the group of this name, in any case; of an unknown one there are none */
        readonly group?: string | undefined;
        /** Adds access keys, OAuth clients, owners, connections, when each was last active, who is invited, and how people sign in */
        readonly include_details?: boolean | undefined;
      } | undefined;
    };
    readonly answer: {
      readonly data: ReadonlyArray<Schemas["ListedUser"]>;
      readonly pagination: Schemas["SkipPagination"];
    };
  };
  /** Create a person or a machine user */
  readonly createUser: {
    readonly request: {
      readonly query?: {
        /** `full` returns the whole record in `data`, as the operation that gets one record does. An addition to the first API contract */
        readonly return?: "full" | undefined;
      } | undefined;
      readonly headers?: {
        /** Within 24 hours, the same key with the same request is answered again and done once */
        readonly "Idempotency-Key"?: string | undefined;
      } | undefined;
      readonly body: Schemas["CreatePerson"] | Schemas["CreateMachineUser"];
    };
    readonly answer: {
      readonly data: Schemas["User"];
      /** A machine user's key, shown this once; a repeated answer lacks it */
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
  /** Get one person or machine user */
  readonly getUser: {
    readonly request: {
      readonly path: {
        /** The user's email, in any case */
        readonly email: string;
      };
    };
    readonly answer: {
      readonly data: Schemas["User"];
    };
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
      /** The key as it is now, shown this once; a repeated answer lacks it */
      readonly credentials?: Schemas["Credentials"] | undefined;
    };
  };
  /** Show a machine user's secret again */
  readonly revealUserSecret: {
    readonly request: {
      readonly query: {
        /** The machine user's e-mail, in any case */
        readonly email: string;
      };
      readonly headers?: {
        /** Within 24 hours, the same key with the same request is answered again and done once */
        readonly "Idempotency-Key"?: string | undefined;
      } | undefined;
    };
    readonly answer: {
      /** The machine user's key; a repeated answer lacks it */
      readonly credentials?: Schemas["Credentials"] | undefined;
    };
  };
  /** Invite a person to sign in */
  readonly inviteUser: {
    readonly request: {
      readonly query: {
        /** The person's e-mail, in any case */
        readonly email: string;
      };
      readonly headers?: {
        /** Within 24 hours, the same key with the same request is answered again and done once */
        readonly "Idempotency-Key"?: string | undefined;
      } | undefined;
    };
    readonly answer: {
      readonly data: Schemas["Invitation"];
      /** The single-use link to hand to the person; shown this once */
      readonly invite_url?: string | undefined;
    };
  };
  /** List the MCP clients that a user has connected, newest first */
  readonly listUserClients: {
    readonly request: {
      readonly query: {
        /** The user's e-mail, in any case */
        readonly email: string;
      };
    };
    readonly answer: {
      readonly data: ReadonlyArray<Schemas["ConnectedClient"]>;
    };
  };
  /** Disconnect an MCP client of a user */
  readonly endUserClient: {
    readonly request: {
      readonly query: {
        /** The user's e-mail, in any case */
        readonly email: string;
        /** The client's connection, as the list says it */
        readonly id: string;
      };
    };
    readonly answer: Schemas["Message"];
  };
  /** List where a person is signed in, newest first */
  readonly listUserSessions: {
    readonly request: {
      readonly query: {
        /** The person's e-mail, in any case */
        readonly email: string;
      };
    };
    readonly answer: {
      readonly data: ReadonlyArray<Schemas["WebSession"]>;
    };
  };
  /** Sign a person out, in one browser or everywhere */
  readonly endUserSessions: {
    readonly request: {
      readonly query: {
        /** The person's e-mail, in any case */
        readonly email: string;
        /** Only this web session; left out, all of them and all connected MCP clients end */
        readonly id?: string | undefined;
      };
    };
    readonly answer: Schemas["Message"];
  };
  /** List the tools that a user reaches at the gateway, and why */
  readonly listAccess: {
    readonly request: {
      readonly query: {
        /** The user's e-mail */
        readonly email: string;
        /** Zero-based offset of the first entry */
        readonly cursor?: number | undefined;
        /** How many entries to answer at most */
        readonly limit?: number | undefined;
      };
    };
    readonly answer: {
      readonly data: ReadonlyArray<Schemas["AccessibleTool"]>;
      readonly summary: Schemas["AccessSummary"];
      readonly pagination: Schemas["CursorPagination"];
      /** How many entries all pages hold together */
      readonly totalCount: number;
    };
  };
  /** Explain why a user can or cannot call a tool */
  readonly explainAccess: {
    readonly request: {
      readonly query: {
        /** The user's e-mail */
        readonly email: string;
        /** The tool's name at the gateway */
        readonly tool: string;
      };
    };
    readonly answer: {
      readonly data: Schemas["AccessExplanation"];
    };
  };
  /** List the MCP servers that a user reaches, and how they stand with each */
  readonly listUserMcpServers: {
    readonly request: {
      readonly query: {
        /** The user's e-mail, in any case; also a machine user's */
        readonly email: string;
        /** Zero-based offset of the first entry */
        readonly cursor?: number | undefined;
        /** How many entries to answer at most */
        readonly limit?: number | undefined;
      };
    };
    readonly answer: {
      readonly data: ReadonlyArray<Schemas["UserMcpServer"]>;
      readonly pagination: Schemas["CursorPagination"];
    };
  };
  /** Check whether a user is connected to an MCP server */
  readonly getUserConnection: {
    readonly request: {
      readonly query: {
        /** The user's e-mail, in any case; also a machine user's */
        readonly email: string;
        /** The server's slug */
        readonly mcp: string;
      };
    };
    readonly answer: {
      readonly data: Schemas["Connected"];
    };
  };
  /** Disconnect a user from an MCP server */
  readonly deleteUserConnection: {
    readonly request: {
      readonly query: {
        /** The user's e-mail, in any case; also a machine user's */
        readonly email: string;
        /** The server's slug */
        readonly mcp: string;
      };
    };
    readonly answer: Schemas["Message"];
  };
  /** Give a user's own key for an MCP server */
  readonly setUserApiKey: {
    readonly request: {
      readonly query: {
        /** The user's e-mail, in any case; also a machine user's */
        readonly email: string;
        /** The server's slug */
        readonly mcp: string;
      };
      readonly body: Schemas["SetUserApiKey"];
    };
    readonly answer: {
      readonly data: Schemas["TriedConnection"];
    };
  };
  /** Get an address at which a user connects to an MCP server */
  readonly getUserAuthUrl: {
    readonly request: {
      readonly query: {
        /** The user's e-mail, in any case; also a machine user's */
        readonly email: string;
        /** The server's slug */
        readonly mcp: string;
      };
    };
    readonly answer: {
      readonly data: {
        /** Where to send the user's browser */
        readonly url: string;
      };
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
      /** The token itself, shown this once; a repeated answer lacks it */
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
  /** Tell who the caller is and where things are */
  readonly getMe: {
    readonly request: Readonly<Record<never, never>>;
    readonly answer: {
      readonly data: Schemas["Me"];
      readonly organization: Schemas["Organization"];
      /** The gateway's address, without `/mcp` */
      readonly gateway_url: string;
      /** The address of this API and of the admin app */
      readonly base_url: string;
      /** The release that answers */
      readonly version: string;
    };
  };
  /** List the MCP servers that the caller reaches, and how they stand with each */
  readonly listMyMcpServers: {
    readonly request: {
      readonly query?: {
        /** A machine user that the caller owns, by e-mail; left out: the caller */
        readonly for?: string | undefined;
        /** Zero-based offset of the first entry */
        readonly cursor?: number | undefined;
        /** How many entries to answer at most */
        readonly limit?: number | undefined;
      } | undefined;
    };
    readonly answer: {
      readonly data: ReadonlyArray<Schemas["UserMcpServer"]>;
      readonly pagination: Schemas["CursorPagination"];
    };
  };
  /** Give the caller's own key for an MCP server */
  readonly setMyApiKey: {
    readonly request: {
      readonly query: {
        /** The server's slug */
        readonly mcp: string;
        /** A machine user that the caller owns, by e-mail; left out: the caller */
        readonly for?: string | undefined;
      };
      readonly body: Schemas["SetUserApiKey"];
    };
    readonly answer: {
      readonly data: Schemas["TriedConnection"];
    };
  };
  /** Ask an MCP server whether it takes what the caller gave for it */
  readonly testMyConnection: {
    readonly request: {
      readonly query: {
        /** The server's slug */
        readonly mcp: string;
        /** A machine user that the caller owns, by e-mail; left out: the caller */
        readonly for?: string | undefined;
      };
    };
    readonly answer: {
      readonly data: Schemas["TriedConnection"];
    };
  };
  /** Disconnect the caller from an MCP server */
  readonly deleteMyConnection: {
    readonly request: {
      readonly query: {
        /** The server's slug */
        readonly mcp: string;
        /** A machine user that the caller owns, by e-mail; left out: the caller */
        readonly for?: string | undefined;
      };
    };
    readonly answer: Schemas["Message"];
  };
  /** List the MCP clients that the caller has connected, newest first */
  readonly listMyClients: {
    readonly request: Readonly<Record<never, never>>;
    readonly answer: {
      readonly data: ReadonlyArray<Schemas["ConnectedClient"]>;
    };
  };
  /** Disconnect an MCP client of the caller */
  readonly endMyClient: {
    readonly request: {
      readonly query: {
        /** The client's connection, as the list says it */
        readonly id: string;
      };
    };
    readonly answer: Schemas["Message"];
  };
  /** List where the caller is signed in, newest first */
  readonly listMySessions: {
    readonly request: Readonly<Record<never, never>>;
    readonly answer: {
      readonly data: ReadonlyArray<Schemas["WebSession"]>;
    };
  };
  /** Sign the caller out, in one browser or everywhere */
  readonly endMySessions: {
    readonly request: {
      readonly query?: {
        /** Only this web session; left out, all of them end, the asking one and all connected MCP clients included */
        readonly id?: string | undefined;
      } | undefined;
    };
    readonly answer: Schemas["Message"];
  };
  /** Change the caller's password */
  readonly changeMyPassword: {
    readonly request: {
      readonly body: Schemas["ChangePassword"];
    };
    readonly answer: Schemas["Message"];
  };
  /** Prove again who the caller is */
  readonly confirmMyPassword: {
    readonly request: {
      readonly body: Schemas["ConfirmPassword"];
    };
    readonly answer: Schemas["Message"];
  };
  /** Get a token with which the caller's pages call the gateway, as the caller */
  readonly createPlaygroundToken: {
    readonly request: {
      readonly headers?: {
        /** Within 24 hours, the same key with the same request is answered again and done once */
        readonly "Idempotency-Key"?: string | undefined;
      } | undefined;
    };
    readonly answer: {
      /** The token itself, shown this once; a repeated answer lacks it */
      readonly token?: string | undefined;
      /** When it ends */
      readonly expires_at: string;
    };
  };
  /** Find servers, tools, users and groups by what they are called */
  readonly search: {
    readonly request: {
      readonly query: {
        /** What to look for, 200 characters at most */
        readonly q: string;
        /** How many of each kind to answer at most; 5 unless given */
        readonly limit?: number | undefined;
      };
    };
    readonly answer: {
      readonly data: Schemas["Found"];
    };
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
        readonly method?: "other" | "tools/call" | "tools/list" | "prompts/get" | "resources/read" | "completion/complete" | undefined;
        /** Only calls that ended like this */
        readonly outcome?: "ok" | "tool_error" | "error" | "denied" | "upstream_failed" | "timeout" | "cancelled" | "interrupted" | "not_connected" | undefined;
        /** Only calls at or after this time */
        readonly from?: string | undefined;
        /** Only calls before this time */
        readonly to?: string | undefined;
        /** Only calls that took at least so many milliseconds */
        readonly min_duration_ms?: number | undefined;
        /** Only calls that took at most so many milliseconds */
        readonly max_duration_ms?: number | undefined;
        /** Only calls whose callers proved in this way who they are */
        readonly via?: "machine_key" | "oauth" | "exchange" | "agent" | "app" | undefined;
        /** Only calls of this OAuth client */
        readonly client_id?: string | undefined;
        /** Only calls with this error, where `…` stands for any text, as in the groups of errors */
        readonly error?: string | undefined;
        /** Only the call whose answer carried this `x-request-id` */
        readonly request_id?: string | undefined;
        /** Only calls of this trace, by its W3C trace id */
        readonly trace_id?: string | undefined;
        /** Only calls with this text in the error, the user's e-mail, the server's slug or the tool's name */
        readonly text?: string | undefined;
        /** Where the page before ended, as its nextCursor said */
        readonly cursor?: string | undefined;
        /** How many entries to answer at most */
        readonly limit?: number | undefined;
      } | undefined;
    };
    readonly answer: {
      readonly data: ReadonlyArray<Schemas["LogEntry"]>;
      readonly pagination: Schemas["LogPagination"];
    };
  };
  /** Follow the calls at the gateway */
  readonly tailLogs: {
    readonly request: {
      readonly query?: {
        /** Only calls of the user with this e-mail, in any case */
        readonly user?: string | undefined;
        /** Only calls to the server with this slug */
        readonly server?: string | undefined;
        /** Only calls of this tool, by the name that its server gives it */
        readonly tool?: string | undefined;
        /** Only calls of this method */
        readonly method?: "other" | "tools/call" | "tools/list" | "prompts/get" | "resources/read" | "completion/complete" | undefined;
        /** Only calls that ended like this */
        readonly outcome?: "ok" | "tool_error" | "error" | "denied" | "upstream_failed" | "timeout" | "cancelled" | "interrupted" | "not_connected" | undefined;
        /** Only calls at or after this time */
        readonly from?: string | undefined;
        /** Only calls before this time */
        readonly to?: string | undefined;
        /** Only calls that took at least so many milliseconds */
        readonly min_duration_ms?: number | undefined;
        /** Only calls that took at most so many milliseconds */
        readonly max_duration_ms?: number | undefined;
        /** Only calls whose callers proved in this way who they are */
        readonly via?: "machine_key" | "oauth" | "exchange" | "agent" | "app" | undefined;
        /** Only calls of this OAuth client */
        readonly client_id?: string | undefined;
        /** Only calls with this error, where `…` stands for any text, as in the groups of errors */
        readonly error?: string | undefined;
        /** Only the call whose answer carried this `x-request-id` */
        readonly request_id?: string | undefined;
        /** Only calls of this trace, by its W3C trace id */
        readonly trace_id?: string | undefined;
        /** Only calls with this text in the error, the user's e-mail, the server's slug or the tool's name */
        readonly text?: string | undefined;
        /** The `tailCursor` of the answer before, or of a list */
        readonly cursor?: string | undefined;
        /** How many entries to answer at most */
        readonly limit?: number | undefined;
      } | undefined;
    };
    readonly answer: {
      readonly data: ReadonlyArray<Schemas["LogEntry"]>;
      readonly pagination: Schemas["TailPagination"];
    };
  };
  /** Count calls at the gateway */
  readonly getLogStats: {
    readonly request: {
      readonly query?: {
        /** Only calls of the user with this e-mail, in any case */
        readonly user?: string | undefined;
        /** Only calls to the server with this slug */
        readonly server?: string | undefined;
        /** Only calls of this tool, by the name that its server gives it */
        readonly tool?: string | undefined;
        /** Only calls of this method */
        readonly method?: "other" | "tools/call" | "tools/list" | "prompts/get" | "resources/read" | "completion/complete" | undefined;
        /** Only calls that ended like this */
        readonly outcome?: "ok" | "tool_error" | "error" | "denied" | "upstream_failed" | "timeout" | "cancelled" | "interrupted" | "not_connected" | undefined;
        /** Only calls at or after this time */
        readonly from?: string | undefined;
        /** Only calls before this time */
        readonly to?: string | undefined;
        /** How much time one entry of `series` covers; fitting to the whole unless given */
        readonly bucket?: "minute" | "ten_minutes" | "hour" | "day" | undefined;
        /** How many servers, tools and users to answer at most; 10 unless given */
        readonly top?: number | undefined;
      } | undefined;
    };
    readonly answer: {
      readonly data: Schemas["CallStatistics"];
    };
  };
  /** Group the calls that failed */
  readonly listLogErrors: {
    readonly request: {
      readonly query?: {
        /** Only calls to the server with this slug */
        readonly server?: string | undefined;
        /** Only calls that ended like this */
        readonly outcome?: "ok" | "tool_error" | "error" | "denied" | "upstream_failed" | "timeout" | "cancelled" | "interrupted" | "not_connected" | undefined;
        /** Only calls at or after this time */
        readonly from?: string | undefined;
        /** Only calls before this time */
        readonly to?: string | undefined;
        /** How many groups to answer at most; 20 unless given */
        readonly top?: number | undefined;
      } | undefined;
    };
    readonly answer: {
      readonly data: ReadonlyArray<Schemas["LogErrorGroup"]>;
    };
  };
  /** Export calls at the gateway */
  readonly exportLogs: {
    readonly request: {
      readonly query?: {
        /** Only calls of the user with this e-mail, in any case */
        readonly user?: string | undefined;
        /** Only calls to the server with this slug */
        readonly server?: string | undefined;
        /** Only calls of this tool, by the name that its server gives it */
        readonly tool?: string | undefined;
        /** Only calls of this method */
        readonly method?: "other" | "tools/call" | "tools/list" | "prompts/get" | "resources/read" | "completion/complete" | undefined;
        /** Only calls that ended like this */
        readonly outcome?: "ok" | "tool_error" | "error" | "denied" | "upstream_failed" | "timeout" | "cancelled" | "interrupted" | "not_connected" | undefined;
        /** Only calls at or after this time */
        readonly from?: string | undefined;
        /** Only calls before this time */
        readonly to?: string | undefined;
        /** Only calls that took at least so many milliseconds */
        readonly min_duration_ms?: number | undefined;
        /** Only calls that took at most so many milliseconds */
        readonly max_duration_ms?: number | undefined;
        /** Only calls whose callers proved in this way who they are */
        readonly via?: "machine_key" | "oauth" | "exchange" | "agent" | "app" | undefined;
        /** Only calls of this OAuth client */
        readonly client_id?: string | undefined;
        /** Only calls with this error, where `…` stands for any text, as in the groups of errors */
        readonly error?: string | undefined;
        /** Only the call whose answer carried this `x-request-id` */
        readonly request_id?: string | undefined;
        /** Only calls of this trace, by its W3C trace id */
        readonly trace_id?: string | undefined;
        /** Only calls with this text in the error, the user's e-mail, the server's slug or the tool's name */
        readonly text?: string | undefined;
        /** As lines of JSON unless given, or as a table for spreadsheets */
        readonly format?: "ndjson" | "csv" | undefined;
      } | undefined;
    };
    readonly answer: undefined;
  };
  /** Get one call at the gateway */
  readonly getLog: {
    readonly request: {
      readonly path: {
        /** The record's id, as the list gives it */
        readonly id: string;
      };
      readonly query?: {
        /** Adds what the call carried; needs the scope `logs:payloads` */
        readonly include_payload?: boolean | undefined;
      } | undefined;
    };
    readonly answer: {
      readonly data: Schemas["LogDetail"];
    };
  };
  /** List changes made over this API, newest first */
  readonly listAudit: {
    readonly request: {
      readonly query?: {
        /** Only what this operation did, by its id */
        readonly operation?: string | undefined;
        /** Only what this caller did, by id or name */
        readonly actor?: string | undefined;
        /** Only what was done to things of this kind, such as group or mcp-server */
        readonly target_type?: string | undefined;
        /** Only what was done to this, by id or by the name it had then */
        readonly target?: string | undefined;
        /** Only what was done at or after this time */
        readonly from?: string | undefined;
        /** Only what was done before this time */
        readonly to?: string | undefined;
        /** Where the page before ended, as its nextCursor said */
        readonly cursor?: string | undefined;
        /** How many entries to answer at most */
        readonly limit?: number | undefined;
      } | undefined;
    };
    readonly answer: {
      readonly data: ReadonlyArray<Schemas["AuditEntry"]>;
      readonly pagination: Schemas["TimePagination"];
    };
  };
  /** Get the organization's settings as they are in effect */
  readonly getSettings: {
    readonly request: Readonly<Record<never, never>>;
    readonly answer: {
      readonly data: Schemas["Settings"];
    };
  };
  /** Change settings of the organization */
  readonly updateSettings: {
    readonly request: {
      readonly body: Schemas["UpdateSettings"];
    };
    readonly answer: {
      readonly data: Schemas["Settings"];
    };
  };
  /** Tell what runs here, and under which keys secrets are sealed */
  readonly getAbout: {
    readonly request: Readonly<Record<never, never>>;
    readonly answer: {
      readonly data: Schemas["About"];
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
  listToolChanges: "GET /api/mcp-servers/{slug}/tools/changes",
  acceptTools: "POST /api/mcp-servers/{slug}/tools/accept",
  syncMcpServer: "POST /api/mcp-servers/{slug}/sync",
  listMcpServerConnections: "GET /api/mcp-servers/{slug}/connections",
  deleteMcpServerConnection: "DELETE /api/mcp-servers/{slug}/connections",
  discoverOAuth: "POST /api/mcp-servers/{slug}/discover-oauth",
  listConnectors: "GET /api/connectors",
  listConnectorCategories: "GET /api/connectors/categories",
  getConnectorUsage: "GET /api/connectors/{connector_id}/usage",
  listGroups: "GET /api/groups",
  createGroup: "POST /api/groups",
  updateGroup: "PATCH /api/groups",
  deleteGroup: "DELETE /api/groups",
  getGroup: "GET /api/groups/{name}",
  addIntegrationsToGroup: "POST /api/groups/{name}/integrations",
  removeIntegrationFromGroup: "DELETE /api/groups/{name}/integrations",
  addUsersToGroup: "POST /api/groups/{name}/users",
  removeUserFromGroup: "DELETE /api/groups/{name}/users",
  listUsers: "GET /api/users",
  createUser: "POST /api/users",
  updateUser: "PATCH /api/users",
  deleteUser: "DELETE /api/users",
  getUser: "GET /api/users/{email}",
  rotateUserSecret: "POST /api/users/rotate-secret",
  revealUserSecret: "POST /api/users/reveal-secret",
  inviteUser: "POST /api/users/invite",
  listUserClients: "GET /api/users/clients",
  endUserClient: "DELETE /api/users/clients",
  listUserSessions: "GET /api/users/sessions",
  endUserSessions: "DELETE /api/users/sessions",
  listAccess: "GET /api/access",
  explainAccess: "GET /api/access/explain",
  listUserMcpServers: "GET /api/user/mcp-servers",
  getUserConnection: "GET /api/user/connection",
  deleteUserConnection: "DELETE /api/user/connection",
  setUserApiKey: "PUT /api/user/api-key",
  getUserAuthUrl: "GET /api/user/auth-url",
  listApiTokens: "GET /api/api-tokens",
  createApiToken: "POST /api/api-tokens",
  deleteApiToken: "DELETE /api/api-tokens",
  getMe: "GET /api/me",
  listMyMcpServers: "GET /api/me/mcp-servers",
  setMyApiKey: "PUT /api/me/api-key",
  testMyConnection: "POST /api/me/test-connection",
  deleteMyConnection: "DELETE /api/me/connection",
  listMyClients: "GET /api/me/clients",
  endMyClient: "DELETE /api/me/clients",
  listMySessions: "GET /api/me/sessions",
  endMySessions: "DELETE /api/me/sessions",
  changeMyPassword: "POST /api/me/password",
  confirmMyPassword: "POST /api/me/confirm-password",
  createPlaygroundToken: "POST /api/me/playground-token",
  search: "GET /api/search",
  listLogs: "GET /api/logs",
  tailLogs: "GET /api/logs/tail",
  getLogStats: "GET /api/logs/stats",
  listLogErrors: "GET /api/logs/errors",
  exportLogs: "GET /api/logs/export",
  getLog: "GET /api/logs/{id}",
  listAudit: "GET /api/audit",
  getSettings: "GET /api/settings",
  updateSettings: "PATCH /api/settings",
  getAbout: "GET /api/about",
} as const satisfies Readonly<Record<keyof Operations, string>>;
