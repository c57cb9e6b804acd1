// Made by `npm run openapi` from the operations' declarations. An optional member may also be undefined: it is not sent.

export interface Schemas {
  /** Version, runtime, database, data keys, and warnings of this installation */
  readonly About: {
    /** The release of this process */
    readonly version: string;
    /** The version of Node.js */
    readonly node: string;
    /** The database in use */
    readonly database: "sqlite" | "postgres";
    /** The data keys in use, by purpose and version, without key material */
    readonly data_keys: ReadonlyArray<{
      /** What the key encrypts */
      readonly purpose: string;
      /** The highest version of a purpose encrypts new values; older versions only decrypt */
      readonly version: number;
      /** Digest of the key file that wraps this data key */
      readonly wrapped_by: string;
      /** Number of values encrypted with it; for the pepper, number of verifiers. Null: not counted. An older version with 0 values is no longer needed */
      readonly values: number | null;
      /** When it was created */
      readonly created_at: string;
    }>;
    /** Whether client ID metadata documents can be fetched, see the setting `client_id_documents` */
    readonly client_id_documents: {
      /** Whether the metadata for MCP clients advertises such documents */
      readonly advertised: boolean;
      /** The URL that was fetched or tested last. Null: none */
      readonly tested_url: string | null;
      /** When it was fetched or tested. Null: never */
      readonly tested_at: string | null;
      /** Why it could not be fetched. Null: it could, or was not tested */
      readonly error: string | null;
    };
    /** Settings of this process that need attention */
    readonly warnings: ReadonlyArray<string>;
  };
  /** Definitions to accept. None is accepted if one is unknown or has changed again */
  readonly AcceptTools: {
    /** Definitions to accept. If omitted, all changed ones are accepted in their current form */
    readonly tools?: ReadonlyArray<{
      /** The part of the gateway name of a tool or prompt after `__`, the URI of a resource, a URI template, or `instructions` */
      readonly tool: string;
      /** Kind of the definition. Default: `tool` */
      readonly kind?: "tool" | "prompt" | "resource" | "resource_template" | "instructions" | undefined;
      /** Digest of the reviewed definition, as returned by `listToolChanges` */
      readonly digest: string;
    }> | undefined;
  };
  /** A user, and whether they can call a tool */
  readonly AccessCaller: {
    /** The user's email */
    readonly email: string;
    /** Display name */
    readonly name: string;
    /** Whether this is a machine user */
    readonly is_machine_user: boolean;
    /** `not_connected`: the call returns a link with which the user connects to the server */
    readonly verdict: "allowed" | "not_connected" | "refused";
    /** Machine-readable reason: the first check that failed */
    readonly reason: "allowed" | "unknown_user" | "user_disabled" | "malformed_name" | "unknown_server" | "no_group" | "draft" | "not_selected" | "not_in_toolkit" | "no_upstream" | "not_synced" | "unknown_tool" | "tool_disabled" | "tool_held" | "not_connected";
    /** The verdict as text */
    readonly says: string;
    /** The user's groups that give access to the server */
    readonly groups: ReadonlyArray<string>;
    /** The user's connection to the server. `not_required`: the server does not authenticate each user */
    readonly connection: "not_required" | "connected" | "reconnect_needed" | "not_connected";
  };
  /** Why a user can or cannot call a tool */
  readonly AccessExplanation: {
    /** The user's email */
    readonly email: string;
    /** The gateway name of the tool */
    readonly tool: string;
    /** `not_connected`: the call returns a link with which the user connects to the server */
    readonly verdict: "allowed" | "not_connected" | "refused";
    /** Machine-readable reason: the first check that failed */
    readonly reason: "allowed" | "unknown_user" | "user_disabled" | "malformed_name" | "unknown_server" | "no_group" | "draft" | "not_selected" | "not_in_toolkit" | "no_upstream" | "not_synced" | "unknown_tool" | "tool_disabled" | "tool_held" | "not_connected";
    /** The verdict as text */
    readonly says: string;
    /** How to allow the call. Null if it is allowed */
    readonly next_step: string | null;
    /** The groups that contain the server */
    readonly groups: ReadonlyArray<{
      /** The group's name */
      readonly name: string;
      /** Whether the user is a member */
      readonly member: boolean;
      /** Whether the group gives its members access to the tool */
      readonly gives: boolean;
      /** Why it does not: the server is a draft, which requires `show_draft_mcps`, or the tool is not selected */
      readonly blocked_by: "draft" | "selection" | null;
    }>;
    /** All checks, in order */
    readonly steps: ReadonlyArray<{
      /** The check */
      readonly check: "user" | "enabled" | "name" | "server" | "group" | "status" | "upstream" | "tool" | "selection" | "toolkit" | "connection";
      /** Whether the check passed. Null: not checked, because an earlier check failed */
      readonly passed: boolean | null;
      /** The result as text */
      readonly says: string;
    }>;
    /** Limits that apply to the call, if it is allowed. Limits of several groups add up */
    readonly limits: ReadonlyArray<{
      /** Maximum calls per minute; null: no limit */
      readonly calls_per_minute: number | null;
      /** Maximum concurrent calls; null: no limit */
      readonly concurrent_calls: number | null;
      /** What it limits: the user's calls, those through a group, or those of all users to the tool */
      readonly scope: "user" | "group" | "tool";
      /** The user, group or tool */
      readonly name: string;
      /** The limit as text */
      readonly says: string;
    }>;
  };
  /** A request for access to a server or to some of its tools */
  readonly AccessRequest: {
    /** ID of the record; IDs are never reused */
    readonly id: string;
    /** Email of the requesting person */
    readonly email: string;
    /** Name of the person */
    readonly name: string;
    /** The server's slug */
    readonly server: string;
    /** The server's name */
    readonly server_name: string;
    /** The requested tools, by name at the server. Empty: the whole server */
    readonly tools: ReadonlyArray<string>;
    /** The reason that the person gave */
    readonly reason: string;
    /** `withdrawn`: by the person who asked */
    readonly status: "pending" | "approved" | "denied" | "withdrawn";
    /** What the admin wrote about the decision */
    readonly note: string | null;
    /** The group through which access was granted, by its name at that time */
    readonly group: string | null;
    /** Who decided */
    readonly decided_by: string | null;
    /** When it was decided */
    readonly decided_at: string | null;
    /** When it was created */
    readonly created_at: string;
  };
  /** Counts of what a user can access */
  readonly AccessSummary: {
    /** The user's email */
    readonly email: string;
    /** Whether the user is disabled. A disabled user has no access */
    readonly disabled: boolean;
    /** Number of servers the user can access */
    readonly servers: number;
    /** Number of tools */
    readonly tools: number;
    /** Number of prompts */
    readonly prompts: number;
    /** Number of resources */
    readonly resources: number;
    /** Number of resource templates */
    readonly resource_templates: number;
    /** Number of model tokens that the definitions of all these tools take. Approximate: the bytes of the definitions, divided by 4 */
    readonly tokens_estimate: number;
    /** The servers that take the most tokens, largest first; ten at most */
    readonly largest: ReadonlyArray<{
      /** The slug */
      readonly name: string;
      /** Number of model tokens. Approximate: the bytes of the definitions, divided by 4 */
      readonly tokens_estimate: number;
    }>;
  };
  /** A tool that a user can call, and why */
  readonly AccessibleTool: {
    /** The gateway name of the tool */
    readonly tool: string;
    /** The server's slug */
    readonly server: string;
    /** The tool's name at the server */
    readonly upstream_name: string;
    /** Whether the server is a draft. Only groups that show drafts give access to it */
    readonly draft: boolean;
    /** The user's groups that give access */
    readonly groups: ReadonlyArray<string>;
    /** The reason as text */
    readonly why: string;
  };
  /** A reset of the account, of which the person is notified */
  readonly AccountReset: {
    /** ID of the record; IDs are never reused */
    readonly id: string;
    /** `invitation`: a new invitation was accepted; connections, web sessions, MCP clients, and API tokens were deleted. `sso`: the first single sign-on removed the password and ended web sessions and MCP clients */
    readonly reason: "invitation" | "sso";
    /** Who created the invitation. Null: unknown, or no invitation */
    readonly invited_by: string | null;
    /** Whether `invited_by` names a person or an API token. Null: unknown, or no invitation */
    readonly invited_by_type: "user" | "api_token" | null;
    /** The IP address of the browser */
    readonly address: string;
    /** When it was created */
    readonly created_at: string;
  };
  /** Commands to add */
  readonly AddCommands: {
    /** Slugs of the commands to add. Commands already in the group are skipped */
    readonly slugs: ReadonlyArray<string>;
  };
  /** MCP servers to add */
  readonly AddIntegrations: {
    /** Slugs of the MCP servers to add. Servers already in the group are skipped */
    readonly slugs: ReadonlyArray<string>;
  };
  /** Plugins to add */
  readonly AddPlugins: {
    /** Slugs of the plugins to add. Plugins already in the group are skipped */
    readonly slugs: ReadonlyArray<string>;
  };
  /** Skills to add */
  readonly AddSkills: {
    /** Slugs of the skills to add. Skills already in the group are skipped */
    readonly slugs: ReadonlyArray<string>;
  };
  /** Entries of a toolkit */
  readonly AddToolkitTools: {
    /** Entries to add or to replace */
    readonly tools: ReadonlyArray<{
      /** The server's slug */
      readonly server: string;
      /** The tool's name at the server. `*`: all other enabled tools */
      readonly tool: string;
      /** Callers see `{server}__{alias}` instead of the tool's name */
      readonly alias?: string | null | undefined;
      /** Replaces the tool's title */
      readonly title?: string | null | undefined;
      /** Replaces the tool's description */
      readonly description?: string | null | undefined;
      /** Changes to the top-level arguments */
      readonly arguments?: {
        /** Sent with every call. Callers do not see these arguments and cannot set them */
        readonly fixed?: Readonly<Record<string, unknown>> | null | undefined;
        /** Sent if the caller does not set them */
        readonly defaults?: Readonly<Record<string, unknown>> | null | undefined;
        /** Removed from the schema and from calls */
        readonly hidden?: ReadonlyArray<string> | null | undefined;
      } | null | undefined;
    }>;
  };
  /** Toolkits to add */
  readonly AddToolkits: {
    /** Slugs of the toolkits to add. Toolkits already in the group are skipped */
    readonly slugs: ReadonlyArray<string>;
  };
  /** Users to add */
  readonly AddUsers: {
    /** Emails of the people and machine users to add. Existing members are skipped */
    readonly emails: ReadonlyArray<string>;
  };
  /** The provider of agents that have none */
  readonly AgentDefaultProvider: {
    /** Who runs the model */
    readonly type: "openai" | "openai-compatible" | "anthropic" | "google";
    /** The model's name at the provider */
    readonly model: string;
    /** Null: the provider's own */
    readonly base_url: string | null;
    /** Whether an API key is set. It is never returned */
    readonly has_api_key: boolean;
  };
  /** A follow-up */
  readonly AgentMessage: {
    /** What to do. An object is given to the model as JSON */
    readonly input: string | Readonly<Record<string, unknown>>;
  };
  /** One run of an agent */
  readonly AgentSession: {
    /** ID of the record; IDs are never reused */
    readonly id: string;
    /** The agent */
    readonly agent_slug: string;
    /** The version of the agent */
    readonly agent_version: number;
    /** Where it runs */
    readonly platform: "builtin" | "anthropic" | "webhook";
    /** The session on another platform */
    readonly platform_session_id: string | null;
    /** What started it */
    readonly trigger: "api" | "schedule" | "webhook";
    /** `waiting_approval`: a call waits until someone approves it */
    readonly status: "queued" | "running" | "waiting_approval" | "completed" | "failed" | "canceled" | "timed_out";
    /** What the agent was asked */
    readonly input: string;
    /** The last answer of the model; null until it completes */
    readonly output: string | null;
    /** Why it failed */
    readonly error: {
      /** What kind of failure */
      readonly code: string;
      /** What happened */
      readonly message: string;
    } | null;
    /** What it used so far */
    readonly usage: {
      /** Answers of the model */
      readonly steps: number;
      /** Calls of tools */
      readonly tool_calls: number;
      /** Tokens of the prompts */
      readonly input_tokens: number;
      /** Tokens of the answers */
      readonly output_tokens: number;
    };
    /** The approval that a call waits for */
    readonly approval_id: string | null;
    /** The session that it follows up */
    readonly parent_session_id: string | null;
    /** As the caller sent it, after redaction by guards */
    readonly metadata: Readonly<Record<string, unknown>>;
    /** Who started it */
    readonly requested_by: string;
    /** When it was created */
    readonly created_at: string;
    /** When it started to run */
    readonly started_at: string | null;
    /** When it ended */
    readonly ended_at: string | null;
  };
  /** What happened in a session */
  readonly AgentStep: {
    /** Position in the session, from 0 */
    readonly index: number;
    /** An answer of the model, a tool call, its result, a decided approval, or an error */
    readonly type: "model" | "tool_call" | "tool_result" | "approval" | "error";
    /** Who it comes from */
    readonly role: "assistant" | "tool" | "system";
    /** The text. Results are as guards passed them on */
    readonly text: string | null;
    /** The tool at the gateway */
    readonly tool_name: string | null;
    /** JSON text of the arguments as they left the gateway, after redaction by guards. Null: they did not leave */
    readonly arguments: string | null;
    /** Whether the tool or the provider failed */
    readonly is_error: boolean;
    /** Slug of the guard that acted on the arguments or the result */
    readonly guard: string | null;
    /** What the guard did. `redact`: parts of the arguments or the result were replaced */
    readonly guard_action: "warn" | "redact" | "require_approval" | "block" | null;
    /** The approval that was decided */
    readonly approval_id: string | null;
    /** Of an answer of the model */
    readonly tokens: {
      /** Tokens of the prompt */
      readonly input: number;
      /** Tokens of the answer */
      readonly output: number;
    } | null;
    /** Whether text or arguments were longer than 64 KiB */
    readonly truncated: boolean;
    /** When it started */
    readonly started_at: string;
    /** How long it took */
    readonly duration_ms: number;
  };
  /** The last sync with the platform */
  readonly AgentSync: {
    /** `drift`: the platform has other values */
    readonly status: "never" | "synced" | "drift" | "error";
    /** The agent on the platform */
    readonly platform_agent_id: string | null;
    /** Its version there at the last sync */
    readonly platform_version: string | null;
    /** When it was last synced */
    readonly last_synced_at: string | null;
    /** Why the last sync failed */
    readonly error: string | null;
  };
  /** An API token, without its value */
  readonly ApiToken: {
    /** ID of the record; IDs are never reused */
    readonly id: string;
    /** Name of the token */
    readonly name: string;
    /** The first part of the token, which identifies it and is not secret. Null: unknown */
    readonly prefix: string | null;
    /** Scopes of the token */
    readonly scopes: ReadonlyArray<string>;
    /** When the token expires. Null: never */
    readonly expires_at: string | null;
    /** When the token was last used, to the minute. Null: never used */
    readonly last_used_at: string | null;
    /** The email of the person or the name of the API token that created it. Null: unknown */
    readonly created_by: string | null;
    /** The ID of the person or API token that created it. Null: unknown, or the operator */
    readonly created_by_id: string | null;
    /** The email of the responsible person: the creator, or the person who is responsible for the token that created it. The token is deleted when this person stops being an owner. Null: the operator, or unknown */
    readonly responsible: string | null;
    /** When it was created */
    readonly created_at: string;
  };
  /** The wanted configuration */
  readonly ApplyConfig: {
    /** Objects by kind. Omitted kinds and omitted fields keep their values */
    readonly config: Readonly<Record<string, unknown>>;
    /** Delete objects of these kinds that are not declared. Default: false */
    readonly prune?: boolean | undefined;
    /** The steps of a plan that was confirmed. If others are necessary by now, nothing changes */
    readonly planned?: ReadonlyArray<Schemas["ConfigStep"]> | undefined;
  };
  /** A call that a guard held, with its arguments */
  readonly Approval: {
    /** ID of the record; IDs are never reused */
    readonly id: string;
    /** `expired`: no decision in time. An approved call is used up when `used_at` is set */
    readonly status: "pending" | "approved" | "denied" | "expired";
    /** Email of the caller */
    readonly user_email: string;
    /** The MCP server */
    readonly server_slug: string;
    /** Display name of the server */
    readonly server_name: string;
    /** The tool or prompt, by its name at the server */
    readonly tool: string;
    /** Display name of the guard that holds the call */
    readonly guard_name: string;
    /** The MCP method */
    readonly method: string;
    /** The guard that holds the call */
    readonly guard_slug: string;
    /** The checks that fired */
    readonly check_names: ReadonlyArray<string>;
    /** Why the call was held, without any matched text */
    readonly reason: string;
    /** Size of the arguments */
    readonly arguments_bytes: number;
    /** The request ID of the first call that was held */
    readonly request_id: string;
    /** Who decided */
    readonly decided_by: string | null;
    /** When it was created */
    readonly created_at: string;
    /** Until when a pending approval can be decided, or the decision applies to calls with identical arguments */
    readonly expires_at: string;
    /** When it was decided */
    readonly decided_at: string | null;
    /** What the person who decided wrote */
    readonly note: string | null;
    /** When an approved call continued. An approval is used once */
    readonly used_at: string | null;
    /** The arguments that the server would receive. Null if the caller may not decide, or 30 days after the decision */
    readonly arguments: Readonly<Record<string, unknown>> | null;
    /** The exact text of the arguments, for numbers and spaces that JSON parsers change */
    readonly arguments_json: string | null;
    /** Whether the caller may decide about this call, apart from its status */
    readonly may_decide: boolean;
    /** Why the caller may not decide; null if they may */
    readonly cannot_decide_because: string | null;
  };
  /** A call that a guard held until a person approves it */
  readonly ApprovalEntry: {
    /** ID of the record; IDs are never reused */
    readonly id: string;
    /** `expired`: no decision in time. An approved call is used up when `used_at` is set */
    readonly status: "pending" | "approved" | "denied" | "expired";
    /** Email of the caller */
    readonly user_email: string;
    /** The MCP server */
    readonly server_slug: string;
    /** Display name of the server */
    readonly server_name: string;
    /** The tool or prompt, by its name at the server */
    readonly tool: string;
    /** Display name of the guard that holds the call */
    readonly guard_name: string;
    /** The MCP method */
    readonly method: string;
    /** The guard that holds the call */
    readonly guard_slug: string;
    /** The checks that fired */
    readonly check_names: ReadonlyArray<string>;
    /** Why the call was held, without any matched text */
    readonly reason: string;
    /** Size of the arguments */
    readonly arguments_bytes: number;
    /** The request ID of the first call that was held */
    readonly request_id: string;
    /** Who decided */
    readonly decided_by: string | null;
    /** When it was created */
    readonly created_at: string;
    /** Until when a pending approval can be decided, or the decision applies to calls with identical arguments */
    readonly expires_at: string;
    /** When it was decided */
    readonly decided_at: string | null;
    /** What the person who decided wrote */
    readonly note: string | null;
    /** When an approved call continued. An approval is used once */
    readonly used_at: string | null;
  };
  /** How to grant a request */
  readonly ApproveAccessRequest: {
    /** The group that gives access, by name, case-insensitive */
    readonly group: string;
    /** Adds what was requested to the group if it does not grant it, for all its members */
    readonly grant?: boolean | undefined;
    /** Creates the group if it does not exist, with what was requested */
    readonly create_group?: boolean | undefined;
    /** A note for the person */
    readonly note?: string | null | undefined;
  };
  /** The reviewed settings */
  readonly ApproveOAuthChange: {
    /** Digest of the reviewed settings */
    readonly digest: string;
  };
  /** One change made through the administration API */
  readonly AuditEntry: {
    /** The entry's ID */
    readonly id: string;
    /** When the change was made */
    readonly ts: string;
    /** Who made the change */
    readonly actor: {
      /** Kind of the actor */
      readonly type: string;
      /** The actor's ID */
      readonly id: string;
      /** The actor's name at that time */
      readonly name: string;
    };
    /** The operation's ID */
    readonly operation: string;
    /** What was changed */
    readonly target: {
      /** Kind of the target */
      readonly type: string;
      /** The target's ID */
      readonly id: string;
      /** The target's name at that time */
      readonly name: string;
    };
    /** State before the change, without secrets; null if it was created */
    readonly before: Readonly<Record<string, unknown>> | null;
    /** State after the change, without secrets; null if it was deleted */
    readonly after: Readonly<Record<string, unknown>> | null;
    /** The request ID, also sent as the `x-request-id` response header */
    readonly request_id: string;
    /** IP address of the actor, as reported by trusted proxies; null: unknown */
    readonly ip: string | null;
    /** Position in the hash chain; null: written by an earlier release a moment ago */
    readonly seq: number | null;
    /** SHA-256 of the entry and of the previous hash; null like `seq` */
    readonly hash: string | null;
  };
  /** How users authenticate at the upstream */
  readonly AuthSettings: {
    /** Authentication at the upstream: `none`, OAuth per user (`proxy-oauth`), an API key per user (`proxy-api-key`), or the token that the user exchanged (`exchanged-token`) */
    readonly authType?: "proxy-oauth" | "proxy-api-key" | "none" | "exchanged-token" | null | undefined;
    /** OAuth client ID. If omitted, Gatehouse registers a client */
    readonly clientId?: string | null | undefined;
    /** OAuth authorization endpoint. Discovered if omitted */
    readonly authUrl?: string | null | undefined;
    /** OAuth token endpoint. Discovered if omitted */
    readonly tokenUrl?: string | null | undefined;
    /** Parameters of the authorization request */
    readonly client?: {
      /** OAuth scopes, separated by spaces */
      readonly scope?: string | null | undefined;
    } | null | undefined;
    /** Instructions for users who connect, in Markdown */
    readonly howtoMarkdown?: string | null | undefined;
    /** OAuth client secret. Stored encrypted and never returned */
    readonly clientSecret?: string | null | undefined;
    /** OAuth registration endpoint. Discovered if omitted */
    readonly registrationUrl?: string | null | undefined;
    /** OAuth issuer. Discovered if omitted. With `exchanged-token`: the `iss` of the trusted issuer whose tokens are sent; required */
    readonly issuer?: string | null | undefined;
    /** OAuth resource indicator. The upstream's URL if omitted */
    readonly resource?: string | null | undefined;
    /** Header that carries the user's API key. `Authorization` by default */
    readonly headerName?: string | null | undefined;
    /** Text before the API key in that header. `Bearer ` by default */
    readonly headerPrefix?: string | null | undefined;
    /** Shared credential: headers that the gateway sends with every request to the server, by name. Only with `authType` `none`. Stored encrypted and never returned. Merged by name; a null value removes one header, null removes all */
    readonly sharedHeaders?: Readonly<Record<string, string | null>> | null | undefined;
  };
  /** A model with instructions and tools that works without a person */
  readonly BackgroundAgent: {
    /** ID of the record; IDs are never reused */
    readonly id: string;
    /** Identifies the agent in the API */
    readonly slug: string;
    /** Display name */
    readonly name: string;
    /** For people */
    readonly description: string;
    /** Only active agents start sessions */
    readonly status: "draft" | "active" | "paused";
    /** Where sessions run. It never changes */
    readonly platform: "builtin" | "anthropic" | "webhook";
    /** The system prompt */
    readonly instructions: string;
    /** The model's name at the provider. Null: the model of the default provider */
    readonly model: string | null;
    /** Who runs the model. Null: the default of this installation, or another platform has its own */
    readonly provider: {
      /** Who runs the model; `scripted` answers with a script, for tests and demos */
      readonly type: "openai" | "openai-compatible" | "anthropic" | "google" | "scripted";
      /** Null: the provider's own */
      readonly base_url: string | null;
      /** Whether an API key is stored. It is never returned */
      readonly has_api_key: boolean;
      /** Names of additional headers. Values are never returned */
      readonly headers: Readonly<Record<string,  | null>>;
      /** For `scripted`: one entry per answer of the model */
      readonly script: ReadonlyArray<Readonly<Record<string, unknown>>>;
    } | null;
    /** What the next session uses. Null: there is no provider, or it runs on another platform */
    readonly resolved_provider: {
      /** `installation`: the default, which the operator sets */
      readonly source: "agent" | "installation";
      /** Who runs the model */
      readonly type: "openai" | "openai-compatible" | "anthropic" | "google" | "scripted";
      /** The model's name at the provider */
      readonly model: string;
      /** Null: the provider's own */
      readonly base_url: string | null;
    } | null;
    /** Settings of another platform. Null: it runs in Gatehouse */
    readonly platform_config: {
      /** `webhook`: the runner */
      readonly url: string | null;
      /** `anthropic`: the URL of the API. Null: the platform's own */
      readonly base_url: string | null;
      /** `anthropic`: the environment of its sessions */
      readonly environment_id: string | null;
      /** `anthropic`: vaults of its sessions */
      readonly vault_ids: ReadonlyArray<string>;
      /** Whether an API key is stored. It is never returned */
      readonly has_api_key: boolean;
      /** Whether a secret is stored. It is never returned */
      readonly has_secret: boolean;
    } | null;
    readonly sync: Schemas["AgentSync"];
    /** Slug of its toolkit. Null: every tool that its machine user can use */
    readonly toolkit: string | null;
    /** Slugs of skills that it can read */
    readonly skills: ReadonlyArray<string>;
    /** Email of the machine user that it calls tools as. Null: it was deleted */
    readonly identity: string | null;
    /** People who are responsible for it */
    readonly owner_emails: ReadonlyArray<string>;
    /** What a session may use */
    readonly limits: {
      /** Answers of the model */
      readonly max_steps: number;
      /** Tokens of one answer */
      readonly max_output_tokens: number;
      /** Tokens of all answers and their prompts */
      readonly max_total_tokens: number;
      /** Seconds from the start to the end */
      readonly timeout_seconds: number;
      /** Sessions at a time; others wait */
      readonly max_concurrent: number;
    };
    /** What starts sessions besides the API */
    readonly triggers: {
      /** Null: none */
      readonly schedule: {
        /** Five fields */
        readonly cron: string;
        /** Time zone of the expression */
        readonly timezone: string;
        /** The input of its sessions */
        readonly input: string;
        /** Whether it starts sessions */
        readonly enabled: boolean;
        /** When it starts the next session */
        readonly next_run_at: string | null;
        /** When it last started none: the previous session still ran */
        readonly skipped_at: string | null;
      } | null;
      /** The inbound webhook */
      readonly webhook: {
        /** Whether signed requests start sessions */
        readonly enabled: boolean;
        /** Where to send requests */
        readonly url: string;
        /** Whether it has a secret. It is never returned */
        readonly has_secret: boolean;
        /** Until when the old secret is valid */
        readonly previous_secret_expires_at: string | null;
      };
    };
    /** Gets a signed request when a session ends */
    readonly notify_url: string | null;
    /** Increased when what it does changes */
    readonly version: number;
    /** The newest session */
    readonly last_session: Schemas["AgentSession"] | null;
    /** When it was created */
    readonly created_at: string;
    /** When it was last changed */
    readonly updated_at: string;
  };
  /** Limits of calls. Each process of Gatehouse counts separately */
  readonly CallLimits: {
    /** Maximum calls per minute; null: no limit */
    readonly calls_per_minute: number | null;
    /** Maximum concurrent calls; null: no limit */
    readonly concurrent_calls: number | null;
  };
  /** Counts, outcomes, and durations of calls */
  readonly CallStatistics: {
    /** Start of the first counted minute */
    readonly from: string;
    /** End of the last counted minute */
    readonly to: string;
    /** The time span of one entry of `series`, in UTC */
    readonly bucket: "minute" | "ten_minutes" | "hour" | "day";
    /** Totals of all calls */
    readonly totals: {
      /** Number of calls */
      readonly calls: number;
      /** Number of calls with an outcome other than `ok` */
      readonly errors: number;
      /** Number of calls per outcome. Outcomes without calls are omitted */
      readonly outcomes: Readonly<Record<string, number>>;
      /** Durations in milliseconds; null without calls. Percentiles are histogram estimates, accurate to a few percent */
      readonly duration_ms: {
        /** Mean duration */
        readonly mean: number | null;
        /** Median duration */
        readonly p50: number | null;
        /** 95th percentile */
        readonly p95: number | null;
        /** 99th percentile */
        readonly p99: number | null;
      };
    };
    /** Calls over time, including time spans without calls */
    readonly series: ReadonlyArray<{
      /** Start of this time span */
      readonly ts: string;
      /** Number of calls */
      readonly calls: number;
      /** Number of calls with an outcome other than `ok` */
      readonly errors: number;
      /** Number of calls per outcome. Outcomes without calls are omitted */
      readonly outcomes: Readonly<Record<string, number>>;
      /** Durations in milliseconds; null without calls. Percentiles are histogram estimates, accurate to a few percent */
      readonly duration_ms: {
        /** Mean duration */
        readonly mean: number | null;
        /** Median duration */
        readonly p50: number | null;
        /** 95th percentile */
        readonly p95: number | null;
        /** 99th percentile */
        readonly p99: number | null;
      };
    }>;
    /** The servers with the most calls */
    readonly servers: ReadonlyArray<{
      /** The server's slug at that time */
      readonly server_slug: string;
      /** Number of calls */
      readonly calls: number;
      /** Number of calls with an outcome other than `ok` */
      readonly errors: number;
      /** Number of calls per outcome. Outcomes without calls are omitted */
      readonly outcomes: Readonly<Record<string, number>>;
      /** Durations in milliseconds; null without calls. Percentiles are histogram estimates, accurate to a few percent */
      readonly duration_ms: {
        /** Mean duration */
        readonly mean: number | null;
        /** Median duration */
        readonly p50: number | null;
        /** 95th percentile */
        readonly p95: number | null;
        /** 99th percentile */
        readonly p99: number | null;
      };
    }>;
    /** The tools with the most calls */
    readonly tools: ReadonlyArray<{
      /** The server's slug at that time */
      readonly server_slug: string;
      /** The tool's name at the MCP server */
      readonly tool: string;
      /** Number of calls */
      readonly calls: number;
      /** Number of calls with an outcome other than `ok` */
      readonly errors: number;
      /** Number of calls per outcome. Outcomes without calls are omitted */
      readonly outcomes: Readonly<Record<string, number>>;
      /** Durations in milliseconds; null without calls. Percentiles are histogram estimates, accurate to a few percent */
      readonly duration_ms: {
        /** Mean duration */
        readonly mean: number | null;
        /** Median duration */
        readonly p50: number | null;
        /** 95th percentile */
        readonly p95: number | null;
        /** 99th percentile */
        readonly p99: number | null;
      };
    }>;
    /** The users with the most calls */
    readonly users: ReadonlyArray<{
      /** The caller's email at that time */
      readonly user_email: string;
      /** Number of calls */
      readonly calls: number;
      /** Number of calls with an outcome other than `ok` */
      readonly errors: number;
      /** Number of calls per outcome. Outcomes without calls are omitted */
      readonly outcomes: Readonly<Record<string, number>>;
      /** Durations in milliseconds; null without calls. Percentiles are histogram estimates, accurate to a few percent */
      readonly duration_ms: {
        /** Mean duration */
        readonly mean: number | null;
        /** Median duration */
        readonly p50: number | null;
        /** 95th percentile */
        readonly p95: number | null;
        /** 99th percentile */
        readonly p99: number | null;
      };
    }>;
  };
  /** Number of users by verdict, regardless of filters */
  readonly CallersSummary: {
    /** The server's slug */
    readonly server: string;
    /** The gateway name of the tool. Null: any tool of the server */
    readonly tool: string | null;
    /** Number of users who can call it */
    readonly allowed: number;
    /** Number of users with access who are not connected */
    readonly not_connected: number;
    /** Number of users who cannot call it */
    readonly refused: number;
    /** Why no user can call it, such as `tool_disabled`. Null: not blocked */
    readonly blocked_by: "allowed" | "unknown_user" | "user_disabled" | "malformed_name" | "unknown_server" | "no_group" | "draft" | "not_selected" | "not_in_toolkit" | "no_upstream" | "not_synced" | "unknown_tool" | "tool_disabled" | "tool_held" | "not_connected" | null;
    /** How to unblock it. Null: not blocked */
    readonly next_step: string | null;
  };
  /** A server of the organization, and whether the caller has access */
  readonly CatalogServer: {
    /** The server's slug */
    readonly slug: string;
    /** Display name */
    readonly name: string;
    /** Purpose of the server; can be empty */
    readonly description: string;
    /** URL of a logo on this service */
    readonly logo_url: string;
    /** Whether the caller can call all, some, or none of its tools */
    readonly access: "all" | "some" | "none";
    /** Number of tools */
    readonly tools_count: number;
    /** Number of tools that the caller can call */
    readonly granted_tools: number;
    /** Whether a request of the caller is pending */
    readonly requested: boolean;
  };
  /** A tool of a server in the organization's catalog */
  readonly CatalogTool: {
    /** The tool's name at the server */
    readonly name: string;
    /** Display name */
    readonly title: string;
    /** What the tool does */
    readonly description: string;
    /** Whether the caller can call it */
    readonly granted: boolean;
  };
  /** The current and the new password */
  readonly ChangePassword: {
    /** The current password */
    readonly current_password: string;
    /** The new password: at least 12 characters and not easy to guess */
    readonly new_password: string;
  };
  /** A template that callers get as a prompt */
  readonly Command: {
    /** ID of the record; IDs are never reused */
    readonly id: string;
    /** The name by which callers invoke it */
    readonly slug: string;
    /** Display name */
    readonly name: string;
    /** What it does. Default: the first line of the content */
    readonly description: string;
    /** The template */
    readonly content: string;
    /** Default: the placeholders of the content */
    readonly arguments: ReadonlyArray<Schemas["CommandArgument"]>;
    /** Default: composed from the arguments */
    readonly argument_hint: string;
    /** For exports. The gateway ignores them */
    readonly allowed_tools: ReadonlyArray<string>;
    /** For exports. The gateway ignores it */
    readonly model: string | null;
    /** For exports: whether only people can invoke it */
    readonly disable_model_invocation: boolean;
    /** Slugs of the skills that it uses */
    readonly skills: ReadonlyArray<string>;
    /** Whether the rendered text ends with the URIs of the skills */
    readonly include_skills: boolean;
    /** Only active commands reach callers */
    readonly status: "draft" | "active";
    /** Names of the groups whose members can use it */
    readonly groups: ReadonlyArray<string>;
    /** When it was created */
    readonly created_at: string;
    /** When it was last changed */
    readonly updated_at: string;
  };
  /** An argument of a command */
  readonly CommandArgument: {
    /** The name of its placeholder */
    readonly name: string;
    /** What to enter */
    readonly description: string;
    /** Whether callers must send it */
    readonly required: boolean;
    /** Its value if callers send none */
    readonly default: string | null;
    /** The allowed values. Null: any text */
    readonly enum: ReadonlyArray<string> | null;
  };
  /** A command; with `fields`, only the named fields */
  readonly CommandSelection: {
    /** ID of the record; IDs are never reused */
    readonly id?: string | undefined;
    /** The name by which callers invoke it */
    readonly slug?: string | undefined;
    /** Display name */
    readonly name?: string | undefined;
    /** What it does. Default: the first line of the content */
    readonly description?: string | undefined;
    /** The template */
    readonly content?: string | undefined;
    /** The arguments */
    readonly arguments?: ReadonlyArray<{
      /** The name of its placeholder */
      readonly name?: string | undefined;
      /** What to enter */
      readonly description?: string | undefined;
      /** Whether callers must send it */
      readonly required?: boolean | undefined;
      /** Its value if callers send none */
      readonly default?: string | null | undefined;
      /** The allowed values. Null: any text */
      readonly enum?: ReadonlyArray<string> | null | undefined;
    }> | undefined;
    /** Default: composed from the arguments */
    readonly argument_hint?: string | undefined;
    /** For exports. The gateway ignores them */
    readonly allowed_tools?: ReadonlyArray<string> | undefined;
    /** For exports. The gateway ignores it */
    readonly model?: string | null | undefined;
    /** For exports: whether only people can invoke it */
    readonly disable_model_invocation?: boolean | undefined;
    /** Slugs of the skills that it uses */
    readonly skills?: ReadonlyArray<string> | undefined;
    /** Whether the rendered text ends with the URIs of the skills */
    readonly include_skills?: boolean | undefined;
    /** Only active commands reach callers */
    readonly status?: "draft" | "active" | undefined;
    /** Names of the groups whose members can use it */
    readonly groups?: ReadonlyArray<string> | undefined;
    /** When it was created */
    readonly created_at?: string | undefined;
    /** When it was last changed */
    readonly updated_at?: string | undefined;
  };
  /** One change of the configuration */
  readonly ConfigStep: {
    /** Kind of the object */
    readonly kind: string;
    /** What happens to it */
    readonly action: "create" | "update" | "delete";
    /** Its name or slug */
    readonly key: string;
    /** The fields that change; empty for a deletion */
    readonly changes: ReadonlyArray<{
      /** The field */
      readonly field: string;
      /** Its value now; secrets are hidden */
      readonly before: unknown;
      /** Its value afterwards; secrets are hidden */
      readonly after: unknown;
    }>;
  };
  /** The caller's password */
  readonly ConfirmPassword: {
    /** The caller's password */
    readonly password: string;
  };
  /** Whether a user is connected to a server */
  readonly Connected: {
    /** Whether the user can call the server's tools now */
    readonly connected: boolean;
    /** Status of the connection; `not_required` if the user has nothing to connect */
    readonly status: "connected" | "not_connected" | "reconnect_needed" | "not_required";
  };
  /** An MCP client that acts on behalf of a user */
  readonly ConnectedClient: {
    /** ID of this connection; IDs are never reused */
    readonly id: string;
    /** The client: the ID that it received when it registered, or the URL of its metadata document */
    readonly client_id: string;
    /** Name that the client gave itself; not verified */
    readonly client_name: string;
    /** Redirect URI that was used when the user consented */
    readonly redirect_uri: string;
    /** The only MCP server that the client can use; null if it can use all of the user's servers */
    readonly server_slug: string | null;
    /** When the user consented */
    readonly connected_at: string;
    /** When the client last received a token; clients in use receive one every hour */
    readonly last_used_at: string;
    /** When the connection expires unless the client uses it before then */
    readonly expires_at: string;
  };
  /** A connector in the catalog */
  readonly Connector: {
    /** The connector's catalog ID */
    readonly id: string;
    /** `connector`: built-in; `registry`: entry of the public MCP registry */
    readonly source: "connector" | "registry";
    /** Display name */
    readonly name: string;
    /** Short description; may be empty */
    readonly description: string;
    /** URL of the logo, served by this installation */
    readonly logo_url: string;
    /** The vendor's website; null: unknown */
    readonly website: string | null;
    /** Category; null: unknown */
    readonly category: string | null;
    /** `soon`: not available yet. Registry entries are always `active` */
    readonly status: "active" | "beta" | "soon";
    /** Supported authentication types, the recommended one first; empty: unknown */
    readonly auth_types: ReadonlyArray<"none" | "proxy-oauth" | "proxy-api-key">;
    /** Number of known tools */
    readonly tools_count: number;
    /** Known tools; only for built-in connectors and with `include_tools` */
    readonly tools?: ReadonlyArray<{
      /** The tool's name */
      readonly name: string;
      /** The tool's description */
      readonly description: string;
    }> | undefined;
    /** MCP servers that use it; only with `include_usage` */
    readonly usage?: {
      /** Number of MCP servers that use it */
      readonly count: number;
      /** Slug of the first such server, in alphabetical order; null: none */
      readonly slug: string | null;
    } | undefined;
    /** Transport; only for registry entries */
    readonly transport?: "http" | "sse" | undefined;
    /** Server URL; only for registry entries */
    readonly url?: string | undefined;
    /** Source repository; only for registry entries, if known */
    readonly repo?: string | undefined;
    /** Whether the server URL is in the publisher's domain; only for registry entries */
    readonly official?: boolean | undefined;
  };
  /** A category of the connector catalog */
  readonly ConnectorCategory: {
    /** The category's name */
    readonly name: string;
    /** Number of built-in connectors in it */
    readonly count: number;
  };
  /** A connector in the catalog, with its details */
  readonly ConnectorDetails: {
    /** The connector's catalog ID */
    readonly id: string;
    /** `connector`: built-in; `registry`: entry of the public MCP registry */
    readonly source: "connector" | "registry";
    /** Display name */
    readonly name: string;
    /** Short description; may be empty */
    readonly description: string;
    /** URL of the logo, served by this installation */
    readonly logo_url: string;
    /** The vendor's website; null: unknown */
    readonly website: string | null;
    /** Category; null: unknown */
    readonly category: string | null;
    /** `soon`: not available yet. Registry entries are always `active` */
    readonly status: "active" | "beta" | "soon";
    /** Supported authentication types, the recommended one first; empty: unknown */
    readonly auth_types: ReadonlyArray<"none" | "proxy-oauth" | "proxy-api-key">;
    /** Number of known tools */
    readonly tools_count: number;
    /** Known tools; only for built-in connectors and with `include_tools` */
    readonly tools?: ReadonlyArray<{
      /** The tool's name */
      readonly name: string;
      /** The tool's description */
      readonly description: string;
    }> | undefined;
    /** MCP servers that use it; only with `include_usage` */
    readonly usage?: {
      /** Number of MCP servers that use it */
      readonly count: number;
      /** Slug of the first such server, in alphabetical order; null: none */
      readonly slug: string | null;
    } | undefined;
    /** Transport; `both`: unknown, so both are tried */
    readonly transport: "http" | "sse" | "both";
    /** Server URL; null: it differs per customer */
    readonly url: string | null;
    /** Source repository; only for registry entries, if known */
    readonly repo?: string | undefined;
    /** Whether the server URL is in the publisher's domain; only for registry entries */
    readonly official?: boolean | undefined;
    /** Domain or GitHub account of the publisher; null: unknown */
    readonly publisher: string | null;
    /** How to find the server URL if `url` is null */
    readonly setup: string | null;
    /** Where the tools come from; null: no tools are known */
    readonly tools_source: Schemas["ToolsSource"] | null;
  };
  /** The MCP servers that use a connector */
  readonly ConnectorUsage: {
    /** The connector's catalog ID */
    readonly connector_id: string;
    /** `connector`: built-in; `registry`: entry of the public MCP registry */
    readonly source: "connector" | "registry";
    /** Whether any MCP server uses it */
    readonly in_use: boolean;
    /** Number of MCP servers that use it */
    readonly count: number;
    /** The MCP servers that use it, oldest first */
    readonly mcp_servers: ReadonlyArray<{
      /** ID of the record; IDs are never reused */
      readonly id: string;
      /** The server's slug */
      readonly slug: string;
      /** The server's name */
      readonly name: string;
      /** `draft`: visible only to groups that show drafts */
      readonly status: "active" | "draft";
      /** Whether the server needs setup: it has no URL, or its OAuth has no client ID */
      readonly needs_setup: boolean;
    }>;
  };
  /** A request for access */
  readonly CreateAccessRequest: {
    /** The server's slug */
    readonly server: string;
    /** Only these tools, by name at the server. Empty: the whole server */
    readonly tools?: ReadonlyArray<string> | undefined;
    /** Why access is needed */
    readonly reason: string;
  };
  /** An API token to create */
  readonly CreateApiToken: {
    /** Name of the token */
    readonly name: string;
    /** Scopes of the token */
    readonly scopes: ReadonlyArray<"all" | "admin:read" | "admin:write" | "admin:scim" | "connect:read" | "connect:write" | "connect:exchange-auth" | "discovery:ingest" | "agents:invoke" | "logs:payloads">;
    /** When the token expires. Omitted or null: never */
    readonly expires_at?: string | null | undefined;
  };
  /** An agent to create */
  readonly CreateBackgroundAgent: {
    /** Default: from the name, with a number if it is taken */
    readonly slug?: string | undefined;
    /** Display name */
    readonly name: string;
    /** Where sessions run. Default: builtin */
    readonly platform?: "builtin" | "anthropic" | "webhook" | undefined;
    /** The system prompt */
    readonly instructions: string;
    /** The model's name at the provider. null: the model of the default provider */
    readonly model?: string | null | undefined;
    /** Who runs the model. Omitted secrets stay, unless the type or the URL changes. null: the default of this installation */
    readonly provider?: {
      /** Who runs the model */
      readonly type: "openai" | "openai-compatible" | "anthropic" | "google" | "scripted";
      /** Required for `openai-compatible`. Default: the provider's own */
      readonly base_url?: string | null | undefined;
      /** Never returned. null removes it */
      readonly api_key?: string | null | undefined;
      /** Additional headers. Values are never returned. null removes one */
      readonly headers?: Readonly<Record<string, string | null>> | undefined;
      /** For `scripted`: one entry per answer of the model */
      readonly script?: ReadonlyArray<{
        /** An answer. `{{last_result}}` is the text of the last tool result */
        readonly text?: string | undefined;
        /** A tool to call instead */
        readonly tool?: string | undefined;
        /** Its arguments */
        readonly arguments?: Readonly<Record<string, unknown>> | undefined;
        /** The provider fails with this message instead */
        readonly error?: string | undefined;
        /** HTTP status of the failure. Default: 400 */
        readonly status?: number | undefined;
      }> | undefined;
    } | null | undefined;
    /** Settings of another platform. Omitted fields stay; a different URL needs its secrets again */
    readonly platform_config?: {
      /** `webhook`: the runner */
      readonly url?: string | null | undefined;
      /** `anthropic`: the URL of the API. Default: the platform's own */
      readonly base_url?: string | null | undefined;
      /** `anthropic`: the environment of its sessions */
      readonly environment_id?: string | null | undefined;
      /** `anthropic`: vaults, of which one has the credential of the gateway */
      readonly vault_ids?: ReadonlyArray<string> | undefined;
      /** `anthropic`: never returned */
      readonly api_key?: string | undefined;
      /** `webhook`: signs requests in both directions. Never returned */
      readonly secret?: string | undefined;
    } | undefined;
    /** For people */
    readonly description?: string | undefined;
    /** Only active agents start sessions. Default: draft */
    readonly status?: "draft" | "active" | "paused" | undefined;
    /** Slug of its toolkit. null: every tool of its machine user */
    readonly toolkit?: string | null | undefined;
    /** Slugs of skills that it can read; replaces all */
    readonly skills?: ReadonlyArray<string> | undefined;
    /** Email of a machine user. Default: a new one */
    readonly identity?: string | undefined;
    /** People who are responsible for it; replaces all */
    readonly owner_emails?: ReadonlyArray<string> | undefined;
    /** What a session may use. Omitted limits keep their values */
    readonly limits?: {
      /** Answers of the model. Default: 25 */
      readonly max_steps?: number | undefined;
      /** Tokens of one answer. Default: 4096 */
      readonly max_output_tokens?: number | undefined;
      /** Tokens of a session. Default: 200000 */
      readonly max_total_tokens?: number | undefined;
      /** Seconds of a session. Default: 600 */
      readonly timeout_seconds?: number | undefined;
      /** Sessions at a time. Default: 1 */
      readonly max_concurrent?: number | undefined;
    } | undefined;
    /** What starts sessions besides the API. Omitted triggers stay */
    readonly triggers?: {
      /** null removes it */
      readonly schedule?: {
        /** Five fields: minute, hour, day of month, month, day of week */
        readonly cron: string;
        /** Default: UTC */
        readonly timezone?: string | undefined;
        /** The input of its sessions. An object is given to the model as JSON */
        readonly input: string | Readonly<Record<string, unknown>>;
        /** Default: true */
        readonly enabled?: boolean | undefined;
      } | null | undefined;
      /** null removes it with its secret */
      readonly webhook?: {
        /** Whether signed requests start sessions */
        readonly enabled: boolean;
        /** Signs the requests. Never returned. Default: a new one, returned once */
        readonly secret?: string | undefined;
      } | null | undefined;
    } | undefined;
    /** Gets a signed request when a session ends, as webhooks do. A new URL gets a new secret. null removes it */
    readonly notify_url?: string | null | undefined;
  };
  /** A command to create */
  readonly CreateCommand: {
    /** The name by which callers invoke it. Default: from the name, with a number if it is taken */
    readonly slug?: string | undefined;
    /** Display name */
    readonly name: string;
    /** What it does. Default: the first line of the content */
    readonly description?: string | null | undefined;
    /** The template: `{{name}}`, `$1` to `$9` and `$ARGUMENTS` are replaced; `\{{` and `$$` are escapes */
    readonly content: string;
    /** Replaces all. Default: the placeholders of the content */
    readonly arguments?: ReadonlyArray<{
      /** Lowercase letters, digits and underscores; the name of its placeholder */
      readonly name: string;
      /** What to enter */
      readonly description?: string | null | undefined;
      /** Whether callers must send it. Default: false */
      readonly required?: boolean | undefined;
      /** Its value if callers send none */
      readonly default?: string | null | undefined;
      /** The allowed values. Default: any text */
      readonly enum?: ReadonlyArray<string> | null | undefined;
    }> | null | undefined;
    /** Shown next to the name. Default: composed from the arguments */
    readonly argument_hint?: string | null | undefined;
    /** Tools that clients may use without asking, for exports */
    readonly allowed_tools?: ReadonlyArray<string> | null | undefined;
    /** The model, for exports */
    readonly model?: string | null | undefined;
    /** Whether only people can invoke it, for exports */
    readonly disable_model_invocation?: boolean | undefined;
    /** Slugs of the skills that it uses; replaces all */
    readonly skills?: ReadonlyArray<string> | null | undefined;
    /** Whether the rendered text ends with the URIs of the skills. Default: false */
    readonly include_skills?: boolean | undefined;
    /** Only active commands reach callers. Default: draft */
    readonly status?: "draft" | "active" | undefined;
    /** Names of the groups whose members can use it; replaces all */
    readonly groups?: ReadonlyArray<string> | undefined;
  };
  /** A rule to create */
  readonly CreateDiscoveryRule: {
    /** The name of the rule */
    readonly name: string;
    /** What it is for */
    readonly description?: string | undefined;
    /** Whether the rule applies. Default: true */
    readonly enabled?: boolean | undefined;
    /** The position, from 1. Default: last. Later rules move */
    readonly position?: number | undefined;
    /** What the rule decides about */
    readonly kind: "mcp_server" | "skill";
    /** What it decides */
    readonly action: "allow" | "warn" | "block";
    /** Conditions. All must hold; a condition on something that an item lacks does not hold */
    readonly match: {
      /** Patterns of the configured name; one must match */
      readonly name?: ReadonlyArray<string> | undefined;
      /** Patterns of the URL; one must match */
      readonly url?: ReadonlyArray<string> | undefined;
      /** Patterns of the host of the URL. `*.example.com` does not match `example.com`; one must match */
      readonly host?: ReadonlyArray<string> | undefined;
      /** Patterns of the package, such as `npm:@acme/*`; one must match */
      readonly package?: ReadonlyArray<string> | undefined;
      /** Patterns of the program's base name; one must match */
      readonly command?: ReadonlyArray<string> | undefined;
      /** Patterns of the npm scope, the owner of the image, or the host; one must match */
      readonly publisher?: ReadonlyArray<string> | undefined;
      /** Transports; one must be equal */
      readonly transport?: ReadonlyArray<"stdio" | "http" | "sse"> | undefined;
      /** Fingerprints of MCP servers; one must be equal, case-insensitive */
      readonly fingerprint?: ReadonlyArray<string> | undefined;
      /** Digests of skills; one must be equal, case-insensitive */
      readonly digest?: ReadonlyArray<string> | undefined;
      /** Clients, such as `cursor`; one must be equal, case-insensitive */
      readonly client?: ReadonlyArray<string> | undefined;
      /** Scopes, such as `project`; one must be equal, case-insensitive */
      readonly scope?: ReadonlyArray<string> | undefined;
      /** Results of the review; one must be equal */
      readonly review_status?: ReadonlyArray<"unreviewed" | "approved" | "rejected" | "ignored"> | undefined;
      /** Groups of the device's user; one must be equal, case-insensitive */
      readonly groups?: ReadonlyArray<string> | undefined;
      /** Emails of the device's user; one must be equal, case-insensitive */
      readonly users?: ReadonlyArray<string> | undefined;
      /** IDs of devices; one must be equal, case-insensitive */
      readonly devices?: ReadonlyArray<string> | undefined;
      /** Operating systems; one must be equal */
      readonly os?: ReadonlyArray<"darwin" | "linux" | "win32"> | undefined;
      /** Whether it points to this gateway, or is a skill of this organization */
      readonly managed?: boolean | undefined;
      /** Whether a server with the same URL is registered here */
      readonly registered?: boolean | undefined;
      /** Whether a connector or registry entry has the same URL */
      readonly in_registry?: boolean | undefined;
      /** Whether its package has no exact version */
      readonly unpinned?: boolean | undefined;
      /** Whether the skill contains scripts */
      readonly has_scripts?: boolean | undefined;
      /** The lowest risk that matches */
      readonly min_risk?: number | undefined;
    };
    /** Shown to the user of the device */
    readonly message?: string | null | undefined;
    /** When the rule ends; null: never */
    readonly expires_at?: string | null | undefined;
  };
  /** A trusted issuer to create */
  readonly CreateExchangeProvider: {
    /** The name in the call log; never changes. Generated from the name if omitted */
    readonly slug?: string | undefined;
    /** Display name */
    readonly name: string;
    /** Whether tokens are exchanged. Disabling ends all credentials. Default: true */
    readonly enabled?: boolean | undefined;
    /** The `iss` claim, compared exactly */
    readonly issuer: string;
    /** URL of the keys. Null: found by discovery */
    readonly jwks_uri?: string | null | undefined;
    /** The issuer's keys, for issuers that this service cannot reach */
    readonly jwks?: {
      /** Public keys as JWKs */
      readonly keys: ReadonlyArray<Readonly<Record<string, unknown>>>;
    } | null | undefined;
    /** The `aud` claim must contain one of these */
    readonly audiences: ReadonlyArray<string>;
    /** Accepted signature algorithms. Default: RS256, PS256, ES256, EdDSA */
    readonly algorithms?: ReadonlyArray<"RS256" | "RS384" | "RS512" | "PS256" | "PS384" | "PS512" | "ES256" | "ES384" | "ES512" | "EdDSA" | "Ed25519"> | null | undefined;
    /** Maximum age of a token by its `iat`. Default: 3600 */
    readonly max_age_seconds?: number | undefined;
    /** All must hold. If a claim is an array, one element must match */
    readonly conditions?: ReadonlyArray<{
      /** A dotted path such as `realm_access.roles`, or an array of names for names that contain dots */
      readonly claim: string | ReadonlyArray<string>;
      /** `equals`, `not_equals`, `in`, `matches` (`*` matches any characters, `?` one) or `exists` */
      readonly operator: "equals" | "not_equals" | "in" | "matches" | "exists";
      /** The value; an array for `in`; for `exists`, whether the claim must be there (default true) */
      readonly value?: string | number | boolean | ReadonlyArray<string> | undefined;
    }> | undefined;
    /** Which user a token acts as */
    readonly subject?: {
      /** A claim names the user */
      readonly mode: "map";
      /** The claim that names the user. Null: the first of `email`, `sub` and `client_id` in the token */
      readonly claim?: string | ReadonlyArray<string> | null | undefined;
      /** What the claim contains. `email`: a person; `slug`: a machine user; `external_id`: either. `email` and `external_id` require the scope `all`. Default: `email` */
      readonly match?: "email" | "slug" | "external_id" | undefined;
      /** Whether `email_verified` must be true if the claim is `email`. Default: true */
      readonly require_verified_email?: boolean | undefined;
      /** Whether tokens can act as owners and admins. Default: false */
      readonly allow_admins?: boolean | undefined;
    } | {
      /** All tokens act as one machine user */
      readonly mode: "fixed";
      /** Email of the machine user */
      readonly machine_user: string;
    } | null | undefined;
    /** Accounts of people who have none. Omitted fields keep their values */
    readonly provision?: {
      /** Whether people without an account are created. Default: false */
      readonly create_users?: boolean | undefined;
      /** Names of the groups of created people */
      readonly groups?: ReadonlyArray<string> | undefined;
      /** The claim that lists the issuer's groups. Null: none */
      readonly group_claim?: string | ReadonlyArray<string> | null | undefined;
      /** The issuer's groups to names of groups */
      readonly group_map?: Readonly<Record<string, string>> | undefined;
      /** Whether membership of the mapped groups follows the claim at every exchange. Default: false */
      readonly sync_groups?: boolean | undefined;
    } | undefined;
    /** What is issued. Omitted fields keep their values */
    readonly token?: {
      /** Lifetime of access tokens. Default: 900 */
      readonly access_ttl_seconds?: number | undefined;
      /** Whether a refresh token is issued. Default: true */
      readonly refresh?: boolean | undefined;
      /** How long after the exchange tokens can be refreshed. Default: 86400 */
      readonly refresh_ttl_seconds?: number | undefined;
      /** Scopes of access tokens; always `mcp` */
      readonly scopes?: ReadonlyArray<"mcp"> | undefined;
      /** Whether nothing outlives the exchanged token. Default: true for `fixed`, otherwise false */
      readonly bind_to_jwt_exp?: boolean | undefined;
    } | undefined;
    /** Whether each token can be exchanged once, by its `jti`. Default: false */
    readonly one_time_jti?: boolean | undefined;
    /** Whether the exchange needs an API token with the scope `connect:exchange-auth`. Default: true */
    readonly require_api_key?: boolean | undefined;
    /** Whether the exchanged token is stored, sealed, for servers with the authentication `exchanged-token`, and returned as `id_token` by refreshes. Only for subjects from a claim. Default: false */
    readonly passthrough?: boolean | undefined;
  };
  /** A group to create */
  readonly CreateGroup: {
    /** Unique, case-insensitive. Identifies the group in other operations */
    readonly name: string;
    /** Settings of the group. Omitted settings are false */
    readonly settings?: {
      /** Whether new people join this group automatically. Machine users do not */
      readonly auto_assign_users?: boolean | undefined;
      /** Whether new MCP servers join this group automatically */
      readonly auto_assign_mcps?: boolean | undefined;
      /** Whether members can call the group's draft servers */
      readonly show_draft_mcps?: boolean | undefined;
    } | undefined;
    /** Limits of each member's calls to the servers of the group. Default: none */
    readonly limits?: {
      /** Maximum calls per minute; null: no limit. Unchanged if omitted */
      readonly calls_per_minute?: number | null | undefined;
      /** Maximum concurrent calls; null: no limit. Unchanged if omitted */
      readonly concurrent_calls?: number | null | undefined;
    } | null | undefined;
  };
  /** A guard to create. It is disabled unless `enabled` is true */
  readonly CreateGuard: {
    /** Display name, also in messages to callers */
    readonly name: string;
    /** `runtime`: examines calls; `buildtime`: examines content when it is published. Never changes */
    readonly type: "runtime" | "buildtime";
    /** What happens if the guard fires. Build-time guards allow only `log`, `warn` and `block` */
    readonly action: "log" | "warn" | "redact" | "require_approval" | "block";
    /** Default: from the name */
    readonly slug?: string | undefined;
    /** For admins */
    readonly description?: string | undefined;
    /** Takes effect immediately */
    readonly enabled?: boolean | undefined;
    /** 1 to 10: fires if a finding is at least this certain */
    readonly threshold?: number | undefined;
    /** Which part of a call is examined; `require_approval`: only `request` */
    readonly direction?: "request" | "response" | "both" | undefined;
    /** Build-time guards only: which content is examined */
    readonly entity_types?: ReadonlyArray<"mcp_server" | "tool" | "toolkit" | "skill" | "command" | "plugin" | "background_agent"> | undefined;
    /** 0 to 1,000,000, the lowest first */
    readonly priority?: number | undefined;
    /** What happens if a check fails, takes too long, or cannot see all of the text. Default: `allow` for `log` and `warn`, otherwise `block` */
    readonly on_error?: "allow" | "block" | null | undefined;
    /** Shown to the caller if the guard blocks */
    readonly message?: string | undefined;
    /** Which calls it covers. Default: all */
    readonly scope?: {
      /** Names of groups; the caller must be a member of one */
      readonly groups?: ReadonlyArray<string> | undefined;
      /** Slugs of MCP servers */
      readonly servers?: ReadonlyArray<string> | undefined;
      /** Names of tools at the gateway, with `*` and `?`, such as `github__*` */
      readonly tools?: ReadonlyArray<string> | undefined;
      /** Emails of people and machine users */
      readonly users?: ReadonlyArray<string> | undefined;
      /** Slugs of MCP servers that the guard does not cover */
      readonly exclude_servers?: ReadonlyArray<string> | undefined;
    } | undefined;
    /** 1 to 50 checks; replaces all. `headers` of a webhook and `api_key` of a model are never returned; if they are omitted, a check with the same ID and destination keeps them */
    readonly checks: ReadonlyArray<{
      /** Default: from the type and the name */
      readonly id?: string | undefined;
      /** What is examined, and how */
      readonly type: "regex" | "keyword" | "pii" | "secret" | "prompt_injection" | "tool_poisoning" | "json_schema" | "size" | "url" | "webhook" | "llm";
      /** Shown in findings */
      readonly name: string;
      /** 1 to 10; default: 8 */
      readonly certainty?: number | undefined;
      /** Default: no settings */
      readonly config?: Readonly<Record<string, unknown>> | undefined;
    }>;
  };
  /** A token to create */
  readonly CreateLibraryToken: {
    /** Where the token is used */
    readonly name: string;
    /** Days until it expires. Default: 90 */
    readonly expires_in_days?: number | undefined;
  };
  /** A log destination to create. It starts with the next record; rewind it to send older ones */
  readonly CreateLogDestination: {
    /** Name of the destination, unique regardless of case */
    readonly name: string;
    /** `calls`: the call log. `audit`: the audit log with its signed checkpoints */
    readonly sources: ReadonlyArray<"calls" | "audit">;
    /** Only calls with these outcomes are sent; null: all calls */
    readonly outcomes?: ReadonlyArray<"ok" | "tool_error" | "error" | "denied" | "upstream_failed" | "timeout" | "cancelled" | "interrupted" | "not_connected" | "blocked" | "pending_approval"> | null | undefined;
    /** Whether records are sent. While it is paused, its position in the log is kept */
    readonly enabled?: boolean | undefined;
    /** `otlp`: OpenTelemetry logs (OTLP/HTTP with JSON). `s3`: compressed JSON lines in an S3-compatible bucket. `webhook`: JSON lines in signed requests. `file`: JSON lines in the folder `LOG_FILES_DIR` */
    readonly kind: unknown;
    /** `otlp` and `webhook`: the URL of the receiver. `s3`: the endpoint. Private addresses need `EGRESS_ALLOW`; redirects are not followed */
    readonly url?: string | undefined;
    /** `s3`: the region of the bucket */
    readonly region?: string | undefined;
    /** `s3`: the name of the bucket */
    readonly bucket?: string | undefined;
    /** `s3`: where the bucket's name is in URLs. `path`: after the host; `virtual_host`: before the host. `path` by default */
    readonly addressing?: "path" | "virtual_host" | undefined;
    /** `s3`: the ID of the access key */
    readonly access_key_id?: string | undefined;
    /** `s3`: the start of object keys, such as `gatehouse/`. `file`: the start of file names */
    readonly prefix?: string | undefined;
    /** `otlp` and `webhook`: headers of every request, by name. Replaces all; never returned */
    readonly headers?: Readonly<Record<string, string>> | undefined;
    /** `webhook`: the signing secret. It is never returned */
    readonly secret?: string | undefined;
    /** `s3`: the secret access key. It is never returned */
    readonly secret_access_key?: string | undefined;
  };
  /** A machine user to create */
  readonly CreateMachineUser: {
    /** True for a machine user */
    readonly is_machine_user: true;
    /** Display name */
    readonly name: string;
    /** First part of the email. Generated from the name if omitted. A number is appended if it exists */
    readonly slug?: string | undefined;
    /** OAuth client for the client credentials grant, used for MCP servers whose token endpoint has the same origin */
    readonly client_credentials?: {
      /** OAuth client ID */
      readonly clientId: string;
      /** OAuth client secret, stored encrypted and never returned */
      readonly clientSecret: string;
      /** OAuth token endpoint */
      readonly tokenUrl: string;
    } | undefined;
    /** IDs of the people who are responsible for it */
    readonly owner_ids?: ReadonlyArray<string> | undefined;
    /** ID of the user at the identity provider or in another system, case-sensitive. Unique among people, and among machine users */
    readonly external_id?: string | undefined;
  };
  /** The server to create */
  readonly CreateMcpServer: {
    /** Display name */
    readonly name: string;
    /** Prefix of its tool names at the gateway. If it is taken, a number is appended. Derived from the name if omitted */
    readonly slug?: string | undefined;
    /** Upstream as JSON text of an object with `type` (`http`, `sse`, or `both`) and `url` */
    readonly mcp_proxy?: string | undefined;
    /** Description */
    readonly description?: string | undefined;
    /** A `draft` is visible only to groups with `show_draft_mcps`. Default: `active` with an upstream, else `draft` */
    readonly status?: "active" | "draft" | undefined;
    readonly auth_settings?: Schemas["AuthSettings"] | undefined;
    /** Connector from the catalog that provides the URL, authentication, and description if they are omitted */
    readonly connector_id?: string | null | undefined;
    /** Upstream as an object. Alternative to `mcp_proxy`; set only one of the two */
    readonly upstream?: {
      /** Transport: `http` is streamable HTTP (`streamable-http` is an alias), `both` tries `http`, then `sse` */
      readonly type?: "both" | "http" | "sse" | "streamable-http" | undefined;
      /** URL of the upstream, `http` or `https` */
      readonly url: string;
      /** As in mcp.json files; the same as `auth_settings.sharedHeaders` */
      readonly headers?: Readonly<Record<string, string | null>> | undefined;
    } | undefined;
    /** What happens when the server changes its instructions, or changes or adds tools, prompts, or resource templates: `allow` accepts them, `warn` allows and flags them for review, `hold` hides them from callers until an admin accepts them. `hold` applies to resources too. Default: `warn` */
    readonly tool_policy?: "allow" | "warn" | "hold" | undefined;
    /** Whether callers receive the text for models that the server sends (`instructions`). It is reviewed like tool definitions (`tool_policy`). Default: true */
    readonly pass_instructions?: boolean | undefined;
    /** Longer texts of tool results are cut at this number of bytes and end with a link to the complete text; null: never */
    readonly result_limit_bytes?: number | null | undefined;
  };
  /** A toolkit for one user */
  readonly CreateOwnToolkit: {
    /** Default: from the name */
    readonly slug?: string | undefined;
    /** Display name */
    readonly name: string;
    /** For users of the toolkit */
    readonly description?: string | null | undefined;
    /** For models: part of the server's instructions in the view of the toolkit */
    readonly instructions?: string | null | undefined;
    /** Only active toolkits reach callers. Default: draft */
    readonly status?: "draft" | "active" | undefined;
    /** Whether users see only the toolkit's tools of the servers that it names, also without selecting it. Default: false */
    readonly least_privilege?: boolean | undefined;
    /** The tools; replaces all */
    readonly tools?: ReadonlyArray<{
      /** The server's slug */
      readonly server: string;
      /** The tool's name at the server. `*`: all other enabled tools */
      readonly tool: string;
      /** Callers see `{server}__{alias}` instead of the tool's name */
      readonly alias?: string | null | undefined;
      /** Replaces the tool's title */
      readonly title?: string | null | undefined;
      /** Replaces the tool's description */
      readonly description?: string | null | undefined;
      /** Changes to the top-level arguments */
      readonly arguments?: {
        /** Sent with every call. Callers do not see these arguments and cannot set them */
        readonly fixed?: Readonly<Record<string, unknown>> | null | undefined;
        /** Sent if the caller does not set them */
        readonly defaults?: Readonly<Record<string, unknown>> | null | undefined;
        /** Removed from the schema and from calls */
        readonly hidden?: ReadonlyArray<string> | null | undefined;
      } | null | undefined;
    }> | undefined;
    /** The prompts; replaces all */
    readonly prompts?: ReadonlyArray<{
      /** The server's slug */
      readonly server: string;
      /** The prompt's name at the server */
      readonly name: string;
    }> | undefined;
    /** The resources; replaces all */
    readonly resources?: ReadonlyArray<{
      /** The server's slug */
      readonly server: string;
      /** The URI of a resource, or a URI template */
      readonly uri: string;
    }> | undefined;
    /** Slugs of the skills; replaces all */
    readonly skills?: ReadonlyArray<string> | undefined;
    /** Slugs of the commands; replaces all */
    readonly commands?: ReadonlyArray<string> | undefined;
  };
  /** A person to create */
  readonly CreatePerson: {
    /** Display name */
    readonly name: string;
    /** Stored as given. Unique, case-insensitive */
    readonly email: string;
    /** False or omitted for a person */
    readonly is_machine_user?: boolean | undefined;
    /** ID of the user at the identity provider or in another system, case-sensitive. Unique among people, and among machine users. Requires the scope `all` */
    readonly external_id?: string | undefined;
  };
  /** A plugin to create */
  readonly CreatePlugin: {
    /** Display name */
    readonly name: string;
    /** What the plugin is for */
    readonly description?: string | null | undefined;
    /** Who made it. Null: the organization */
    readonly author?: {
      /** Name */
      readonly name: string;
      /** Email */
      readonly email?: string | undefined;
      /** Website */
      readonly url?: string | undefined;
    } | null | undefined;
    /** Category in marketplaces */
    readonly category?: string | null | undefined;
    /** Words to find it by */
    readonly keywords?: ReadonlyArray<string> | null | undefined;
    /** Website of the plugin */
    readonly homepage?: string | null | undefined;
    /** License, such as MIT */
    readonly license?: string | null | undefined;
    /** Slugs of the skills; replaces all */
    readonly skills?: ReadonlyArray<string> | null | undefined;
    /** Slugs of the commands; replaces all */
    readonly commands?: ReadonlyArray<string> | null | undefined;
    /** Subagents; replaces all */
    readonly agents?: ReadonlyArray<{
      /** Name of the agent */
      readonly name: string;
      /** When to use the agent */
      readonly description: string;
      /** Instructions in Markdown */
      readonly content: string;
      /** The model. Absent: that of the client */
      readonly model?: string | undefined;
      /** The tools of the client that it can use. Absent: all */
      readonly tools?: ReadonlyArray<string> | undefined;
    }> | null | undefined;
    /** Commands that clients run, by event. Needs the setting `allow_plugin_hooks` */
    readonly hooks?: Readonly<Record<string, ReadonlyArray<{
      /** Which tools the hooks are for, as a pattern */
      readonly matcher?: string | undefined;
      /** The commands */
      readonly hooks: ReadonlyArray<{
        /** `command` */
        readonly type: "command";
        /** The command that clients run */
        readonly command: string;
        /** Seconds */
        readonly timeout?: number | undefined;
      }>;
    }>>> | null | undefined;
    /** MCP configuration. Omitted fields keep their values */
    readonly mcp?: {
      /** Whether the plugin configures the gateway. Default: true */
      readonly include_gateway?: boolean | undefined;
      /** Name of the gateway in the client. Default: gateway */
      readonly server_name?: string | undefined;
      /** Slug of the toolkit that clients use. Null: all that the user can reach */
      readonly toolkit?: string | null | undefined;
      /** Slugs of MCP servers that clients get as separate servers */
      readonly servers?: ReadonlyArray<string> | undefined;
    } | null | undefined;
    /** Clients that releases have manifests for. Default: all */
    readonly targets?: ReadonlyArray<"claude" | "cursor" | "codex"> | null | undefined;
    /** `draft` withdraws the plugin. Only publishing makes it active */
    readonly status?: "draft" | "active" | undefined;
    /** Names of the groups whose members can install it; replaces all */
    readonly groups?: ReadonlyArray<string> | undefined;
    /** Identifier, from the name if omitted; never changes */
    readonly slug?: string | undefined;
  };
  /** A skill to create */
  readonly CreateSkill: {
    /** Lowercase letters, digits and hyphens; the slug */
    readonly name: string;
    /** What the skill does and when to use it */
    readonly description: string;
    /** The license, or the name of a file with it */
    readonly license?: string | null | undefined;
    /** What the skill requires of its environment */
    readonly compatibility?: string | null | undefined;
    /** Further names and texts of the front matter */
    readonly metadata?: Readonly<Record<string, string>> | null | undefined;
    /** Tools that clients may use without asking */
    readonly allowed_tools?: ReadonlyArray<string> | null | undefined;
    /** Instructions in Markdown, without front matter */
    readonly content: string;
    /** All files except SKILL.md; replaces all */
    readonly files?: ReadonlyArray<{
      /** Relative path, with slashes */
      readonly path: string;
      /** The content as text */
      readonly content?: string | undefined;
      /** The content in base64 */
      readonly content_base64?: string | undefined;
      /** Instead of the content: the digest of a file that the skill has */
      readonly digest?: string | undefined;
      /** Whether it is executable in downloads. Default: false */
      readonly executable?: boolean | undefined;
    }> | undefined;
    /** Only active skills reach callers. Default: draft */
    readonly status?: "draft" | "active" | undefined;
    /** Names of the groups whose members can use it; replaces all */
    readonly groups?: ReadonlyArray<string> | undefined;
  };
  /** A toolkit to create */
  readonly CreateToolkit: {
    /** Default: from the name */
    readonly slug?: string | undefined;
    /** Display name */
    readonly name: string;
    /** For users of the toolkit */
    readonly description?: string | null | undefined;
    /** For models: part of the server's instructions in the view of the toolkit */
    readonly instructions?: string | null | undefined;
    /** Only active toolkits reach callers. Default: draft */
    readonly status?: "draft" | "active" | undefined;
    /** Whether users see only the toolkit's tools of the servers that it names, also without selecting it. Default: false */
    readonly least_privilege?: boolean | undefined;
    /** The tools; replaces all */
    readonly tools?: ReadonlyArray<{
      /** The server's slug */
      readonly server: string;
      /** The tool's name at the server. `*`: all other enabled tools */
      readonly tool: string;
      /** Callers see `{server}__{alias}` instead of the tool's name */
      readonly alias?: string | null | undefined;
      /** Replaces the tool's title */
      readonly title?: string | null | undefined;
      /** Replaces the tool's description */
      readonly description?: string | null | undefined;
      /** Changes to the top-level arguments */
      readonly arguments?: {
        /** Sent with every call. Callers do not see these arguments and cannot set them */
        readonly fixed?: Readonly<Record<string, unknown>> | null | undefined;
        /** Sent if the caller does not set them */
        readonly defaults?: Readonly<Record<string, unknown>> | null | undefined;
        /** Removed from the schema and from calls */
        readonly hidden?: ReadonlyArray<string> | null | undefined;
      } | null | undefined;
    }> | undefined;
    /** The prompts; replaces all */
    readonly prompts?: ReadonlyArray<{
      /** The server's slug */
      readonly server: string;
      /** The prompt's name at the server */
      readonly name: string;
    }> | undefined;
    /** The resources; replaces all */
    readonly resources?: ReadonlyArray<{
      /** The server's slug */
      readonly server: string;
      /** The URI of a resource, or a URI template */
      readonly uri: string;
    }> | undefined;
    /** Slugs of the skills; replaces all */
    readonly skills?: ReadonlyArray<string> | undefined;
    /** Slugs of the commands; replaces all */
    readonly commands?: ReadonlyArray<string> | undefined;
    /** Names of the groups whose members can use it; replaces all */
    readonly groups?: ReadonlyArray<string> | undefined;
    /** Makes it a toolkit of this user, which only this user sees */
    readonly owner_email?: string | null | undefined;
  };
  /** A webhook to create. Without a secret, one is generated and returned once */
  readonly CreateWebhook: {
    /** Name of the webhook, unique regardless of case */
    readonly name: string;
    /** The receiver. Private addresses need `EGRESS_ALLOW`; redirects are not followed */
    readonly url: unknown;
    /** The events to send. `server.unhealthy`: Syncs of an active server fail, or most of its recent calls fail. `server.healthy`: A server that was unhealthy works again. `tools.held`: A sync found new or changed tool definitions that wait for a review. `approval.requested`: A guard held a call until a person approves it. `approval.decided`: A held call was approved or denied, or its approval expired. `guard.blocked`: A guard blocked a request or a response. Frequent blocks are combined into one event. `agent.finished`: A session of an agent completed, failed, or timed out. `discovery.violation`: The AI discovery policy warns about or blocks something on a device. Violations of one report are combined into one event. `access.requested`: A person requested access to a server or to some of its tools. `security.alert`: A sensitive change, such as a new owner, a new API token with all scopes, or a reset account. `audit.checkpoint`: A signed checkpoint of the audit log, every 10 minutes if there are new entries. `audit.entry`: Every new entry of the audit log, with its position and hash */
    readonly events: ReadonlyArray<"server.unhealthy" | "server.healthy" | "tools.held" | "approval.requested" | "approval.decided" | "guard.blocked" | "agent.finished" | "discovery.violation" | "access.requested" | "security.alert" | "audit.checkpoint" | "audit.entry">;
    /** `json`: the event, signed as Standard Webhooks describes; `slack`: a message that Slack and compatible services display */
    readonly format?: "json" | "slack" | undefined;
    /** Whether events are sent. Enabling a webhook also clears why it was disabled */
    readonly enabled?: boolean | undefined;
    /** The signing secret, `whsec_` followed by 24 to 64 bytes in base64. It is never returned */
    readonly secret?: string | undefined;
  };
  /** A machine user's credentials at the gateway, sent as `Bearer <client_id>:<secret>` */
  readonly Credentials: {
    /** The access key, the first part of the bearer token */
    readonly client_id: string;
    /** The secret, the second part of the bearer token */
    readonly secret: string;
  };
  /** Position of this page in the list */
  readonly CursorPagination: {
    /** Zero-based offset of the first entry of this page */
    readonly cursor: number;
    /** Maximum number of entries per page */
    readonly limit: number;
    /** Whether there is another page */
    readonly hasMore: boolean;
    /** Cursor of the next page; null on the last page */
    readonly nextCursor: number | null;
  };
  /** A decision */
  readonly DecideApproval: {
    /** Whether the call may continue */
    readonly decision: "approve" | "deny";
    /** A note for the caller and for the history */
    readonly note?: string | null | undefined;
  };
  /** A decision */
  readonly DenyAccessRequest: {
    /** Why it is denied, for the person */
    readonly note?: string | null | undefined;
  };
  /** What the identity provider no longer manages */
  readonly DetachFromScim: {
    /** Emails of people to detach */
    readonly emails?: ReadonlyArray<string> | undefined;
    /** Names of groups to detach */
    readonly groups?: ReadonlyArray<string> | undefined;
    /** Detaches all people and groups */
    readonly all?: boolean | undefined;
  };
  /** An AI agent that was found on devices */
  readonly DiscoveredAgent: {
    /** Identifies the agent on all devices */
    readonly id: string;
    /** `app`, `cli`, `extension` or `subagent` */
    readonly kind: string;
    /** Its most frequent name */
    readonly name: string;
    /** When a device first reported it */
    readonly first_seen: string;
    /** When a device last reported it, to the minute */
    readonly last_seen: string;
    /** Devices that have it now */
    readonly devices_count: number;
    /** Users who have it now */
    readonly users_count: number;
    /** Clients that have it now, most frequent first */
    readonly clients: ReadonlyArray<string>;
    /** The risk, of the riskiest instance */
    readonly risk: {
      /** From 0 to 100 */
      readonly score: number;
      /** Why */
      readonly reasons: ReadonlyArray<string>;
    };
    /** The result of the review */
    readonly review_status: "unreviewed" | "approved" | "rejected" | "ignored";
    /** A note of the review */
    readonly note: string | null;
    /** Who reviewed it */
    readonly reviewed_by: string | null;
    /** When it was reviewed; null: never */
    readonly reviewed_at: string | null;
  };
  /** An MCP server that was found on devices */
  readonly DiscoveredMcpServer: {
    /** Identifies the server on all devices */
    readonly fingerprint: string;
    /** `stdio`, `http` or `sse` */
    readonly transport: string | null;
    /** The URL of a remote server, without credentials and query */
    readonly url: string | null;
    /** The package */
    readonly package: string | null;
    /** Packages that its command also installs or runs. The policy decides about each of them */
    readonly other_packages: ReadonlyArray<string>;
    /** The program of a local server */
    readonly command: string | null;
    /** Whether it is managed here */
    readonly managed: boolean;
    /** What the policy decides: the strictest action of its instances. Null: not decided */
    readonly action: "allow" | "warn" | "block" | null;
    /** The rule; `managed`: it points to this gateway; null: the default action */
    readonly rule_id: string | null;
    /** The registered server with the same URL */
    readonly mcp_server_slug: string | null;
    /** The connector or registry entry with the same URL */
    readonly registry_id: string | null;
    /** Its most frequent name */
    readonly name: string;
    /** When a device first reported it */
    readonly first_seen: string;
    /** When a device last reported it, to the minute */
    readonly last_seen: string;
    /** Devices that have it now */
    readonly devices_count: number;
    /** Users who have it now */
    readonly users_count: number;
    /** Clients that have it now, most frequent first */
    readonly clients: ReadonlyArray<string>;
    /** The risk, of the riskiest instance */
    readonly risk: {
      /** From 0 to 100 */
      readonly score: number;
      /** Why */
      readonly reasons: ReadonlyArray<string>;
    };
    /** The result of the review */
    readonly review_status: "unreviewed" | "approved" | "rejected" | "ignored";
    /** A note of the review */
    readonly note: string | null;
    /** Who reviewed it */
    readonly reviewed_by: string | null;
    /** When it was reviewed; null: never */
    readonly reviewed_at: string | null;
  };
  /** Instructions, rules or memory of agents that were found on devices */
  readonly DiscoveredMemory: {
    /** Identifies the file on all devices */
    readonly id: string;
    /** The path */
    readonly path: string;
    /** `instructions`, `rules` or `auto_memory` */
    readonly kind: string;
    /** Its most frequent name */
    readonly name: string;
    /** When a device first reported it */
    readonly first_seen: string;
    /** When a device last reported it, to the minute */
    readonly last_seen: string;
    /** Devices that have it now */
    readonly devices_count: number;
    /** Users who have it now */
    readonly users_count: number;
    /** Clients that have it now, most frequent first */
    readonly clients: ReadonlyArray<string>;
    /** The risk, of the riskiest instance */
    readonly risk: {
      /** From 0 to 100 */
      readonly score: number;
      /** Why */
      readonly reasons: ReadonlyArray<string>;
    };
    /** The result of the review */
    readonly review_status: "unreviewed" | "approved" | "rejected" | "ignored";
    /** A note of the review */
    readonly note: string | null;
    /** Who reviewed it */
    readonly reviewed_by: string | null;
    /** When it was reviewed; null: never */
    readonly reviewed_at: string | null;
  };
  /** Result of a discovery */
  readonly DiscoveredOAuth: {
    /** The server's slug */
    readonly slug: string;
    /** Whether setup is incomplete; see `advice` */
    readonly needs_setup: boolean;
    /** What an admin must do before users can connect; null if nothing */
    readonly advice: string | null;
    /** The authorization server */
    readonly issuer: string;
    /** Authorization endpoint */
    readonly authUrl: string;
    /** Token endpoint */
    readonly tokenUrl: string;
    /** Registration endpoint; null if the server has none */
    readonly registrationUrl: string | null;
    /** Resource indicator of token requests (RFC 8707) */
    readonly resource: string;
    /** Scopes that the server requests, used if the settings specify none */
    readonly scopes: ReadonlyArray<string>;
    /** Source of the client ID: the settings, the client ID metadata document, a registration, or missing */
    readonly client: "settings" | "document" | "registered" | "missing";
    /** OAuth settings that the server names now; null if they are the same. They are not used until an admin approves them (`approveOAuthChange`) */
    readonly oauth_change: Schemas["OAuthChange"] | null;
    /** Slugs of other servers whose users get their tokens at the same place. If it ignores `resource`, a token for one of them is valid at the others */
    readonly shared_with: ReadonlyArray<string>;
    /** All steps in order, for troubleshooting */
    readonly steps: ReadonlyArray<Schemas["DiscoveryStep"]>;
  };
  /** A skill that was found on devices */
  readonly DiscoveredSkill: {
    /** The digest of all files */
    readonly digest: string;
    /** The description in SKILL.md */
    readonly description: string;
    /** Number of files */
    readonly files_count: number | null;
    /** Size of all files in bytes */
    readonly size_bytes: number | null;
    /** Whether it contains scripts */
    readonly has_scripts: boolean;
    /** Tools that it allows */
    readonly allowed_tools: string | null;
    /** Problems of its text, such as `hidden_unicode` */
    readonly issues: ReadonlyArray<string>;
    /** Whether a device sent the text of SKILL.md, so that the skill can be imported */
    readonly has_text: boolean;
    /** Whether it is managed here */
    readonly managed: boolean;
    /** What the policy decides: the strictest action of its instances. Null: not decided */
    readonly action: "allow" | "warn" | "block" | null;
    /** The rule; `managed`: it points to this gateway; null: the default action */
    readonly rule_id: string | null;
    /** Its most frequent name */
    readonly name: string;
    /** When a device first reported it */
    readonly first_seen: string;
    /** When a device last reported it, to the minute */
    readonly last_seen: string;
    /** Devices that have it now */
    readonly devices_count: number;
    /** Users who have it now */
    readonly users_count: number;
    /** Clients that have it now, most frequent first */
    readonly clients: ReadonlyArray<string>;
    /** The risk, of the riskiest instance */
    readonly risk: {
      /** From 0 to 100 */
      readonly score: number;
      /** Why */
      readonly reasons: ReadonlyArray<string>;
    };
    /** The result of the review */
    readonly review_status: "unreviewed" | "approved" | "rejected" | "ignored";
    /** A note of the review */
    readonly note: string | null;
    /** Who reviewed it */
    readonly reviewed_by: string | null;
    /** When it was reviewed; null: never */
    readonly reviewed_at: string | null;
  };
  /** A decision about one reported item */
  readonly DiscoveryDecision: {
    /** The kind of item */
    readonly kind: "mcp_server" | "skill";
    /** The MCP server */
    readonly fingerprint?: string | undefined;
    /** The skill */
    readonly digest?: string | undefined;
    /** Its name on this device */
    readonly name: string;
    /** The client that has it */
    readonly client: string;
    /** What the policy decides */
    readonly action: "allow" | "warn" | "block";
    /** The rule; `managed`: it points to this gateway; null: the default action */
    readonly rule_id: string | null;
    /** The name of the rule */
    readonly rule_name: string | null;
    /** Why, in one sentence */
    readonly reason: string;
    /** The rule's message to the user */
    readonly message: string | null;
  };
  /** A device that reports */
  readonly DiscoveryDevice: {
    /** ID of the device */
    readonly id: string;
    /** The name of the device */
    readonly hostname: string;
    /** `darwin`, `linux` or `win32` */
    readonly os: string;
    /** The version of the operating system */
    readonly os_version: string | null;
    /** The processor architecture */
    readonly arch: string | null;
    /** Whether this is the Windows Subsystem for Linux */
    readonly is_wsl: boolean;
    /** Whether this is a container */
    readonly is_container: boolean;
    /** Accounts that were scanned */
    readonly usernames: ReadonlyArray<string>;
    /** The main account */
    readonly username: string | null;
    /** The email of its user, assigned or reported */
    readonly user_email: string | null;
    /** Whether a person with this email exists here */
    readonly user_known: boolean;
    /** The version of the scan agent */
    readonly agent_version: string | null;
    /** `stale`: it did not report for three scan intervals */
    readonly status: "active" | "stale" | "retired";
    /** What it contains */
    readonly counts: {
      /** MCP servers */
      readonly mcp_servers: number;
      /** Skills */
      readonly skills: number;
      /** Memory files */
      readonly agent_memory: number;
      /** Agents */
      readonly agents: number;
    };
    /** `cloned_id`: another device reports the same ID; `token_changed`: reports came with several API tokens */
    readonly warnings: ReadonlyArray<string>;
    /** What the last report does not cover: paths that could not be read, limits that were reached (`too_many_entries`), and paths of `rejected` entries. What was found there before is kept */
    readonly scan_errors: ReadonlyArray<{
      /** The file or folder */
      readonly path: string;
      /** Why */
      readonly code: string;
    }>;
    /** The API token of the last report */
    readonly reported_with: string;
    /** When it first reported */
    readonly first_seen: string;
    /** When it last reported */
    readonly last_seen: string;
  };
  /** A failed discovery and its steps */
  readonly DiscoveryFailure: {
    /** Error message */
    readonly error: string;
    /** All steps in order, for troubleshooting */
    readonly steps: ReadonlyArray<Schemas["DiscoveryStep"]>;
  };
  /** An item in one place on one device */
  readonly DiscoveryInstance: {
    /** ID of the instance */
    readonly id: string;
    /** The kind of item */
    readonly kind: "mcp_server" | "skill" | "agent_memory" | "agent";
    /** The fingerprint, digest or ID of the item */
    readonly key: string;
    /** The device */
    readonly device_id: string;
    /** The name of the device */
    readonly hostname: string | null;
    /** The email of the device's user */
    readonly user_email: string | null;
    /** The account on the device */
    readonly username: string | null;
    /** The client */
    readonly client: string;
    /** Its name there */
    readonly name: string;
    /** The file or folder */
    readonly path: string;
    /** The configuration file of an MCP server */
    readonly config_path: string | null;
    /** Where it applies, such as `user` or `project` */
    readonly scope: string;
    /** What the policy decides: the strictest action of its instances. Null: not decided */
    readonly action: "allow" | "warn" | "block" | null;
    /** The rule; `managed`: it points to this gateway; null: the default action */
    readonly rule_id: string | null;
    /** The risk, of the riskiest instance */
    readonly risk: {
      /** From 0 to 100 */
      readonly score: number;
      /** Why */
      readonly reasons: ReadonlyArray<string>;
    };
    /** When it was first reported */
    readonly first_seen: string;
    /** When it was last reported */
    readonly last_seen: string;
    /** When it was gone; null: it is there */
    readonly removed_at: string | null;
    /** Whether enforcement removed it and the device can restore it */
    readonly quarantined?: boolean | undefined;
    /** Whether the client uses it */
    readonly enabled?: boolean | undefined;
    /** `stdio`, `http` or `sse` */
    readonly transport?: string | undefined;
    /** The program */
    readonly command?: string | undefined;
    /** The arguments, without secrets */
    readonly args?: ReadonlyArray<string> | undefined;
    /** The URL */
    readonly url?: string | undefined;
    /** The package */
    readonly package?: {
      /** `npm`, `pypi`, `oci` or `binary` */
      readonly type: string;
      /** The name */
      readonly name: string;
      /** The version, if the configuration names one */
      readonly version?: string | undefined;
    } | undefined;
    /** Names of its environment variables */
    readonly env_keys?: ReadonlyArray<string> | undefined;
    /** Names of its headers */
    readonly header_keys?: ReadonlyArray<string> | undefined;
    /** The project folder */
    readonly project?: string | undefined;
    /** A hash of the configuration without secrets */
    readonly config_hash?: string | undefined;
    /** Whether it contains scripts */
    readonly has_scripts?: boolean | undefined;
    /** Problems of its text */
    readonly issues?: ReadonlyArray<string> | undefined;
    /** Size in bytes */
    readonly size_bytes?: number | undefined;
    /** The hash of its content */
    readonly sha256?: string | undefined;
    /** When the file was changed, by the device's clock */
    readonly modified_at?: string | undefined;
    /** The installed version */
    readonly version?: string | undefined;
    /** Whether it was running */
    readonly running?: boolean | undefined;
  };
  /** The policy about discovered MCP servers and skills */
  readonly DiscoveryPolicy: {
    /** Increases with every change */
    readonly version: number;
    /** `monitor` or `enforce` */
    readonly enforcement: "monitor" | "enforce";
    /** What happens to items that no rule matches */
    readonly default_actions: {
      /** For MCP servers */
      readonly mcp_servers: "allow" | "warn" | "block";
      /** For skills */
      readonly skills: "allow" | "warn" | "block";
    };
    /** Whether managed items are always allowed */
    readonly always_allow_managed: boolean;
    /** Whether devices notify their users */
    readonly notify_users: boolean;
    /** Number of rules */
    readonly rules_count: number;
    /** Devices for which decisions are still being made again after a change */
    readonly devices_to_evaluate: number;
    /** When it was last changed; null: never */
    readonly updated_at: string | null;
    /** Who changed it last */
    readonly updated_by: string | null;
  };
  /** The result of a scan of one device */
  readonly DiscoveryReport: {
    /** The version of this format */
    readonly schema_version: 1;
    /** Identifies the report; a repeated report changes nothing */
    readonly report_id: string;
    /** When the scan ended, by the device's clock */
    readonly scanned_at: string;
    /** How long the agent kept the report before it sent it, or 0. The order of reports then does not depend on the device's clock. Without it, `scanned_at` decides */
    readonly age_seconds?: number | null | undefined;
    /** Whether everything was scanned. Then items that are missing were removed from the device */
    readonly full?: boolean | undefined;
    /** The software that scanned */
    readonly agent?: {
      /** The name of the scan agent */
      readonly name?: string | null | undefined;
      /** The version of the scan agent */
      readonly version?: string | null | undefined;
    } | null | undefined;
    /** The device that was scanned */
    readonly device: {
      /** A stable identifier of the device */
      readonly id: string;
      /** The name of the device */
      readonly hostname?: string | null | undefined;
      /** The operating system */
      readonly os: "darwin" | "linux" | "win32";
      /** The version of the operating system */
      readonly os_version?: string | null | undefined;
      /** The processor architecture */
      readonly arch?: string | null | undefined;
      /** A hash of the serial number, which tells cloned devices apart */
      readonly serial_hash?: string | null | undefined;
      /** Whether this is the Windows Subsystem for Linux */
      readonly is_wsl?: boolean | null | undefined;
      /** Whether this is a container */
      readonly is_container?: boolean | null | undefined;
      /** Accounts whose home folders were scanned */
      readonly users?: ReadonlyArray<string> | null | undefined;
    };
    /** The main user of the device */
    readonly user?: {
      /** The main account of the device */
      readonly username?: string | null | undefined;
      /** The email of that person */
      readonly email?: string | null | undefined;
    } | null | undefined;
    /** MCP servers in configuration files, and with `quarantined: true` those that enforcement removed. Entries with errors are listed in `rejected`, and the others count */
    readonly mcp_servers?: ReadonlyArray<unknown> | undefined;
    /** Skills, and with `quarantined: true` those that enforcement removed. Entries with errors are listed in `rejected`, and the others count */
    readonly skills?: ReadonlyArray<unknown> | undefined;
    /** Instructions, rules and memory of agents. Entries with errors are listed in `rejected`, and the others count */
    readonly agent_memory?: ReadonlyArray<unknown> | undefined;
    /** Installed agents. Entries with errors are listed in `rejected`, and the others count */
    readonly agents?: ReadonlyArray<unknown> | undefined;
    /** Files that could not be read. Items that were found in them before are kept */
    readonly errors?: ReadonlyArray<{
      /** What could not be read */
      readonly path: string;
      /** Why, such as `parse_error` */
      readonly code: string;
    }> | undefined;
    /** What the device did about blocked items since its last report */
    readonly enforcement?: ReadonlyArray<{
      /** The MCP server */
      readonly fingerprint?: string | undefined;
      /** The skill */
      readonly digest?: string | undefined;
      /** The MCP client */
      readonly client?: string | undefined;
      /** What happened */
      readonly result: "quarantined" | "restored" | "failed";
      /** Why it failed */
      readonly reason?: string | undefined;
    }> | undefined;
  };
  /** A rule of the policy */
  readonly DiscoveryRule: {
    /** ID of the rule */
    readonly id: string;
    /** The position, from 1. The first rule that matches decides */
    readonly position: number;
    /** The name */
    readonly name: string;
    /** What it is for */
    readonly description: string;
    /** Whether it applies */
    readonly enabled: boolean;
    /** What it decides about */
    readonly kind: "mcp_server" | "skill";
    /** What it decides */
    readonly action: "allow" | "warn" | "block";
    /** Its conditions */
    readonly match: Readonly<Record<string, unknown>>;
    /** Shown to the user of the device */
    readonly message: string | null;
    /** When it ends; null: never */
    readonly expires_at: string | null;
    /** Why it may not do what it should */
    readonly warnings: ReadonlyArray<string>;
    /** When it was created */
    readonly created_at: string;
    /** When it was last changed */
    readonly updated_at: string;
  };
  /** One step of a discovery */
  readonly DiscoveryStep: {
    /** The request */
    readonly asked: string;
    /** The response */
    readonly answered: string;
    /** The conclusion */
    readonly concluded: string;
  };
  /** An item on a device that the policy warns about or blocks */
  readonly DiscoveryViolation: {
    /** ID of the violation */
    readonly id: string;
    /** The kind of item */
    readonly kind: "mcp_server" | "skill" | "agent_memory" | "agent";
    /** The fingerprint or digest of the item */
    readonly key: string | null;
    /** Its name on the device */
    readonly name: string | null;
    /** The client that has it */
    readonly client: string | null;
    /** Where it is */
    readonly path: string | null;
    /** The device */
    readonly device_id: string;
    /** The name of the device */
    readonly hostname: string | null;
    /** The email of the device's user */
    readonly user_email: string | null;
    /** `warn` or `block` */
    readonly action: "allow" | "warn" | "block";
    /** The rule; `managed`: it points to this gateway; null: the default action */
    readonly rule_id: string | null;
    /** The name of the rule, if it still exists */
    readonly rule_name: string | null;
    /** The version of the policy that decided */
    readonly policy_version: number;
    /** What the device did about it, as it reported */
    readonly enforcement: string | null;
    /** Whether enforcement removed it and the device can restore it */
    readonly quarantined: boolean;
    /** When it was first seen */
    readonly first_seen: string;
    /** When it was removed or allowed; null: it is open */
    readonly resolved_at: string | null;
  };
  /** The proposed policy */
  readonly DryRunDiscoveryPolicy: {
    /** Default: as they are */
    readonly default_actions?: {
      /** Default action for MCP servers */
      readonly mcp_servers?: "allow" | "warn" | "block" | undefined;
      /** Default action for skills */
      readonly skills?: "allow" | "warn" | "block" | undefined;
    } | undefined;
    /** All rules in their order. Default: as they are */
    readonly rules?: ReadonlyArray<{
      /** The name of the rule */
      readonly name: string;
      /** What it is for */
      readonly description?: string | undefined;
      /** Whether the rule applies. Default: true */
      readonly enabled?: boolean | undefined;
      /** The position, from 1. Default: last. Later rules move */
      readonly position?: number | undefined;
      /** What the rule decides about */
      readonly kind: "mcp_server" | "skill";
      /** What it decides */
      readonly action: "allow" | "warn" | "block";
      /** Conditions. All must hold; a condition on something that an item lacks does not hold */
      readonly match: {
        /** Patterns of the configured name; one must match */
        readonly name?: ReadonlyArray<string> | undefined;
        /** Patterns of the URL; one must match */
        readonly url?: ReadonlyArray<string> | undefined;
        /** Patterns of the host of the URL. `*.example.com` does not match `example.com`; one must match */
        readonly host?: ReadonlyArray<string> | undefined;
        /** Patterns of the package, such as `npm:@acme/*`; one must match */
        readonly package?: ReadonlyArray<string> | undefined;
        /** Patterns of the program's base name; one must match */
        readonly command?: ReadonlyArray<string> | undefined;
        /** Patterns of the npm scope, the owner of the image, or the host; one must match */
        readonly publisher?: ReadonlyArray<string> | undefined;
        /** Transports; one must be equal */
        readonly transport?: ReadonlyArray<"stdio" | "http" | "sse"> | undefined;
        /** Fingerprints of MCP servers; one must be equal, case-insensitive */
        readonly fingerprint?: ReadonlyArray<string> | undefined;
        /** Digests of skills; one must be equal, case-insensitive */
        readonly digest?: ReadonlyArray<string> | undefined;
        /** Clients, such as `cursor`; one must be equal, case-insensitive */
        readonly client?: ReadonlyArray<string> | undefined;
        /** Scopes, such as `project`; one must be equal, case-insensitive */
        readonly scope?: ReadonlyArray<string> | undefined;
        /** Results of the review; one must be equal */
        readonly review_status?: ReadonlyArray<"unreviewed" | "approved" | "rejected" | "ignored"> | undefined;
        /** Groups of the device's user; one must be equal, case-insensitive */
        readonly groups?: ReadonlyArray<string> | undefined;
        /** Emails of the device's user; one must be equal, case-insensitive */
        readonly users?: ReadonlyArray<string> | undefined;
        /** IDs of devices; one must be equal, case-insensitive */
        readonly devices?: ReadonlyArray<string> | undefined;
        /** Operating systems; one must be equal */
        readonly os?: ReadonlyArray<"darwin" | "linux" | "win32"> | undefined;
        /** Whether it points to this gateway, or is a skill of this organization */
        readonly managed?: boolean | undefined;
        /** Whether a server with the same URL is registered here */
        readonly registered?: boolean | undefined;
        /** Whether a connector or registry entry has the same URL */
        readonly in_registry?: boolean | undefined;
        /** Whether its package has no exact version */
        readonly unpinned?: boolean | undefined;
        /** Whether the skill contains scripts */
        readonly has_scripts?: boolean | undefined;
        /** The lowest risk that matches */
        readonly min_risk?: number | undefined;
      };
      /** Shown to the user of the device */
      readonly message?: string | null | undefined;
      /** When the rule ends; null: never */
      readonly expires_at?: string | null | undefined;
      /** The rule that it changes */
      readonly id?: string | undefined;
    }> | undefined;
    /** Changes no decision */
    readonly enforcement?: "monitor" | "enforce" | undefined;
    /** Default: as it is */
    readonly always_allow_managed?: boolean | undefined;
  };
  /** A guard, and the period whose calls it examines */
  readonly DryRunGuard: {
    /** The guard to try, also if it is disabled */
    readonly guard_slug?: string | null | undefined;
    /** Only calls at or after this time */
    readonly from: string;
    /** Only calls before this time */
    readonly to: string;
    /** Maximum number of calls, the newest first. Default: 1000 */
    readonly limit?: number | undefined;
    /** A guard that is not saved, instead of `guard_slug` */
    readonly guard?: Schemas["CreateGuard"] | undefined;
  };
  /** The policy for one device */
  readonly EffectiveDiscoveryPolicy: {
    /** The version of the policy */
    readonly version: number;
    /** `monitor` or `enforce` */
    readonly enforcement: "monitor" | "enforce";
    /** What happens to items that no rule matches */
    readonly default_actions: {
      /** For MCP servers */
      readonly mcp_servers: "allow" | "warn" | "block";
      /** For skills */
      readonly skills: "allow" | "warn" | "block";
    };
    /** Whether managed items are always allowed */
    readonly always_allow_managed: boolean;
    /** Whether the device notifies its user */
    readonly notify_users: boolean;
    /** Rules that can concern this device, in order */
    readonly rules: ReadonlyArray<{
      /** ID of the rule */
      readonly id: string;
      /** The name */
      readonly name: string;
      /** What it decides about */
      readonly kind: "mcp_server" | "skill";
      /** What it decides */
      readonly action: "allow" | "warn" | "block";
      /** Always true */
      readonly enabled: boolean;
      /** The position */
      readonly position: number;
      /** Its conditions */
      readonly match: Readonly<Record<string, unknown>>;
      /** Shown to the user */
      readonly message: string | null;
      /** When it ends */
      readonly expires_at: string | null;
    }>;
    /** The device */
    readonly device: {
      /** The device */
      readonly id: string;
      /** The email of its user */
      readonly user: string | null;
      /** The groups of its user */
      readonly groups: ReadonlyArray<string>;
    };
    /** Servers at these URLs are managed */
    readonly gateway_urls: ReadonlyArray<string>;
    /** Skills of the device that are the organization's */
    readonly skill_digests: ReadonlyArray<string>;
    /** What only the service knows about the items of the device, by fingerprint or digest */
    readonly facts: Readonly<Record<string, {
      /** Whether it is registered here */
      readonly registered?: boolean | undefined;
      /** Whether the catalog has it */
      readonly in_registry?: boolean | undefined;
      /** The result of the review */
      readonly review_status?: "unreviewed" | "approved" | "rejected" | "ignored" | undefined;
      /** The risk */
      readonly risk?: number | undefined;
    }>>;
  };
  /** An email that waits, was sent, or failed, without its text */
  readonly Email: {
    /** ID of the record; IDs are never reused */
    readonly id: string;
    /** Why the email is sent */
    readonly kind: "invitation" | "account_reset" | "password_changed" | "approval_requested" | "access_requested" | "access_decided" | "connection_expired" | "test";
    /** The recipient's email */
    readonly recipient: string;
    /** `sent`: the mail server accepted it. `failed`: it is not sent anymore. `canceled`: the invitation was replaced, used, or revoked before it was sent */
    readonly status: "pending" | "sent" | "failed" | "canceled";
    /** How many events of this kind the email reports */
    readonly events: number;
    /** Number of attempts */
    readonly attempts: number;
    /** Why the last attempt failed. Null: it did not */
    readonly error: string | null;
    /** When it was queued */
    readonly created_at: string;
    /** The last attempt. Null: none */
    readonly last_attempt_at: string | null;
    /** The next attempt. Null: none */
    readonly next_attempt_at: string | null;
  };
  /** Which notices the caller gets by email. Emails about the security of the account are always sent */
  readonly EmailNotices: {
    /** Whether the installation sends email */
    readonly mail_server: boolean;
    /** A call waits for an approval. For owners and admins */
    readonly approval_requested: boolean;
    /** A person requests access to a server. For owners and admins */
    readonly access_requested: boolean;
    /** A request of the caller was approved or denied */
    readonly access_decided: boolean;
    /** A connection of the caller no longer works */
    readonly connection_expired: boolean;
  };
  /** The mail server, and whether it accepts emails */
  readonly EmailStatus: {
    /** Whether the installation has a mail server */
    readonly enabled: boolean;
    /** Host of the mail server. Null: none */
    readonly host: string | null;
    /** Port of the mail server. Null: none */
    readonly port: number | null;
    /** How connections are encrypted. Null: no mail server */
    readonly tls: "starttls" | "tls" | "none" | null;
    /** Sender of emails. Null: no mail server */
    readonly from: string | null;
    /** When the mail server accepted the last email. Null: never */
    readonly last_sent_at: string | null;
    /** The first failed attempt since then. Null: the last attempt succeeded, or there was none */
    readonly failing_since: string | null;
    /** Why the last failed attempt failed. Null: none failed */
    readonly last_error: string | null;
    /** Emails that wait for the mail server */
    readonly pending: number;
    /** Emails of the last 30 days that could not be sent */
    readonly failed: number;
  };
  /** An error response */
  readonly Error: {
    /** What went wrong, in one sentence */
    readonly error: string;
  };
  /** What to evaluate: `item` or `items` */
  readonly EvaluateDiscoveryPolicy: {
    /** An item. Facts that are missing are derived from the others and from the inventory */
    readonly item?: {
      /** The kind of item */
      readonly kind: "mcp_server" | "skill";
      /** The name */
      readonly name?: string | undefined;
      /** The fingerprint of a discovered MCP server */
      readonly fingerprint?: string | undefined;
      /** The digest of a skill */
      readonly digest?: string | undefined;
      /** The transport. Default: by URL and command */
      readonly transport?: "stdio" | "http" | "sse" | undefined;
      /** The URL of a remote server */
      readonly url?: string | undefined;
      /** The program of a local server */
      readonly command?: string | undefined;
      /** Its arguments */
      readonly args?: ReadonlyArray<string> | undefined;
      /** Names of variables that the client sets for it */
      readonly env_keys?: ReadonlyArray<string> | undefined;
      /** The package, such as `npm:@acme/server`. Default: by command and arguments */
      readonly package?: string | undefined;
      /** The publisher. Default: by package and host */
      readonly publisher?: string | undefined;
      /** The client */
      readonly client?: string | undefined;
      /** The scope */
      readonly scope?: string | undefined;
      /** Whether a skill contains scripts */
      readonly has_scripts?: boolean | undefined;
      /** Problems of a skill's text */
      readonly issues?: ReadonlyArray<string> | undefined;
      /** Default: by URL or digest */
      readonly managed?: boolean | undefined;
      /** Default: by URL or digest */
      readonly registered?: boolean | undefined;
      /** Default: by URL */
      readonly in_registry?: boolean | undefined;
      /** Default: by the package's version */
      readonly unpinned?: boolean | undefined;
      /** Default: computed */
      readonly risk?: number | undefined;
      /** Default: of the discovered item */
      readonly review_status?: "unreviewed" | "approved" | "rejected" | "ignored" | undefined;
    } | undefined;
    /** Several items */
    readonly items?: ReadonlyArray<{
      /** The kind of item */
      readonly kind: "mcp_server" | "skill";
      /** The name */
      readonly name?: string | undefined;
      /** The fingerprint of a discovered MCP server */
      readonly fingerprint?: string | undefined;
      /** The digest of a skill */
      readonly digest?: string | undefined;
      /** The transport. Default: by URL and command */
      readonly transport?: "stdio" | "http" | "sse" | undefined;
      /** The URL of a remote server */
      readonly url?: string | undefined;
      /** The program of a local server */
      readonly command?: string | undefined;
      /** Its arguments */
      readonly args?: ReadonlyArray<string> | undefined;
      /** Names of variables that the client sets for it */
      readonly env_keys?: ReadonlyArray<string> | undefined;
      /** The package, such as `npm:@acme/server`. Default: by command and arguments */
      readonly package?: string | undefined;
      /** The publisher. Default: by package and host */
      readonly publisher?: string | undefined;
      /** The client */
      readonly client?: string | undefined;
      /** The scope */
      readonly scope?: string | undefined;
      /** Whether a skill contains scripts */
      readonly has_scripts?: boolean | undefined;
      /** Problems of a skill's text */
      readonly issues?: ReadonlyArray<string> | undefined;
      /** Default: by URL or digest */
      readonly managed?: boolean | undefined;
      /** Default: by URL or digest */
      readonly registered?: boolean | undefined;
      /** Default: by URL */
      readonly in_registry?: boolean | undefined;
      /** Default: by the package's version */
      readonly unpinned?: boolean | undefined;
      /** Default: computed */
      readonly risk?: number | undefined;
      /** Default: of the discovered item */
      readonly review_status?: "unreviewed" | "approved" | "rejected" | "ignored" | undefined;
    }> | undefined;
    /** The device */
    readonly device_id?: string | undefined;
    /** The user, if it is not the device's */
    readonly email?: string | undefined;
  };
  /** Content to evaluate, and the guards to evaluate it with */
  readonly EvaluateGuards: {
    /** A text, the arguments of a call, or its result */
    readonly content: string | Readonly<Record<string, unknown>>;
    /** Evaluates the enabled build-time guards for this content */
    readonly entity_type?: "mcp_server" | "tool" | "toolkit" | "skill" | "command" | "plugin" | "background_agent" | null | undefined;
    /** Evaluates the enabled runtime guards for this part of a call */
    readonly direction?: "request" | "response" | null | undefined;
    /** The name of the tool at the gateway, such as `github__create_issue` */
    readonly tool?: string | null | undefined;
    /** Slug of the MCP server. Default: from `tool` */
    readonly server?: string | null | undefined;
    /** The calling user. Without it, only guards for all users apply */
    readonly email?: string | null | undefined;
    /** Evaluates only this guard, even if it is disabled, regardless of its scope */
    readonly guard_id?: string | null | undefined;
    /** Like `guard_id`, by slug */
    readonly guard_slug?: string | null | undefined;
    /** Evaluates this guard, which is not saved */
    readonly guard?: Schemas["CreateGuard"] | undefined;
  };
  /** The token to exchange */
  readonly ExchangeAuth: {
    /** The JWT, if `Authorization` contains an API token */
    readonly token?: string | undefined;
    /** Slug of the only provider to use */
    readonly provider?: string | undefined;
  };
  /** What was issued for one exchanged token, without the tokens */
  readonly ExchangeCredential: {
    /** ID of the record; IDs are never reused */
    readonly id: string;
    /** Slug of the provider */
    readonly provider: string;
    /** Email of the user */
    readonly user_email: string;
    /** The subject of the token */
    readonly subject: string;
    /** The OAuth client that presented the token; null: none */
    readonly client_id: string | null;
    /** Start of the newest access token */
    readonly token_prefix: string;
    /** Scopes of access tokens */
    readonly scopes: ReadonlyArray<string>;
    /** The only gateway path that accepts it; null: all */
    readonly path: string | null;
    /** When it was created */
    readonly created_at: string;
    /** When the last token issued for it expires */
    readonly expires_at: string;
    /** When an access token was last issued for it */
    readonly last_used_at: string;
    /** When it was ended */
    readonly revoked_at: string | null;
    /** Why it was ended. `ended`: by an admin; `revoked`: by its holder; `reused`: a refresh token was used twice; `replaced`: the subject has too many; `provider`: the provider was disabled or changed */
    readonly end_reason: "ended" | "revoked" | "reused" | "replaced" | "provider" | null;
    /** Whether it is valid now */
    readonly active: boolean;
    /** IP address of the exchange */
    readonly ip: string | null;
  };
  /** A trusted issuer whose tokens are exchanged for gateway tokens */
  readonly ExchangeProvider: {
    /** ID of the record; IDs are never reused */
    readonly id: string;
    /** The name in the call log; never changes */
    readonly slug: string;
    /** Display name */
    readonly name: string;
    /** Whether tokens are exchanged */
    readonly enabled: boolean;
    /** The `iss` claim */
    readonly issuer: string;
    /** URL of the keys; null: found by discovery, or static */
    readonly jwks_uri: string | null;
    /** Static keys; null: fetched */
    readonly jwks: {
      /** Public keys as JWKs */
      readonly keys: ReadonlyArray<Readonly<Record<string, unknown>>>;
    } | null;
    /** The `aud` claim must contain one of these */
    readonly audiences: ReadonlyArray<string>;
    /** Accepted signature algorithms */
    readonly algorithms: ReadonlyArray<"RS256" | "RS384" | "RS512" | "PS256" | "PS384" | "PS512" | "ES256" | "ES384" | "ES512" | "EdDSA" | "Ed25519">;
    /** Maximum age of a token by its `iat` */
    readonly max_age_seconds: number;
    /** All must hold */
    readonly conditions: ReadonlyArray<{
      /** A dotted path, or an array of names for names that contain dots */
      readonly claim: string | ReadonlyArray<string>;
      /** How the claim is compared */
      readonly operator: "equals" | "not_equals" | "in" | "matches" | "exists";
      /** The value; an array for `in` */
      readonly value: string | number | boolean | ReadonlyArray<string>;
    }>;
    /** Which user a token acts as */
    readonly subject: {
      /** `map`: a claim names the user; `fixed`: all tokens act as one machine user */
      readonly mode: "map" | "fixed";
      /** Null: the first of `email`, `sub` and `client_id` in the token */
      readonly claim?: string | ReadonlyArray<string> | null | undefined;
      /** What the claim contains */
      readonly match?: "email" | "slug" | "external_id" | undefined;
      /** Whether `email_verified` must be true */
      readonly require_verified_email?: boolean | undefined;
      /** Whether tokens can act as owners and admins */
      readonly allow_admins?: boolean | undefined;
      /** Email of the machine user; null: it was deleted */
      readonly machine_user?: string | null | undefined;
    };
    /** Accounts of people who have none */
    readonly provision: {
      /** Whether people without an account are created */
      readonly create_users: boolean;
      /** Names of the groups of created people */
      readonly groups: ReadonlyArray<string>;
      /** The claim that lists the issuer's groups; null: none */
      readonly group_claim: string | ReadonlyArray<string> | null;
      /** The issuer's groups to names of groups */
      readonly group_map: Readonly<Record<string, string>>;
      /** Whether membership of the mapped groups follows the claim at every exchange */
      readonly sync_groups: boolean;
    };
    /** What is issued */
    readonly token: {
      /** Lifetime of access tokens */
      readonly access_ttl_seconds: number;
      /** Whether a refresh token is issued */
      readonly refresh: boolean;
      /** How long after the exchange tokens can be refreshed */
      readonly refresh_ttl_seconds: number;
      /** Scopes of access tokens */
      readonly scopes: ReadonlyArray<string>;
      /** Whether nothing outlives the exchanged token */
      readonly bind_to_jwt_exp: boolean;
    };
    /** Whether each token can be exchanged once */
    readonly one_time_jti: boolean;
    /** Whether the exchange needs an API token */
    readonly require_api_key: boolean;
    /** Whether the exchanged token is stored, sealed, for servers with the authentication `exchanged-token`, and returned as `id_token` by refreshes */
    readonly passthrough: boolean;
    /** Number of credentials that are valid now */
    readonly active_credentials: number;
    /** When it was created */
    readonly created_at: string;
    /** When it was last changed */
    readonly updated_at: string;
  };
  /** Why a token is accepted or refused */
  readonly ExchangeProviderTest: {
    /** Whether all checks succeeded */
    readonly valid: boolean;
    /** All checks in order. An exchange stops at the first one that fails */
    readonly checks: ReadonlyArray<{
      /** Name of the check */
      readonly name: string;
      /** Whether it succeeded */
      readonly ok: boolean;
      /** What was found */
      readonly detail: string;
    }>;
    /** The claims of the token; empty if it cannot be read */
    readonly claims: Readonly<Record<string, unknown>>;
    /** The user that the token would act as; absent: none */
    readonly user?: {
      /** Email */
      readonly email: string;
      /** Whether it is a machine user */
      readonly is_machine_user: boolean;
      /** Whether an exchange would create the user */
      readonly created: boolean;
    } | undefined;
  };
  /** Tokens that act as the user at the gateway */
  readonly ExchangedToken: {
    /** For the gateway, as a bearer token */
    readonly access_token: string;
    /** `Bearer` */
    readonly token_type: "Bearer";
    /** Lifetime of the access token in seconds */
    readonly expires_in: number;
    /** When the access token expires */
    readonly expires_at: string;
    /** Absent if it cannot be refreshed */
    readonly refresh_token?: string | undefined;
    /** The exchanged token; after a refresh only if the provider passes it on */
    readonly id_token?: string | undefined;
    /** Scopes of the access token */
    readonly scope: string;
    /** The user that the token acts as */
    readonly user: {
      /** Email */
      readonly email: string;
      /** Whether it is a machine user */
      readonly is_machine_user: boolean;
    };
    /** URL of the gateway */
    readonly gateway_url: string;
  };
  /** Search results by kind, best match first */
  readonly Found: {
    /** MCP servers, by slug, name or description */
    readonly servers: ReadonlyArray<{
      /** The server's slug */
      readonly slug: string;
      /** Display name */
      readonly name: string;
      /** A `draft` is only visible to groups with `show_draft_mcps` */
      readonly status: "active" | "draft";
      /** Logo, served by Gatehouse */
      readonly logo_url: string;
    }>;
    /** Tools, by slug or title, including disabled ones */
    readonly tools: ReadonlyArray<{
      /** The slug of its server */
      readonly server_slug: string;
      /** Display name of its server */
      readonly server_name: string;
      /** The part after `__` in its gateway name */
      readonly slug: string;
      /** Title, or the name at the server */
      readonly name: string;
      /** The first 160 characters of the description */
      readonly description: string;
      /** Whether callers can see it: enabled and not held for review */
      readonly enabled: boolean;
      /** Logo, served by Gatehouse */
      readonly logo_url: string;
    }>;
    /** People, by name or email */
    readonly users: ReadonlyArray<{
      /** Display name */
      readonly name: string;
      /** The user's email */
      readonly email: string;
      /** Whether the user is disabled */
      readonly disabled: boolean;
    }>;
    /** Machine users, by name or email */
    readonly machine_users: ReadonlyArray<{
      /** Display name */
      readonly name: string;
      /** The user's email */
      readonly email: string;
      /** Whether the user is disabled */
      readonly disabled: boolean;
      /** Its slug */
      readonly slug: string;
    }>;
    /** Groups, by name */
    readonly groups: ReadonlyArray<{
      /** The group's name */
      readonly name: string;
    }>;
    /** Toolkits, by slug, name or description */
    readonly toolkits: ReadonlyArray<{
      /** The toolkit's slug */
      readonly slug: string;
      /** Display name */
      readonly name: string;
      /** Only active toolkits reach callers */
      readonly status: "active" | "draft";
    }>;
    /** Skills, by name or description */
    readonly skills: ReadonlyArray<{
      /** The skill's name */
      readonly slug: string;
      /** What it does */
      readonly description: string;
      /** Only active skills reach callers */
      readonly status: "active" | "draft";
    }>;
    /** Commands, by slug, name or description */
    readonly commands: ReadonlyArray<{
      /** The command's slug */
      readonly slug: string;
      /** Display name */
      readonly name: string;
      /** Only active commands reach callers */
      readonly status: "active" | "draft";
    }>;
    /** Plugins, by slug, name or description */
    readonly plugins: ReadonlyArray<{
      /** The plugin's slug */
      readonly slug: string;
      /** Display name */
      readonly name: string;
      /** Only active plugins reach callers */
      readonly status: "active" | "draft";
    }>;
    /** Background agents, by slug, name or description */
    readonly agents: ReadonlyArray<{
      /** The agent's slug */
      readonly slug: string;
      /** Display name */
      readonly name: string;
      /** Only active agents start sessions */
      readonly status: "draft" | "active" | "paused";
    }>;
    /** Guards, by slug, name or description */
    readonly guards: ReadonlyArray<{
      /** The guard's slug */
      readonly slug: string;
      /** Display name */
      readonly name: string;
      /** Whether the guard is on */
      readonly enabled: boolean;
    }>;
    /** Approvals of held calls, by caller, tool, server, guard or ID; pending ones first */
    readonly approvals: ReadonlyArray<{
      /** The approval's ID */
      readonly id: string;
      /** The tool of the held call */
      readonly tool: string;
      /** Display name of its server */
      readonly server_name: string;
      /** The caller */
      readonly user_email: string;
      /** Whether and how it was decided */
      readonly status: "pending" | "approved" | "denied" | "expired";
    }>;
    /** Webhooks, by name */
    readonly webhooks: ReadonlyArray<{
      /** The webhook's ID */
      readonly id: string;
      /** Its name */
      readonly name: string;
      /** Whether events are sent */
      readonly enabled: boolean;
    }>;
    /** Log destinations, by name */
    readonly log_destinations: ReadonlyArray<{
      /** The log destination's ID */
      readonly id: string;
      /** Its name */
      readonly name: string;
      /** Whether records are sent */
      readonly enabled: boolean;
    }>;
    /** Trusted issuers, by slug, name or issuer */
    readonly issuers: ReadonlyArray<{
      /** The issuer's slug */
      readonly slug: string;
      /** Display name */
      readonly name: string;
      /** Whether its tokens are exchanged */
      readonly enabled: boolean;
    }>;
    /** Items that devices reported, by name, URL, command, package, path or description */
    readonly discovered: ReadonlyArray<{
      /** What it is */
      readonly kind: "mcp_server" | "skill" | "agent_memory" | "agent";
      /** Its fingerprint, digest or ID in the inventory */
      readonly key: string;
      /** Its most frequent name */
      readonly name: string;
      /** Number of devices that have it */
      readonly devices_count: number;
    }>;
    /** Devices that report AI tools, by name, ID or user */
    readonly devices: ReadonlyArray<{
      /** The device's ID */
      readonly id: string;
      /** Its name */
      readonly hostname: string;
      /** Its user */
      readonly user_email: string | null;
    }>;
  };
  /** A server in a group, and which of its tools the group grants */
  readonly Grant: {
    /** The group's name */
    readonly group: string;
    /** The server's slug */
    readonly server: string;
    /** The server's name */
    readonly server_name: string;
    /** Slugs of the tools that the group grants. Null: all tools */
    readonly tools: ReadonlyArray<string> | null;
    /** What happens to tools that the server adds later: `include` grants them, `hold` does not */
    readonly new_tools: "include" | "hold";
    /** Number of tools that members can call through the group */
    readonly granted_tools: number;
    /** Number of tools that the server provides */
    readonly total_tools: number;
    /** Slugs of tools that the server added after the selection, and that are not granted */
    readonly held_tools: ReadonlyArray<string>;
    /** Names of selected tools that the server no longer provides */
    readonly missing_tools: ReadonlyArray<string>;
  };
  /** Users, and the MCP servers they have access to */
  readonly Group: {
    /** ID of the record; IDs are never reused */
    readonly id: string;
    /** Unique, case-insensitive */
    readonly name: string;
    /** Settings of the group */
    readonly settings: {
      /** Whether new people join this group automatically. Machine users do not */
      readonly auto_assign_users: boolean;
      /** Whether new MCP servers join this group automatically */
      readonly auto_assign_mcps: boolean;
      /** Whether members can call the group's draft servers */
      readonly show_draft_mcps: boolean;
    };
    /** `scim`: the identity provider manages name, people, and deletion. Null: managed in Gatehouse */
    readonly provisioned_by: "scim" | null;
    /** ID of the group at the identity provider. Null: none */
    readonly external_id: string | null;
    /** Limits of each member's calls to the servers of the group */
    readonly limits: Schemas["CallLimits"];
    /** Number of people and machine users in the group */
    readonly users_count: number;
    /** Number of MCP servers in the group */
    readonly integrations_count: number;
    /** When it was created */
    readonly created_at: string;
    /** When it was last changed */
    readonly updated_at: string;
  };
  /** A group, and how much context its tools take */
  readonly GroupDetail: {
    /** ID of the record; IDs are never reused */
    readonly id: string;
    /** Unique, case-insensitive */
    readonly name: string;
    /** Settings of the group */
    readonly settings: {
      /** Whether new people join this group automatically. Machine users do not */
      readonly auto_assign_users: boolean;
      /** Whether new MCP servers join this group automatically */
      readonly auto_assign_mcps: boolean;
      /** Whether members can call the group's draft servers */
      readonly show_draft_mcps: boolean;
    };
    /** `scim`: the identity provider manages name, people, and deletion. Null: managed in Gatehouse */
    readonly provisioned_by: "scim" | null;
    /** ID of the group at the identity provider. Null: none */
    readonly external_id: string | null;
    /** Limits of each member's calls to the servers of the group */
    readonly limits: Schemas["CallLimits"];
    /** Number of people and machine users in the group */
    readonly users_count: number;
    /** Number of MCP servers in the group */
    readonly integrations_count: number;
    /** When it was created */
    readonly created_at: string;
    /** When it was last changed */
    readonly updated_at: string;
    /** Number of model tokens that the definitions of the tools that the group grants take. Approximate: the bytes of the definitions, divided by 4 */
    readonly tokens_estimate: number;
    /** The servers that take the most tokens, largest first; ten at most */
    readonly largest: ReadonlyArray<{
      /** The slug */
      readonly name: string;
      /** Number of model tokens. Approximate: the bytes of the definitions, divided by 4 */
      readonly tokens_estimate: number;
    }>;
  };
  /** A server of the group, and which of its tools the group grants */
  readonly GroupIntegration: {
    /** Slugs of the tools that the group grants. Null: all tools */
    readonly tools: ReadonlyArray<string> | null;
    /** What happens to tools that the server adds later: `include` grants them, `hold` does not */
    readonly new_tools: "include" | "hold";
    /** Number of tools that members can call through the group */
    readonly granted_tools: number;
    /** Number of tools that the server provides */
    readonly total_tools: number;
    /** Slugs of tools that the server added after the selection, and that are not granted */
    readonly held_tools: ReadonlyArray<string>;
    /** Names of selected tools that the server no longer provides */
    readonly missing_tools: ReadonlyArray<string>;
    /** The server's slug */
    readonly slug: string;
    /** The server's name */
    readonly name: string;
    /** Drafts reach only members of groups that show drafts */
    readonly status: "active" | "draft";
  };
  /** A guard examines calls or content, and blocks, redacts or reports what it finds */
  readonly Guard: {
    /** ID of the record; IDs are never reused */
    readonly id: string;
    /** Unique, never changes; used in logs */
    readonly slug: string;
    /** Display name, also in messages to callers */
    readonly name: string;
    /** For admins */
    readonly description: string;
    /** `runtime`: examines calls; `buildtime`: examines content when it is published. Never changes */
    readonly type: "runtime" | "buildtime";
    /** Takes effect immediately */
    readonly enabled: boolean;
    /** What happens if the guard fires. Build-time guards allow only `log`, `warn` and `block` */
    readonly action: "log" | "warn" | "redact" | "require_approval" | "block";
    /** 1 to 10: fires if a finding is at least this certain */
    readonly threshold: number;
    /** Which part of a call is examined; `require_approval`: only `request` */
    readonly direction: "request" | "response" | "both";
    /** Build-time guards only: which content is examined */
    readonly entity_types: ReadonlyArray<"mcp_server" | "tool" | "toolkit" | "skill" | "command" | "plugin" | "background_agent">;
    /** 0 to 1,000,000, the lowest first */
    readonly priority: number;
    /** What happens if a check fails, takes too long, or cannot see all of the text. Default: `allow` for `log` and `warn`, otherwise `block` */
    readonly on_error: "allow" | "block";
    /** Shown to the caller if the guard blocks */
    readonly message: string;
    readonly scope: Schemas["GuardScope"];
    /** The guard fires if one of them has a finding */
    readonly checks: ReadonlyArray<Schemas["GuardCheck"]>;
    /** Built-in guards cannot be deleted; only `enabled`, `action`, `threshold`, `scope`, `direction` and `priority` can be changed */
    readonly is_builtin: boolean;
    /** When it was created */
    readonly created_at: string;
    /** When it was last changed */
    readonly updated_at: string;
  };
  /** A check of a guard */
  readonly GuardCheck: {
    /** Unique in the guard */
    readonly id: string;
    /** What is examined, and how */
    readonly type: "regex" | "keyword" | "pii" | "secret" | "prompt_injection" | "tool_poisoning" | "json_schema" | "size" | "url" | "webhook" | "llm";
    /** Shown in findings */
    readonly name: string;
    /** 1 to 10. Graded checks report their certainty instead */
    readonly certainty: number;
    /** Settings of the check; `GET /api/guards/check-types` describes them. Unknown fields are rejected */
    readonly config: Readonly<Record<string, unknown>>;
    /** Webhooks only: the names of the headers, which are secret */
    readonly header_names?: ReadonlyArray<string> | undefined;
    /** Models only: whether a key is stored, which is secret */
    readonly has_api_key?: boolean | undefined;
  };
  /** A setting of a type of check */
  readonly GuardCheckField: {
    /** Name of the field in `config` */
    readonly name: string;
    /** Type of the value */
    readonly type: "string" | "integer" | "boolean" | "list" | "object";
    /** Whether it must be given */
    readonly required: boolean;
    /** The value if it is omitted */
    readonly default?: unknown | undefined;
    /** The only values, or the only items of a list */
    readonly choices?: ReadonlyArray<string> | undefined;
    /** Whether it is never returned */
    readonly secret?: boolean | undefined;
    /** Whether it has several lines */
    readonly multiline?: boolean | undefined;
    /** What it does */
    readonly description: string;
  };
  /** What one guard found */
  readonly GuardCheckResult: {
    /** The guard's slug */
    readonly guard_slug: string;
    /** The guard's name */
    readonly guard_name: string;
    /** The guard's action */
    readonly action: "log" | "warn" | "redact" | "require_approval" | "block";
    /** Whether the guard has no objection */
    readonly passed: boolean;
    /** Highest certainty of a finding, also below the threshold; 0: no findings */
    readonly score: number;
    /** The guard's threshold */
    readonly threshold: number;
    /** Findings at or above the threshold, at most 100 */
    readonly findings: ReadonlyArray<Schemas["GuardFinding"]>;
    /** Number of all findings at or above the threshold */
    readonly finding_count: number;
    /** Why the content could not be examined completely; `on_error` of the guard decides */
    readonly error?: "failed" | "timeout" | "oversize" | "overloaded" | undefined;
  };
  /** A type of check, and its settings */
  readonly GuardCheckType: {
    /** The type in `checks` */
    readonly type: "regex" | "keyword" | "pii" | "secret" | "prompt_injection" | "tool_poisoning" | "json_schema" | "size" | "url" | "webhook" | "llm";
    /** Display name */
    readonly name: string;
    /** What it finds */
    readonly description: string;
    /** Whether each finding has its certainty, so that `certainty` of the check is not used */
    readonly graded: boolean;
    /** Whether findings have a place in the text, so that they can be redacted */
    readonly redacts: boolean;
    /** Its settings */
    readonly config: ReadonlyArray<Schemas["GuardCheckField"]>;
  };
  /** The combined decision of all guards that apply */
  readonly GuardDecision: {
    /** Whether the content would pass without being blocked or held for approval */
    readonly passed: boolean;
    /** The result of every guard that applies, in order of priority */
    readonly results: ReadonlyArray<Schemas["GuardCheckResult"]>;
    /** One sentence for each guard that warns */
    readonly warnings: ReadonlyArray<string>;
    /** One sentence for each guard that blocks or requires approval */
    readonly blocks: ReadonlyArray<string>;
    /** Texts that are replaced */
    readonly redactions: ReadonlyArray<{
      /** The guard's slug */
      readonly guard: string;
      /** Where the text is */
      readonly path: string;
      /** Offset of the first character, in UTF-16 units */
      readonly start: number;
      /** Offset after the last character */
      readonly end: number;
      /** What the text is replaced with */
      readonly replacement: string;
    }>;
    /** The content with its redactions. Null if it does not pass, or if it contains text that a guard found and does not redact */
    readonly content: string | Readonly<Record<string, unknown>> | null;
  };
  /** What a guard would have done with the calls of a period */
  readonly GuardDryRun: {
    /** Calls whose payload was examined */
    readonly calls_examined: number;
    /** Calls of the period whose payload is not stored */
    readonly calls_without_payload: number;
    /** What the guard would have done, by call */
    readonly would: {
      /** Calls that would be blocked */
      readonly block: number;
      /** Calls that would wait for an approval */
      readonly require_approval: number;
      /** Calls whose text would be replaced */
      readonly redact: number;
      /** Calls that would pass with a warning */
      readonly warn: number;
      /** Calls that would only be logged */
      readonly log: number;
    };
    /** The tools with the most such calls, at most 100 */
    readonly by_tool: ReadonlyArray<{
      /** Gateway name of the tool */
      readonly tool: string;
      /** Calls on which the guard would have acted */
      readonly count: number;
    }>;
    /** The callers with the most such calls, at most 100 */
    readonly by_user: ReadonlyArray<{
      /** The caller */
      readonly email: string;
      /** Calls on which the guard would have acted */
      readonly count: number;
    }>;
    /** Up to 50 such calls, the newest first */
    readonly samples: ReadonlyArray<{
      /** The log entry of the call */
      readonly log_id: string;
      /** The check with the most certain finding; empty if the call was not examined */
      readonly check_id: string;
      /** 1 to 10; 0 if the call was not examined */
      readonly certainty: number;
      /** Where the text is. Names that could be data are replaced with `*` */
      readonly path: string;
    }>;
  };
  /** Something that a check found */
  readonly GuardFinding: {
    /** ID of the check */
    readonly check_id: string;
    /** Name of the check */
    readonly check_name: string;
    /** 1 to 10 */
    readonly certainty: number;
    /** Where the text is, such as `content.0.text` */
    readonly path: string;
    /** Offset of the first character, in UTF-16 units. 0 and 0: the finding is about everything */
    readonly start: number;
    /** Offset after the last character */
    readonly end: number;
    /** The first two characters of the matched text and `…` */
    readonly excerpt: string;
  };
  /** Which calls a runtime guard covers. An empty list means any; all other lists must match. A deleted group, server or user is shown by its ID */
  readonly GuardScope: {
    /** Names of groups; the caller must be a member of one */
    readonly groups: ReadonlyArray<string>;
    /** Slugs of MCP servers */
    readonly servers: ReadonlyArray<string>;
    /** Names of tools at the gateway, with `*` and `?`, such as `github__*` */
    readonly tools: ReadonlyArray<string>;
    /** Emails of people and machine users */
    readonly users: ReadonlyArray<string>;
    /** Slugs of MCP servers that the guard does not cover */
    readonly exclude_servers: ReadonlyArray<string>;
  };
  /** A guard, and what it did */
  readonly GuardWithStats: {
    /** ID of the record; IDs are never reused */
    readonly id: string;
    /** Unique, never changes; used in logs */
    readonly slug: string;
    /** Display name, also in messages to callers */
    readonly name: string;
    /** For admins */
    readonly description: string;
    /** `runtime`: examines calls; `buildtime`: examines content when it is published. Never changes */
    readonly type: "runtime" | "buildtime";
    /** Takes effect immediately */
    readonly enabled: boolean;
    /** What happens if the guard fires. Build-time guards allow only `log`, `warn` and `block` */
    readonly action: "log" | "warn" | "redact" | "require_approval" | "block";
    /** 1 to 10: fires if a finding is at least this certain */
    readonly threshold: number;
    /** Which part of a call is examined; `require_approval`: only `request` */
    readonly direction: "request" | "response" | "both";
    /** Build-time guards only: which content is examined */
    readonly entity_types: ReadonlyArray<"mcp_server" | "tool" | "toolkit" | "skill" | "command" | "plugin" | "background_agent">;
    /** 0 to 1,000,000, the lowest first */
    readonly priority: number;
    /** What happens if a check fails, takes too long, or cannot see all of the text. Default: `allow` for `log` and `warn`, otherwise `block` */
    readonly on_error: "allow" | "block";
    /** Shown to the caller if the guard blocks */
    readonly message: string;
    readonly scope: Schemas["GuardScope"];
    /** The guard fires if one of them has a finding */
    readonly checks: ReadonlyArray<Schemas["GuardCheck"]>;
    /** Built-in guards cannot be deleted; only `enabled`, `action`, `threshold`, `scope`, `direction` and `priority` can be changed */
    readonly is_builtin: boolean;
    /** When it was created */
    readonly created_at: string;
    /** When it was last changed */
    readonly updated_at: string;
    /** What it did at the gateway, up to a few seconds ago */
    readonly stats: {
      /** How many requests and results it examined */
      readonly evaluated: number;
      /** How often it objected */
      readonly fired: number;
      /** When it last objected; null: never */
      readonly last_fired_at: string | null;
    };
  };
  /** Agents to import */
  readonly ImportBackgroundAgents: {
    /** The platform that has the agents */
    readonly platform: "anthropic";
    /** Settings of another platform. Omitted fields stay; a different URL needs its secrets again */
    readonly platform_config: {
      /** `webhook`: the runner */
      readonly url?: string | null | undefined;
      /** `anthropic`: the URL of the API. Default: the platform's own */
      readonly base_url?: string | null | undefined;
      /** `anthropic`: the environment of its sessions */
      readonly environment_id?: string | null | undefined;
      /** `anthropic`: vaults, of which one has the credential of the gateway */
      readonly vault_ids?: ReadonlyArray<string> | undefined;
      /** `anthropic`: never returned */
      readonly api_key?: string | undefined;
      /** `webhook`: signs requests in both directions. Never returned */
      readonly secret?: string | undefined;
    };
  };
  /** A command to import */
  readonly ImportCommand: {
    /** The text of a command file of Claude Code or Cursor */
    readonly markdown?: string | undefined;
    /** The text of a command file of Gemini CLI, instead of `markdown` */
    readonly toml?: string | undefined;
    /** Usually the name of the file. Default: that of an exported file, or from its first line */
    readonly slug?: string | undefined;
  };
  /** How to import it */
  readonly ImportDiscovered: {
    /** The name of the new server. Default: the discovered name */
    readonly name?: string | undefined;
    /** Names of the groups that get the server */
    readonly groups?: ReadonlyArray<string> | undefined;
  };
  /** How to import it */
  readonly ImportDiscoveredSkill: {
    /** Names of the groups that get the skill */
    readonly groups?: ReadonlyArray<string> | undefined;
  };
  /** A skill to import: one of `archive_base64` and `skill_md` */
  readonly ImportSkill: {
    /** A ZIP file in base64 */
    readonly archive_base64?: string | undefined;
    /** The text of SKILL.md with its front matter, for a skill without other files */
    readonly skill_md?: string | undefined;
  };
  /** A validation error that names the faulty field or parameter */
  readonly InvalidFormat: {
    /** The kind of error */
    readonly code: string;
    /** The field or parameter and the reason */
    readonly message: string;
  };
  /** A person's invitation, without its link. A new invitation replaces it */
  readonly Invitation: {
    /** The person's ID */
    readonly user_id: string;
    /** The person's email */
    readonly email: string;
    /** The email of the person or the name of the API token that created it */
    readonly created_by: string;
    /** Whether the person has signed in before. Accepting the link then deletes the person's connections, web sessions, MCP clients, and API tokens */
    readonly resets_account: boolean;
    /** Where the link is sent by email. Null: it is not, and must be handed over in another way */
    readonly emailed_to: string | null;
    /** When it was created */
    readonly created_at: string;
    /** When the link expires */
    readonly expires_at: string;
  };
  /** A session to start */
  readonly InvokeBackgroundAgent: {
    /** What to do. An object is given to the model as JSON */
    readonly input: string | Readonly<Record<string, unknown>>;
    /** Returned with the session, after redaction by guards */
    readonly metadata?: Readonly<Record<string, unknown>> | undefined;
    /** An ended session of the same agent that this one follows up */
    readonly parent_session_id?: string | undefined;
    /** How long to wait for the end. Default: 0 */
    readonly wait_seconds?: number | undefined;
  };
  /** The reviewed settings */
  readonly KeepOAuthSettings: {
    /** Digest of the reviewed settings */
    readonly digest: string;
  };
  /** A token that fetches the plugins and skills of a person */
  readonly LibraryToken: {
    /** Identifies the token in the list */
    readonly id: string;
    /** Where the token is used */
    readonly name: string;
    /** The part of the token that is not secret */
    readonly prefix: string;
    /** When the token expires */
    readonly expires_at: string;
    /** When it was created */
    readonly created_at: string;
  };
  /** A person or a machine user, in a list */
  readonly ListedUser: {
    /** ID of the record; IDs are never reused */
    readonly id: string;
    /** Display name */
    readonly name: string;
    /** Unique, case-insensitive. Generated for machine users */
    readonly email: string;
    /** Whether this is a machine user, such as an agent, a script, or a job */
    readonly is_machine_user: boolean;
    /** Machine users only */
    readonly slug?: string | undefined;
    /** IDs of the user's groups */
    readonly group_ids: ReadonlyArray<string>;
    /** Machine users only: IDs of the people who are responsible for it */
    readonly owner_ids?: ReadonlyArray<string> | undefined;
    /** Machine users only: slug of the only toolkit that it can use. Null: none */
    readonly toolkit?: string | null | undefined;
    /** ID of the user at the identity provider or in another system, case-sensitive. Null: none */
    readonly external_id: string | null;
    /** `scim`: the identity provider manages name, email, external ID, and deletion. Null: managed in Gatehouse */
    readonly provisioned_by: "scim" | null;
    /** Whether the identity provider deactivated the person through SCIM. Such a person is also disabled */
    readonly suspended: boolean;
    /** Risk score from 0 to 100. Null: none */
    readonly risk_score: number | null;
    /** A person's permissions: `owner` has full access, `admin` manages everything except roles, `auditor` has read-only access, `member` manages only their own connections */
    readonly role: "owner" | "admin" | "auditor" | "member";
    /** Whether the user is disabled. A disabled user has no access */
    readonly disabled: boolean;
    /** When it was created */
    readonly created_at: string;
    /** When it was last changed */
    readonly updated_at: string;
    /** Machine users only, with `include_details`: the access key, without the secret */
    readonly access_key?: string | undefined;
    /** Machine users only, with `include_details`: when the old secret of the last rotation expires. Null: it is no longer valid */
    readonly previous_secret_expires_at?: string | null | undefined;
    /** Machine users only, with `include_details`: the OAuth client without its secret. Null: none */
    readonly client_credentials?: {
      /** OAuth client ID */
      readonly client_id: string;
      /** OAuth token endpoint */
      readonly token_url: string;
    } | null | undefined;
    /** With `include_details`: the last call, within the log retention */
    readonly last_used_at?: string | null | undefined;
    /** People only, with `include_details`: the last activity in the admin app, within 7 days */
    readonly last_seen_at?: string | null | undefined;
    /** People only, with `include_details`: whether an invitation is pending */
    readonly invited?: boolean | undefined;
    /** People only, with `include_details`: who created the pending invitation. Null: unknown, or none pending */
    readonly invited_by?: string | null | undefined;
    /** People only, with `include_details`: when the invitation expires. Null: none pending */
    readonly invitation_expires_at?: string | null | undefined;
    /** People only, with `include_details`: the email with the pending invitation. Null: none pending, or it was not sent by email */
    readonly invitation_email?: {
      /** Whether the mail server accepted the email */
      readonly status: "pending" | "sent" | "failed" | "canceled";
      /** Why the last attempt failed. Null: it did not */
      readonly error: string | null;
      /** When it was queued */
      readonly at: string;
    } | null | undefined;
    /** People only, with `include_details`: available sign-in methods */
    readonly sign_in_methods?: ReadonlyArray<"password" | "sso"> | undefined;
    /** With `include_details`: number of connected MCP servers */
    readonly connections_count?: number | undefined;
    /** Machine users only, with `include_details`: the people in `owner_ids` */
    readonly owners?: ReadonlyArray<{
      /** A person's ID */
      readonly id: string;
      /** Display name */
      readonly name: string;
      /** Email */
      readonly email: string;
    }> | undefined;
  };
  /** How far one log was sent */
  readonly LogCursor: {
    /** The log. Signed checkpoints of the audit log have a separate position */
    readonly source: "calls" | "audit" | "checkpoints";
    /** Number of the last record that was sent */
    readonly position: number;
    /** Records that wait, including those that the filter leaves out */
    readonly lag_records: number;
    /** How long the oldest of them has been waiting */
    readonly lag_seconds: number;
    /** Records that were sent */
    readonly shipped_records: number;
    /** When records were last sent */
    readonly shipped_at: string | null;
    /** Records that retention deleted before they were sent */
    readonly lost_records: number;
    /** When lost records were last noticed */
    readonly lost_at: string | null;
    /** Records that the receiver rejected for good */
    readonly rejected_records: number;
    /** The first failed attempt since the last successful one */
    readonly failing_since: string | null;
    /** Why the last attempt failed or records were rejected; null if neither */
    readonly last_error: string | null;
    /** When the next attempt follows a failed one */
    readonly next_attempt_at: string | null;
  };
  /** A receiver of logs, without its secrets */
  readonly LogDestination: {
    /** ID of the record; IDs are never reused */
    readonly id: string;
    /** Name of the destination */
    readonly name: string;
    /** `otlp`: OpenTelemetry logs (OTLP/HTTP with JSON). `s3`: compressed JSON lines in an S3-compatible bucket. `webhook`: JSON lines in signed requests. `file`: JSON lines in the folder `LOG_FILES_DIR` */
    readonly kind: "otlp" | "s3" | "webhook" | "file";
    /** `calls`: the call log. `audit`: the audit log with its signed checkpoints */
    readonly sources: ReadonlyArray<"calls" | "audit">;
    /** Only calls with these outcomes are sent; null: all calls */
    readonly outcomes: ReadonlyArray<"ok" | "tool_error" | "error" | "denied" | "upstream_failed" | "timeout" | "cancelled" | "interrupted" | "not_connected" | "blocked" | "pending_approval"> | null;
    /** `otlp` and `webhook`: the URL of the receiver. `s3`: the endpoint. Private addresses need `EGRESS_ALLOW`; redirects are not followed */
    readonly url: string | null;
    /** `s3`: the region of the bucket */
    readonly region: string | null;
    /** `s3`: the name of the bucket */
    readonly bucket: string | null;
    /** `s3`: where the bucket's name is in URLs. `path`: after the host; `virtual_host`: before the host */
    readonly addressing: "path" | "virtual_host" | null;
    /** `s3`: the ID of the access key */
    readonly access_key_id: string | null;
    /** `s3`: the start of object keys, such as `gatehouse/`. `file`: the start of file names */
    readonly prefix: string | null;
    /** The names of the headers, whose values are secret */
    readonly header_names: ReadonlyArray<string>;
    /** Whether records are sent. While it is paused, its position in the log is kept */
    readonly enabled: boolean;
    /** `failing`: the last attempt failed; `behind`: records wait for more than 5 minutes */
    readonly status: "paused" | "failing" | "behind" | "current";
    /** How far each log was sent */
    readonly cursors: ReadonlyArray<Schemas["LogCursor"]>;
    /** Who created it */
    readonly created_by: string;
    /** When it was created */
    readonly created_at: string;
    /** When it was last changed */
    readonly updated_at: string;
  };
  /** How the receiver responded to a test record */
  readonly LogDestinationTest: {
    /** Whether the receiver accepted the record */
    readonly delivered: boolean;
    /** HTTP status; null: no response */
    readonly response_status: number | null;
    /** Why it failed; null if it succeeded */
    readonly error: string | null;
    /** What the receiver reported although it accepted the request; null: nothing */
    readonly warning: string | null;
    /** The first 1,000 characters of the response; for a file, its name */
    readonly response: string | null;
  };
  /** One request at the gateway with all its details */
  readonly LogDetail: {
    /** The ID of the log entry */
    readonly id: string;
    /** Time at which the request arrived */
    readonly ts: string;
    /** The caller's ID */
    readonly user_id: string;
    /** The caller's email at that time */
    readonly user_email: string;
    /** The MCP server; null if the request has no server */
    readonly server_slug: string | null;
    /** The tool; null if the request has no tool */
    readonly tool: string | null;
    /** The MCP method */
    readonly method: string;
    /** The outcome. `ok`: success. `tool_error`: the tool reported an error in its result. `error`: the MCP server answered with a JSON-RPC error, or the request was invalid. `denied`: the caller has no access. `upstream_failed`: the MCP server is unavailable. `timeout`: no response in time. `cancelled`: canceled by the caller. `interrupted`: Gatehouse stopped during the call. `not_connected`: the caller has not connected an account. `blocked`: a guard blocked the request or the response. `pending_approval`: a guard holds the call until a person approves it */
    readonly outcome: "ok" | "tool_error" | "error" | "denied" | "upstream_failed" | "timeout" | "cancelled" | "interrupted" | "not_connected" | "blocked" | "pending_approval";
    /** Milliseconds from the arrival of the request to the end of the response */
    readonly duration_ms: number;
    /** Size of the request body */
    readonly request_bytes: number;
    /** Size of the response body */
    readonly response_bytes: number;
    /** The request ID, as in the response header `x-request-id` */
    readonly request_id: string;
    /** The error message; null if there was no error */
    readonly error: string | null;
    /** How the caller authenticated: `machine_key` with an access key, `oauth` with an MCP client that signed in, `exchange` with a token of a trusted issuer, `app` in the playground, `agent` as a session of an agent, `library` with a token for git and scripts */
    readonly via: "machine_key" | "oauth" | "exchange" | "agent" | "app" | "library";
    /** As `via`; for exchanged tokens followed by a colon and the slug of the trusted issuer */
    readonly auth: string;
    /** The OAuth client ID of the MCP client, the slug of the trusted issuer, or the name of the token for git and scripts; null for others */
    readonly client_id: string | null;
    /** The agent that made the call; null if none did */
    readonly agent_slug: string | null;
    /** The session of the agent; null if no agent made the call */
    readonly agent_session_id: string | null;
    /** The W3C trace ID; null if the request has none */
    readonly trace_id: string | null;
    /** The toolkit that the request used, or that limits the server for this user; null if there is none */
    readonly toolkit_slug: string | null;
    /** The tool's name in that toolkit, without the server's prefix; null if it has the name in `tool` */
    readonly exposed_tool: string | null;
    /** Another toolkit that has something under the same name; the toolkit whose slug is first in the alphabet decides. Null if there is none */
    readonly toolkit_conflict: string | null;
    /** The guard that acted on the call; null if there is none */
    readonly guard_slug: string | null;
    /** What the guard did; null if no guard found anything */
    readonly guard_action: "log" | "warn" | "redact" | "require_approval" | "block" | null;
    /** The approval that the call required; null if it required none */
    readonly approval_id: string | null;
    /** Which checks found something, without the matched text */
    readonly guard_findings: ReadonlyArray<{
      /** The guard */
      readonly guard_slug: string;
      /** The name of the check in the guard */
      readonly check_name: string;
      /** Where it found something */
      readonly direction: "request" | "response";
      /** How often */
      readonly count: number;
    }>;
    /** The tool's current name at the gateway; null if the tool no longer exists */
    readonly gateway_name: string | null;
    /** The events of the call. Without `forwarded`, no MCP server was contacted */
    readonly timeline: ReadonlyArray<{
      /** The event */
      readonly event: "received" | "forwarded" | "ended";
      /** Milliseconds since the request arrived */
      readonly after_ms: number;
    }>;
    /** Whether the payload is stored */
    readonly has_payload: boolean;
    /** The payload; null unless `include_payload` is set and the payload is stored */
    readonly payload: Schemas["LogPayload"] | null;
  };
  /** One request at the gateway with its caller and outcome */
  readonly LogEntry: {
    /** The ID of the log entry */
    readonly id: string;
    /** Time at which the request arrived */
    readonly ts: string;
    /** The caller's ID */
    readonly user_id: string;
    /** The caller's email at that time */
    readonly user_email: string;
    /** The MCP server; null if the request has no server */
    readonly server_slug: string | null;
    /** The tool; null if the request has no tool */
    readonly tool: string | null;
    /** The MCP method */
    readonly method: string;
    /** The outcome. `ok`: success. `tool_error`: the tool reported an error in its result. `error`: the MCP server answered with a JSON-RPC error, or the request was invalid. `denied`: the caller has no access. `upstream_failed`: the MCP server is unavailable. `timeout`: no response in time. `cancelled`: canceled by the caller. `interrupted`: Gatehouse stopped during the call. `not_connected`: the caller has not connected an account. `blocked`: a guard blocked the request or the response. `pending_approval`: a guard holds the call until a person approves it */
    readonly outcome: "ok" | "tool_error" | "error" | "denied" | "upstream_failed" | "timeout" | "cancelled" | "interrupted" | "not_connected" | "blocked" | "pending_approval";
    /** Milliseconds from the arrival of the request to the end of the response */
    readonly duration_ms: number;
    /** Size of the request body */
    readonly request_bytes: number;
    /** Size of the response body */
    readonly response_bytes: number;
    /** The request ID, as in the response header `x-request-id` */
    readonly request_id: string;
    /** The error message; null if there was no error */
    readonly error: string | null;
    /** How the caller authenticated: `machine_key` with an access key, `oauth` with an MCP client that signed in, `exchange` with a token of a trusted issuer, `app` in the playground, `agent` as a session of an agent, `library` with a token for git and scripts */
    readonly via: "machine_key" | "oauth" | "exchange" | "agent" | "app" | "library";
    /** As `via`; for exchanged tokens followed by a colon and the slug of the trusted issuer */
    readonly auth: string;
    /** The OAuth client ID of the MCP client, the slug of the trusted issuer, or the name of the token for git and scripts; null for others */
    readonly client_id: string | null;
    /** The agent that made the call; null if none did */
    readonly agent_slug: string | null;
    /** The session of the agent; null if no agent made the call */
    readonly agent_session_id: string | null;
    /** The W3C trace ID; null if the request has none */
    readonly trace_id: string | null;
    /** The toolkit that the request used, or that limits the server for this user; null if there is none */
    readonly toolkit_slug: string | null;
    /** The tool's name in that toolkit, without the server's prefix; null if it has the name in `tool` */
    readonly exposed_tool: string | null;
    /** Another toolkit that has something under the same name; the toolkit whose slug is first in the alphabet decides. Null if there is none */
    readonly toolkit_conflict: string | null;
    /** The guard that acted on the call; null if there is none */
    readonly guard_slug: string | null;
    /** What the guard did; null if no guard found anything */
    readonly guard_action: "log" | "warn" | "redact" | "require_approval" | "block" | null;
    /** The approval that the call required; null if it required none */
    readonly approval_id: string | null;
    /** Which checks found something, without the matched text */
    readonly guard_findings: ReadonlyArray<{
      /** The guard */
      readonly guard_slug: string;
      /** The name of the check in the guard */
      readonly check_name: string;
      /** Where it found something */
      readonly direction: "request" | "response";
      /** How often */
      readonly count: number;
    }>;
  };
  /** Calls to one server that failed with the same error */
  readonly LogErrorGroup: {
    /** The MCP server; null if the call had no server */
    readonly server_slug: string | null;
    /** The outcome of these calls */
    readonly outcome: "ok" | "tool_error" | "error" | "denied" | "upstream_failed" | "timeout" | "cancelled" | "interrupted" | "not_connected" | "blocked" | "pending_approval";
    /** The error message, with `…` for parts that differ; null if there was none */
    readonly error: string | null;
    /** Number of calls */
    readonly calls: number;
    /** Time of the first counted call */
    readonly first_ts: string;
    /** Time of the last counted call */
    readonly last_ts: string;
  };
  /** The cursors of the next page and of later calls */
  readonly LogPagination: {
    /** Maximum number of entries per page */
    readonly limit: number;
    /** Whether there is another page */
    readonly hasMore: boolean;
    /** Cursor of the next page; null on the last page */
    readonly nextCursor: string | null;
    /** The cursor for `GET /api/logs/tail` that continues after this page */
    readonly tailCursor: string;
  };
  /** The stored request and response of a call */
  readonly LogPayload: {
    /** `redacted`: values that look like secrets were removed */
    readonly capture: "redacted" | "full";
    /** The request body */
    readonly request: {
      /** The body as JSON text; null if it was too large to scan for secrets */
      readonly text: string | null;
      /** Size of the complete body */
      readonly bytes: number;
      /** Whether the stored text is truncated */
      readonly is_cut: boolean;
    };
    /** The final response, without earlier messages of the stream */
    readonly response: {
      /** The body as JSON text; null if it was too large to scan for secrets */
      readonly text: string | null;
      /** Size of the complete body */
      readonly bytes: number;
      /** Whether the stored text is truncated */
      readonly is_cut: boolean;
    };
  };
  /** An MCP server with its settings and tools */
  readonly McpServerDetail: {
    /** Unique identifier and prefix of its tool names */
    readonly slug: string;
    /** Display name */
    readonly name: string;
    /** Description; may be empty */
    readonly description: string;
    /** A `draft` is visible only to groups with `show_draft_mcps` */
    readonly status: "active" | "draft";
    /** Logo, served by Gatehouse */
    readonly logo_url: string;
    /** Authentication at the upstream: `none`, OAuth per user (`proxy-oauth`), an API key per user (`proxy-api-key`), or the token that the user exchanged (`exchanged-token`) */
    readonly auth_type: "none" | "proxy-oauth" | "proxy-api-key" | "exchanged-token";
    /** Number of enabled tools */
    readonly tools_count: number;
    /** Whether the server is a local process */
    readonly is_local_mcp: boolean;
    /** The upstream; null if none is set */
    readonly connection: {
      /** URL of the upstream */
      readonly url: string;
      /** Transport: `http` is streamable HTTP, `sse` is HTTP+SSE (2024-11-05), `both` tries `http`, then `sse`, `stdio` is a local process */
      readonly transport: "http" | "sse" | "both" | "stdio";
    } | null;
    /** Tools available to callers */
    readonly tools: ReadonlyArray<{
      /** Title of the tool, or its name at the upstream */
      readonly name: string;
      /** The part of the tool's gateway name after `__` */
      readonly slug: string;
      /** Description of the tool */
      readonly description: string;
    }>;
    /** ID of the record; IDs are never reused */
    readonly id: string;
    /** Connector that the server was created from; null if none */
    readonly connector_id: string | null;
    /** How users authenticate at the upstream, without secrets */
    readonly auth_settings: {
      /** Authentication at the upstream: `none`, OAuth per user (`proxy-oauth`), an API key per user (`proxy-api-key`), or the token that the user exchanged (`exchanged-token`) */
      readonly authType: "none" | "proxy-oauth" | "proxy-api-key" | "exchanged-token";
      /** OAuth client ID. If omitted, Gatehouse registers a client */
      readonly clientId?: string | undefined;
      /** OAuth authorization endpoint. Discovered if omitted */
      readonly authUrl?: string | undefined;
      /** OAuth token endpoint. Discovered if omitted */
      readonly tokenUrl?: string | undefined;
      /** OAuth registration endpoint. Discovered if omitted */
      readonly registrationUrl?: string | undefined;
      /** OAuth issuer. Discovered if omitted. With `exchanged-token`: the `iss` of the trusted issuer whose tokens are sent; required */
      readonly issuer?: string | undefined;
      /** OAuth resource indicator. The upstream's URL if omitted */
      readonly resource?: string | undefined;
      /** Header that carries the user's API key. `Authorization` by default */
      readonly headerName?: string | undefined;
      /** Text before the API key in that header. `Bearer ` by default */
      readonly headerPrefix?: string | undefined;
      /** Parameters of the authorization request */
      readonly client?: {
        /** OAuth scopes, separated by spaces */
        readonly scope?: string | undefined;
      } | undefined;
      /** Instructions for users who connect, in Markdown */
      readonly howtoMarkdown?: string | undefined;
      /** Shared credential: headers that the gateway sends with every request to the server, by name. Only with `authType` `none`. Values are always null, because they are never returned */
      readonly sharedHeaders?: Readonly<Record<string, string | null>> | undefined;
      /** Whether an OAuth client secret is stored */
      readonly hasClientSecret: boolean;
    };
    /** Discovered OAuth settings that people connect with; null if none were discovered. They change only if an admin approves it */
    readonly oauth: Schemas["PinnedOAuth"] | null;
    /** OAuth settings that the server names instead; null if none. They are not used until an admin approves them */
    readonly oauth_change: Schemas["OAuthChange"] | null;
    readonly limits: Schemas["ServerLimits"];
    /** Number of model tokens that the definitions of these tools take. Approximate: the bytes of the definitions, divided by 4 */
    readonly tokens_estimate: number;
    /** The tools that take the most tokens, largest first; ten at most */
    readonly largest: ReadonlyArray<{
      /** The slug */
      readonly name: string;
      /** Number of model tokens. Approximate: the bytes of the definitions, divided by 4 */
      readonly tokens_estimate: number;
    }>;
    /** What happens when the server changes its instructions, or changes or adds tools, prompts, or resource templates: `allow` accepts them, `warn` allows and flags them for review, `hold` hides them from callers until an admin accepts them. `hold` applies to resources too */
    readonly tool_policy: "allow" | "warn" | "hold";
    /** Whether callers receive the text for models that the server sends (`instructions`). It is reviewed like tool definitions (`tool_policy`) */
    readonly pass_instructions: boolean;
    /** Longer texts of tool results are cut at this number of bytes and end with a link to the complete text; null: never */
    readonly result_limit_bytes: number | null;
    /** The text for models that the server sent at the last sync, as callers receive it; empty if none */
    readonly instructions: string;
    /** Number of tools, prompts, resources, resource templates, and instructions held for review */
    readonly tools_held_count: number;
    /** All tools, including disabled ones */
    readonly all_tools: ReadonlyArray<{
      /** Title of the tool, or its name at the upstream */
      readonly name: string;
      /** The part of the tool's gateway name after `__` */
      readonly slug: string;
      /** Description of the tool */
      readonly description: string;
      /** The tool's name at the server */
      readonly upstream_name: string;
      /** Whether the tool is enabled */
      readonly enabled: boolean;
      /** Whether the tool is hidden from callers until an admin accepts it (`tool_policy`, or a guard) */
      readonly held: boolean;
      /** The build-time guard that holds the definition; null if none does */
      readonly blocked_by: {
        /** The guard's slug */
        readonly guard_slug: string;
        /** The guard's name */
        readonly guard_name: string;
        /** The name of its check, or why the definition could not be examined, such as `timeout` */
        readonly check: string;
      } | null;
      /** Whether an admin rejected the definition that the server lists now */
      readonly rejected: boolean;
      /** Whether the tool is new or differs from its accepted definition; null if accepted */
      readonly change: "new" | "changed" | null;
      /** Digest of the definition; empty until the first sync after an upgrade */
      readonly digest: string;
      /** Invisible characters in the definition */
      readonly invisible_characters: ReadonlyArray<string>;
      /** Annotations declared by the server; not verified */
      readonly hints: {
        /** Whether calls do not modify anything; null if not declared */
        readonly read_only: boolean | null;
        /** Whether calls may delete or overwrite data; null if not declared */
        readonly destructive: boolean | null;
        /** Whether repeated calls with the same arguments have no further effect; null if not declared */
        readonly idempotent: boolean | null;
        /** Whether calls interact with external systems, such as the web; null if not declared */
        readonly open_world: boolean | null;
      };
      /** Client capabilities without which the server does not list the tool. Only clients that declare all of them get it */
      readonly required_capabilities: ReadonlyArray<"elicitation" | "elicitation.url" | "roots" | "sampling" | "sampling.tools">;
      /** Limits of the tool's calls by all users together */
      readonly limits: Schemas["CallLimits"];
    }>;
    /** Whether setup is incomplete: no upstream, or no OAuth client ID */
    readonly needs_setup: boolean;
    /** Number of new and changed tools, prompts, resources, resource templates, and instructions to review */
    readonly tools_changed_count: number;
    /** Time of the last successful sync; null if never synced */
    readonly tools_synced_at: string | null;
    /** Why the last sync failed; null if it succeeded */
    readonly sync_error: string | null;
    /** Groups that contain the server, oldest first */
    readonly groups: ReadonlyArray<string>;
    /** Connections of users, for servers with per-user authentication */
    readonly connections: {
      /** Number of connected users */
      readonly connected: number;
      /** Number of users who must reconnect */
      readonly reconnect_needed: number;
    };
    /** Number of users with access through groups. Counting stops at 1000; a larger value means more */
    readonly users_count: number;
    /** Summary of the last calls (at most 20); null if it was never called */
    readonly recent_calls: {
      /** Time of the last call */
      readonly last_at: string;
      /** Number of calls sent to the server */
      readonly calls: number;
      /** Number of these calls without a response from the server */
      readonly failed: number;
      /** Median duration of the answered calls; null if none was answered */
      readonly median_ms: number | null;
    } | null;
    /** Health of the server, from its last sync and its last calls */
    readonly health: {
      /** `unreachable`: the last sync failed; `failing`: at least 3 of the last 5 calls failed; `not_synced`: its tools were never synced */
      readonly status: "healthy" | "failing" | "unreachable" | "not_synced";
      /** Cause of the failure; null if there is none */
      readonly cause: "dns" | "refused" | "tls" | "unauthorized" | "server_error" | "timeout" | "invalid_response" | "other" | null;
      /** The failure in a few words; null if healthy */
      readonly message: string | null;
      /** When the failure started; null if unknown or healthy */
      readonly since: string | null;
    };
    /** Whether the gateway sends shared headers (`auth_settings.sharedHeaders`) */
    readonly has_shared_credential: boolean;
    /** Whether the server names other OAuth settings than before, which an admin must approve */
    readonly oauth_change_pending: boolean;
    /** User whose connection is used to sync the tools; null if none is set */
    readonly sync_user_email: string | null;
    /** When it was created */
    readonly created_at: string;
    /** When it was last changed */
    readonly updated_at: string;
  };
  /** Prompts and resources of a server, as of its last sync */
  readonly McpServerItems: {
    /** Prompts, in the order of the server */
    readonly prompts: ReadonlyArray<{
      /** Name at the server */
      readonly name: string;
      /** Title, or the name at the server */
      readonly title: string;
      /** Description of the server; may be empty */
      readonly description: string;
      /** Whether it is hidden from callers until an admin accepts it (`tool_policy`) */
      readonly held: boolean;
    }>;
    /** Resources, then resource templates, in the order of the server */
    readonly resources: ReadonlyArray<{
      /** URI, or URI template */
      readonly uri: string;
      /** Title, or the name at the server */
      readonly title: string;
      /** Description of the server; may be empty */
      readonly description: string;
      /** Whether it is hidden from callers until an admin accepts it (`tool_policy`) */
      readonly held: boolean;
    }>;
  };
  /** An MCP server; with `fields`, only the named fields */
  readonly McpServerSelection: {
    /** Unique identifier and prefix of its tool names */
    readonly slug?: string | undefined;
    /** Display name */
    readonly name?: string | undefined;
    /** Description; may be empty */
    readonly description?: string | undefined;
    /** A `draft` is visible only to groups with `show_draft_mcps` */
    readonly status?: "active" | "draft" | undefined;
    /** Logo, served by Gatehouse */
    readonly logo_url?: string | undefined;
    /** Authentication at the upstream: `none`, OAuth per user (`proxy-oauth`), an API key per user (`proxy-api-key`), or the token that the user exchanged (`exchanged-token`) */
    readonly auth_type?: "none" | "proxy-oauth" | "proxy-api-key" | "exchanged-token" | undefined;
    /** Number of enabled tools */
    readonly tools_count?: number | undefined;
    /** Whether the server is a local process */
    readonly is_local_mcp?: boolean | undefined;
    /** The upstream; null if none is set */
    readonly connection?: {
      /** URL of the upstream */
      readonly url?: string | undefined;
      /** Transport: `http` is streamable HTTP, `sse` is HTTP+SSE (2024-11-05), `both` tries `http`, then `sse`, `stdio` is a local process */
      readonly transport?: "http" | "sse" | "both" | "stdio" | undefined;
    } | null | undefined;
    /** Enabled tools; only if requested */
    readonly tools?: ReadonlyArray<{
      /** Title of the tool, or its name at the upstream */
      readonly name?: string | undefined;
      /** The part of the tool's gateway name after `__` */
      readonly slug?: string | undefined;
      /** Description of the tool */
      readonly description?: string | undefined;
    }> | undefined;
    /** Whether setup is incomplete: no upstream, or no OAuth client ID */
    readonly needs_setup?: boolean | undefined;
    /** Number of new and changed tools, prompts, resources, resource templates, and instructions to review */
    readonly tools_changed_count?: number | undefined;
    /** Time of the last successful sync; null if never synced */
    readonly tools_synced_at?: string | null | undefined;
    /** Why the last sync failed; null if it succeeded */
    readonly sync_error?: string | null | undefined;
    /** Groups that contain the server, oldest first */
    readonly groups?: ReadonlyArray<string> | undefined;
    /** Connections of users, for servers with per-user authentication */
    readonly connections?: {
      /** Number of connected users */
      readonly connected?: number | undefined;
      /** Number of users who must reconnect */
      readonly reconnect_needed?: number | undefined;
    } | undefined;
    /** Number of users with access through groups. Counting stops at 1000; a larger value means more */
    readonly users_count?: number | undefined;
    /** Summary of the last calls (at most 20); null if it was never called */
    readonly recent_calls?: {
      /** Time of the last call */
      readonly last_at?: string | undefined;
      /** Number of calls sent to the server */
      readonly calls?: number | undefined;
      /** Number of these calls without a response from the server */
      readonly failed?: number | undefined;
      /** Median duration of the answered calls; null if none was answered */
      readonly median_ms?: number | null | undefined;
    } | null | undefined;
    /** Health of the server, from its last sync and its last calls */
    readonly health?: {
      /** `unreachable`: the last sync failed; `failing`: at least 3 of the last 5 calls failed; `not_synced`: its tools were never synced */
      readonly status?: "healthy" | "failing" | "unreachable" | "not_synced" | undefined;
      /** Cause of the failure; null if there is none */
      readonly cause?: "dns" | "refused" | "tls" | "unauthorized" | "server_error" | "timeout" | "invalid_response" | "other" | null | undefined;
      /** The failure in a few words; null if healthy */
      readonly message?: string | null | undefined;
      /** When the failure started; null if unknown or healthy */
      readonly since?: string | null | undefined;
    } | undefined;
    /** Whether the gateway sends shared headers (`auth_settings.sharedHeaders`) */
    readonly has_shared_credential?: boolean | undefined;
    /** Whether the server names other OAuth settings than before, which an admin must approve */
    readonly oauth_change_pending?: boolean | undefined;
  };
  /** Tools of a server after a change */
  readonly McpServerTools: {
    /** The server's slug */
    readonly slug: string;
    /** Number of enabled tools */
    readonly tools_count: number;
    /** All tools, including disabled ones */
    readonly tools: ReadonlyArray<{
      /** Title of the tool, or its name at the upstream */
      readonly name: string;
      /** The part of the tool's gateway name after `__` */
      readonly slug: string;
      /** Description of the tool */
      readonly description: string;
      /** The tool's name at the server */
      readonly upstream_name: string;
      /** Whether the tool is enabled */
      readonly enabled: boolean;
      /** Whether the tool is hidden from callers until an admin accepts it (`tool_policy`, or a guard) */
      readonly held: boolean;
      /** The build-time guard that holds the definition; null if none does */
      readonly blocked_by: {
        /** The guard's slug */
        readonly guard_slug: string;
        /** The guard's name */
        readonly guard_name: string;
        /** The name of its check, or why the definition could not be examined, such as `timeout` */
        readonly check: string;
      } | null;
      /** Whether an admin rejected the definition that the server lists now */
      readonly rejected: boolean;
      /** Whether the tool is new or differs from its accepted definition; null if accepted */
      readonly change: "new" | "changed" | null;
      /** Digest of the definition; empty until the first sync after an upgrade */
      readonly digest: string;
      /** Invisible characters in the definition */
      readonly invisible_characters: ReadonlyArray<string>;
      /** Annotations declared by the server; not verified */
      readonly hints: {
        /** Whether calls do not modify anything; null if not declared */
        readonly read_only: boolean | null;
        /** Whether calls may delete or overwrite data; null if not declared */
        readonly destructive: boolean | null;
        /** Whether repeated calls with the same arguments have no further effect; null if not declared */
        readonly idempotent: boolean | null;
        /** Whether calls interact with external systems, such as the web; null if not declared */
        readonly open_world: boolean | null;
      };
      /** Client capabilities without which the server does not list the tool. Only clients that declare all of them get it */
      readonly required_capabilities: ReadonlyArray<"elicitation" | "elicitation.url" | "roots" | "sampling" | "sampling.tools">;
      /** Limits of the tool's calls by all users together */
      readonly limits: Schemas["CallLimits"];
    }>;
  };
  /** The caller, without credentials */
  readonly Me: {
    /** Whether the caller is an API token or a signed-in person */
    readonly type: "api_token" | "user";
    /** The ID of the token or person */
    readonly id: string;
    /** The name of the token or person */
    readonly name: string;
    /** The caller's scopes */
    readonly scopes: ReadonlyArray<string>;
    /** When the token or web session expires. Null: never */
    readonly expires_at: string | null;
    /** When the token or web session was last used, to the minute */
    readonly last_used_at: string | null;
    /** When it was created */
    readonly created_at: string;
    /** People only: the email */
    readonly email?: string | undefined;
    /** People only: the role */
    readonly role?: string | undefined;
    /** People only: the ID of the current web session */
    readonly web_session_id?: string | undefined;
    /** People only: the last authentication */
    readonly authenticated_at?: string | undefined;
    /** People only: methods for authenticating again: `password` with `confirmMyPassword`, `sso` with the page `/sso?confirm=true` */
    readonly sign_in_methods?: ReadonlyArray<"password" | "sso"> | undefined;
    /** People only: resets of the account within the last 30 days, newest first */
    readonly account_resets?: ReadonlyArray<Schemas["AccountReset"]> | undefined;
    /** People only: the value of the header `x-csrf-token`, required for every change */
    readonly csrf_token?: string | undefined;
  };
  /** The result in one sentence */
  readonly Message: {
    /** What the operation did */
    readonly message: string;
  };
  /** A call of the person, or of a machine user they own, that a guard held */
  readonly MyApproval: {
    /** ID of the record; IDs are never reused */
    readonly id: string;
    /** `expired`: no decision in time. An approved call is used up when `used_at` is set */
    readonly status: "pending" | "approved" | "denied" | "expired";
    /** Email of the caller */
    readonly user_email: string;
    /** The MCP server */
    readonly server_slug: string;
    /** Display name of the server */
    readonly server_name: string;
    /** The tool or prompt, by its name at the server */
    readonly tool: string;
    /** Display name of the guard that holds the call */
    readonly guard_name: string;
    /** When it was created */
    readonly created_at: string;
    /** Until when a pending approval can be decided, or the decision applies to calls with identical arguments */
    readonly expires_at: string;
    /** When it was decided */
    readonly decided_at: string | null;
    /** What the person who decided wrote */
    readonly note: string | null;
    /** When an approved call continued. An approval is used once */
    readonly used_at: string | null;
  };
  /** Secrets that are shown once. Omitted if none was generated */
  readonly NewAgentSecrets: {
    /** The secret of the inbound webhook */
    readonly webhook?: string | undefined;
    /** The signing secret of `notify_url` */
    readonly notify?: string | undefined;
  };
  /** OAuth settings that the server names instead of the current ones */
  readonly OAuthChange: {
    /** The authorization server */
    readonly issuer: string;
    /** Resource indicator of token requests (RFC 8707) */
    readonly resource: string;
    /** Authorization endpoint */
    readonly authUrl: string;
    /** Token endpoint */
    readonly tokenUrl: string;
    /** Digest of these settings, required to approve them or to keep the current ones */
    readonly digest: string;
    /** When the server named them first */
    readonly found_at: string;
    /** Whether an admin decided to keep the current settings */
    readonly kept: boolean;
  };
  /** The new order */
  readonly OrderDiscoveryRules: {
    /** IDs of all rules in the new order */
    readonly ids: ReadonlyArray<string>;
  };
  /** The organization of this installation */
  readonly Organization: {
    /** The organization's name, shown to MCP clients */
    readonly name: string;
    /** The domain of machine users' emails */
    readonly domain: string;
    /** Whether people can browse servers and request access */
    readonly access_requests: boolean;
    /** Help contact: an email or a URL. Null: none */
    readonly help_contact: string | null;
  };
  /** The OAuth settings that people connect with */
  readonly PinnedOAuth: {
    /** The authorization server */
    readonly issuer: string;
    /** Resource indicator of token requests (RFC 8707) */
    readonly resource: string;
    /** Authorization endpoint */
    readonly authUrl: string;
    /** Token endpoint */
    readonly tokenUrl: string;
  };
  /** The wanted configuration */
  readonly PlanConfig: {
    /** Objects by kind. Omitted kinds and omitted fields keep their values */
    readonly config: Readonly<Record<string, unknown>>;
    /** Delete objects of these kinds that are not declared. Default: false */
    readonly prune?: boolean | undefined;
  };
  /** A bundle of skills, commands, agents and MCP configuration for AI clients */
  readonly Plugin: {
    /** ID of the record; IDs are never reused */
    readonly id: string;
    /** The name in clients; never changes */
    readonly slug: string;
    /** Display name */
    readonly name: string;
    /** What the plugin is for */
    readonly description: string;
    /** Who made it. Null: the organization */
    readonly author: {
      /** Name */
      readonly name: string;
      /** Email */
      readonly email?: string | undefined;
      /** Website */
      readonly url?: string | undefined;
    } | null;
    /** Category in marketplaces */
    readonly category: string | null;
    /** Words to find it by */
    readonly keywords: ReadonlyArray<string>;
    /** Website of the plugin */
    readonly homepage: string | null;
    /** License */
    readonly license: string | null;
    /** Slugs of the skills */
    readonly skills: ReadonlyArray<string>;
    /** Slugs of the commands */
    readonly commands: ReadonlyArray<string>;
    /** Subagents of the client */
    readonly agents: ReadonlyArray<{
      /** Name of the agent */
      readonly name: string;
      /** When to use the agent */
      readonly description: string;
      /** Instructions in Markdown */
      readonly content: string;
      /** The model. Absent: that of the client */
      readonly model?: string | undefined;
      /** The tools of the client that it can use. Absent: all */
      readonly tools?: ReadonlyArray<string> | undefined;
    }>;
    /** Commands that clients run, by event */
    readonly hooks: Readonly<Record<string, unknown>> | null;
    /** MCP configuration */
    readonly mcp: {
      /** Whether the plugin configures the gateway */
      readonly include_gateway: boolean;
      /** Name of the gateway in the client */
      readonly server_name: string;
      /** Slug of the toolkit that clients use */
      readonly toolkit: string | null;
      /** Slugs of MCP servers that clients get as separate servers */
      readonly servers: ReadonlyArray<string>;
    };
    /** Clients that releases have manifests for */
    readonly targets: ReadonlyArray<"claude" | "cursor" | "codex">;
    /** Only active plugins reach callers */
    readonly status: "draft" | "active";
    /** Names of the groups whose members can install it */
    readonly groups: ReadonlyArray<string>;
    /** The version of the latest release. Null: none */
    readonly latest_version: string | null;
    /** Number of releases */
    readonly releases_count: number;
    /** Whether the next release would differ from the latest one */
    readonly has_unpublished_changes: boolean;
    /** When it was created */
    readonly created_at: string;
    /** When it was last changed */
    readonly updated_at: string;
  };
  /** Which files differ from an earlier release */
  readonly PluginChanges: {
    /** The version that it is compared with. Null: there is none */
    readonly since: string | null;
    /** By path */
    readonly files: ReadonlyArray<{
      /** Path in the release */
      readonly path: string;
      /** What happened to the file */
      readonly change: "added" | "changed" | "removed";
    }>;
  };
  /** Where clients get plugins */
  readonly PluginMarketplace: {
    /** The name of the marketplace in clients */
    readonly name: string;
    /** The plugins of the caller as JSON */
    readonly marketplace_url: string;
    /** The plugins of the caller as one git repository */
    readonly git_url: string;
    /** Asks for the access key and its secret, which the credential helper of git keeps */
    readonly sign_in_command: string;
    /** What adds the marketplace to each client */
    readonly add_commands: {
      /** Typed in Claude Code */
      readonly claude: string;
      /** Typed in Cursor */
      readonly cursor: string;
      /** Typed in a terminal */
      readonly codex: string;
    };
  };
  /** One release of a plugin; releases never change */
  readonly PluginRelease: {
    /** Semantic version */
    readonly version: string;
    /** Of the paths, modes and contents of all files */
    readonly digest: string;
    /** Number of files */
    readonly files_count: number;
    /** When it was published */
    readonly published_at: string;
    /** What changed */
    readonly notes: string;
    /** Size of all files in bytes */
    readonly size_bytes: number;
    /** Whether callers of an active plugin get this release */
    readonly latest: boolean;
    /** Who published it */
    readonly published_by: string;
  };
  /** A plugin; with `fields`, only the named fields */
  readonly PluginSelection: {
    /** ID of the record; IDs are never reused */
    readonly id?: string | undefined;
    /** The name in clients; never changes */
    readonly slug?: string | undefined;
    /** Display name */
    readonly name?: string | undefined;
    /** What the plugin is for */
    readonly description?: string | undefined;
    /** Who made it. Null: the organization */
    readonly author?: {
      /** Name */
      readonly name: string;
      /** Email */
      readonly email?: string | undefined;
      /** Website */
      readonly url?: string | undefined;
    } | null | undefined;
    /** Category in marketplaces */
    readonly category?: string | null | undefined;
    /** Words to find it by */
    readonly keywords?: ReadonlyArray<string> | undefined;
    /** Website of the plugin */
    readonly homepage?: string | null | undefined;
    /** License */
    readonly license?: string | null | undefined;
    /** Slugs of the skills */
    readonly skills?: ReadonlyArray<string> | undefined;
    /** Slugs of the commands */
    readonly commands?: ReadonlyArray<string> | undefined;
    /** Subagents of the client */
    readonly agents?: ReadonlyArray<{
      /** Name of the agent */
      readonly name: string;
      /** When to use the agent */
      readonly description: string;
      /** Instructions in Markdown */
      readonly content: string;
      /** The model. Absent: that of the client */
      readonly model?: string | undefined;
      /** The tools of the client that it can use. Absent: all */
      readonly tools?: ReadonlyArray<string> | undefined;
    }> | undefined;
    /** Commands that clients run, by event */
    readonly hooks?: Readonly<Record<string, unknown>> | null | undefined;
    /** MCP configuration */
    readonly mcp?: {
      /** Whether the plugin configures the gateway */
      readonly include_gateway: boolean;
      /** Name of the gateway in the client */
      readonly server_name: string;
      /** Slug of the toolkit that clients use */
      readonly toolkit: string | null;
      /** Slugs of MCP servers that clients get as separate servers */
      readonly servers: ReadonlyArray<string>;
    } | undefined;
    /** Clients that releases have manifests for */
    readonly targets?: ReadonlyArray<"claude" | "cursor" | "codex"> | undefined;
    /** Only active plugins reach callers */
    readonly status?: "draft" | "active" | undefined;
    /** Names of the groups whose members can install it */
    readonly groups?: ReadonlyArray<string> | undefined;
    /** The version of the latest release. Null: none */
    readonly latest_version?: string | null | undefined;
    /** Number of releases */
    readonly releases_count?: number | undefined;
    /** Whether the next release would differ from the latest one */
    readonly has_unpublished_changes?: boolean | undefined;
    /** When it was created */
    readonly created_at?: string | undefined;
    /** When it was last changed */
    readonly updated_at?: string | undefined;
  };
  /** A decision, with its explanation */
  readonly PolicyDecision: {
    /** What the policy decides */
    readonly action: "allow" | "warn" | "block";
    /** The rule; `managed`: it is managed here; null: the default action */
    readonly rule_id: string | null;
    /** The name of the rule */
    readonly rule_name: string | null;
    /** Why, in one sentence */
    readonly reason: string;
    /** The rule's message to the user */
    readonly message: string | null;
    /** The version of the policy */
    readonly policy_version: number;
    /** Rules in the order in which they were tried */
    readonly trace: ReadonlyArray<{
      /** The rule */
      readonly rule_id: string;
      /** Whether it decided */
      readonly matched: boolean;
      /** The first condition that did not hold, or `disabled`, `expired` or `kind` */
      readonly failed_condition: string | null;
    }>;
  };
  /** Claims, and settings that are not saved yet */
  readonly PreviewSso: {
    /** Claims of an ID token, such as those that a test sign-in shows */
    readonly claims: Readonly<Record<string, unknown>>;
    /** Instead of the saved claim */
    readonly groups_claim?: string | null | undefined;
    /** Instead of the saved mapping: values of the claim to names of groups */
    readonly group_mapping?: Readonly<Record<string, string>> | undefined;
    /** Instead of the saved setting */
    readonly remove_from_groups?: boolean | undefined;
  };
  /** Changes to a toolkit that are not saved */
  readonly PreviewToolkit: {
    /** The toolkit that is edited: its groups, prompts and resources apply */
    readonly slug: string;
    /** The tools to preview instead of those that are saved */
    readonly tools: ReadonlyArray<{
      /** The server's slug */
      readonly server: string;
      /** The tool's name at the server. `*`: all other enabled tools */
      readonly tool: string;
      /** Callers see `{server}__{alias}` instead of the tool's name */
      readonly alias?: string | null | undefined;
      /** Replaces the tool's title */
      readonly title?: string | null | undefined;
      /** Replaces the tool's description */
      readonly description?: string | null | undefined;
      /** Changes to the top-level arguments */
      readonly arguments?: {
        /** Sent with every call. Callers do not see these arguments and cannot set them */
        readonly fixed?: Readonly<Record<string, unknown>> | null | undefined;
        /** Sent if the caller does not set them */
        readonly defaults?: Readonly<Record<string, unknown>> | null | undefined;
        /** Removed from the schema and from calls */
        readonly hidden?: ReadonlyArray<string> | null | undefined;
      } | null | undefined;
    }>;
    /** The user to preview it as. Without it, only the tokens are estimated */
    readonly email?: string | null | undefined;
  };
  /** Users and groups that an identity provider manages through SCIM */
  readonly Provisioning: {
    /** The base URL to enter at the identity provider */
    readonly scim_url: string;
    /** Number of people that the provider manages */
    readonly users_count: number;
    /** Number of people that it deactivated */
    readonly suspended_count: number;
    /** Number of groups that the provider manages */
    readonly groups_count: number;
    /** Number of API tokens with the scope `admin:scim` that are valid. 0 after requests: provisioning has stopped */
    readonly tokens_count: number;
    /** The last request, at most some seconds late. Null: none yet */
    readonly last_request: {
      /** When it was received */
      readonly at: string;
      /** Method and path */
      readonly request: string;
      /** Status of the response */
      readonly status: number;
      /** Name of the API token */
      readonly token_name: string;
    } | null;
    /** The last rejected request. Null: none yet */
    readonly last_error: {
      /** When it was received */
      readonly at: string;
      /** Status and reason */
      readonly error: string;
    } | null;
  };
  /** A release to publish */
  readonly PublishPlugin: {
    /** The version of the release. Must be greater than the latest one */
    readonly version?: string | undefined;
    /** Which part of the latest version to increase. Default: patch */
    readonly bump?: "patch" | "minor" | "major" | undefined;
    /** What changed */
    readonly notes?: string | undefined;
  };
  /** A release that was published */
  readonly PublishedRelease: {
    /** Semantic version */
    readonly version: string;
    /** Of the paths, modes and contents of all files */
    readonly digest: string;
    /** Number of files */
    readonly files_count: number;
    /** When it was published */
    readonly published_at: string;
  };
  /** The token to refresh */
  readonly RefreshExchange: {
    /** The newest refresh token */
    readonly refresh_token: string;
  };
  /** Definitions to reject. None is rejected if one is unknown or has changed again */
  readonly RejectTools: {
    /** Definitions to reject. If omitted, all changed ones are rejected in their current form */
    readonly tools?: ReadonlyArray<{
      /** The part of the gateway name of a tool or prompt after `__`, the URI of a resource, a URI template, or `instructions` */
      readonly tool: string;
      /** Kind of the definition. Default: `tool` */
      readonly kind?: "tool" | "prompt" | "resource" | "resource_template" | "instructions" | undefined;
      /** Digest of the reviewed definition, as returned by `listToolChanges` */
      readonly digest: string;
    }> | undefined;
  };
  /** An object that files manage */
  readonly ReleaseFromFiles: {
    /** Kind of the object */
    readonly kind: string;
    /** Its name or slug */
    readonly key: string;
  };
  /** Values for a preview */
  readonly RenderCommand: {
    /** Values by the name of their argument */
    readonly arguments?: Readonly<Record<string, string | number | boolean>> | undefined;
    /** Unsaved changes to render */
    readonly draft?: {
      /** The template: `{{name}}`, `$1` to `$9` and `$ARGUMENTS` are replaced; `\{{` and `$$` are escapes */
      readonly content?: string | undefined;
      /** Replaces all. Default: the placeholders of the content */
      readonly arguments?: ReadonlyArray<{
        /** Lowercase letters, digits and underscores; the name of its placeholder */
        readonly name: string;
        /** What to enter */
        readonly description?: string | null | undefined;
        /** Whether callers must send it. Default: false */
        readonly required?: boolean | undefined;
        /** Its value if callers send none */
        readonly default?: string | null | undefined;
        /** The allowed values. Default: any text */
        readonly enum?: ReadonlyArray<string> | null | undefined;
      }> | null | undefined;
    } | undefined;
  };
  /** What happened in a session */
  readonly ReportAgentSession: {
    /** `running`: only steps are added */
    readonly status: "running" | "completed" | "failed";
    /** The result */
    readonly output?: string | undefined;
    /** Why it failed */
    readonly error?: string | undefined;
    /** New steps */
    readonly steps?: ReadonlyArray<{
      /** Position in the session, from 0 */
      readonly index: number;
      /** What happened */
      readonly type: "model" | "tool_call" | "tool_result" | "error";
      /** The text */
      readonly text?: string | undefined;
      /** The tool at the gateway */
      readonly tool_name?: string | undefined;
      /** JSON text of the arguments */
      readonly arguments?: string | undefined;
      /** Whether it failed */
      readonly is_error?: boolean | undefined;
      /** How long it took */
      readonly duration_ms?: number | undefined;
    }> | undefined;
  };
  /** The result of a review */
  readonly ReviewDiscovered: {
    /** The result of the review */
    readonly review_status?: "unreviewed" | "approved" | "rejected" | "ignored" | undefined;
    /** A note; null removes it */
    readonly note?: string | null | undefined;
  };
  /** Text in a definition that a guard objects to */
  readonly ReviewFinding: {
    /** The guard's slug */
    readonly guard_slug: string;
    /** The guard's name */
    readonly guard_name: string;
    /** The name of its check */
    readonly check: string;
    /** 1 to 10 */
    readonly certainty: number;
    /** Path of the text in the current definition */
    readonly field: string;
    /** Offset of the first character, in UTF-16 units. 0 and 0: the whole definition */
    readonly start: number;
    /** Offset after the last character */
    readonly end: number;
  };
  /** The token to revoke */
  readonly RevokeExchange: {
    /** An access token or refresh token */
    readonly token: string;
  };
  /** Where to continue */
  readonly RewindLogDestination: {
    /** All records since this time are sent again */
    readonly to: unknown;
  };
  /** The version to restore */
  readonly RollbackSkill: {
    /** The version to restore */
    readonly version: number;
  };
  /** A secret to rotate */
  readonly RotateAgentSecret: {
    /** `webhook`: of the inbound webhook. `notify`: of `notify_url` */
    readonly kind: "webhook" | "notify";
    /** How long the old secret stays valid. Default: 24 */
    readonly overlap_hours?: number | undefined;
  };
  /** Options of the rotation */
  readonly RotateUserSecret: {
    /** How long the old secret stays valid, in seconds. 0: it is revoked immediately */
    readonly overlap_seconds?: number | undefined;
  };
  /** How to rotate */
  readonly RotateWebhookSecret: {
    /** The signing secret, `whsec_` followed by 24 to 64 bytes in base64. It is never returned */
    readonly secret?: string | undefined;
    /** How long requests are also signed with the old secret */
    readonly overlap_hours?: number | undefined;
  };
  /** A test email */
  readonly SendTestEmail: {
    /** The email of a person of this installation. Omitted: the person who sends the request */
    readonly to?: string | undefined;
  };
  /** A user's connection to a server */
  readonly ServerConnection: {
    /** Email of the user */
    readonly user_email: string;
    /** Type of the credential */
    readonly kind: "oauth" | "api_key";
    /** `reconnect_needed` if the server no longer accepts the credential */
    readonly status: "connected" | "reconnect_needed";
    /** Why the user must reconnect; null if connected */
    readonly last_error: string | null;
    /** Granted scopes; null if unknown */
    readonly scopes: ReadonlyArray<string> | null;
    /** Additional scopes that the server requires; null if none */
    readonly needed_scopes: ReadonlyArray<string> | null;
    /** When the user connected */
    readonly connected_at: string;
    /** When the credential expires unless it is refreshed; null if unknown */
    readonly expires_at: string | null;
  };
  /** Limits of this server. Missing limits use the organization settings */
  readonly ServerLimits: {
    /** Maximum number of concurrent calls */
    readonly concurrent_calls?: number | undefined;
    /** Maximum number of queued calls */
    readonly queued_calls?: number | undefined;
    /** Seconds a call waits in the queue */
    readonly queue_seconds?: number | undefined;
    /** Consecutive failures before calls to the server are paused */
    readonly failures_until_pause?: number | undefined;
    /** Longest pause in seconds. A trial call is sent after 1, 2, 4 and so on up to this */
    readonly pause_seconds?: number | undefined;
    /** Seconds to wait for the first byte of the response */
    readonly first_byte_seconds?: number | undefined;
    /** Seconds without data before a response is aborted */
    readonly idle_seconds?: number | undefined;
    /** Maximum duration of a call in seconds */
    readonly total_seconds?: number | undefined;
  };
  /** The OAuth client of a machine user */
  readonly SetClientCredentials: {
    /** The new OAuth client for the client credentials grant. Null removes it */
    readonly client_credentials: {
      /** OAuth client ID */
      readonly clientId: string;
      /** OAuth client secret, stored encrypted and never returned */
      readonly clientSecret: string;
      /** OAuth token endpoint */
      readonly tokenUrl: string;
    } | null;
  };
  /** A user's API key for a server */
  readonly SetUserApiKey: {
    /** The user's API key for the server; it is stored encrypted and never shown again */
    readonly key: string;
  };
  /** The organization settings in effect */
  readonly Settings: {
    /** Days to keep the call log */
    readonly call_log_retention_days: number;
    /** Days to keep call statistics */
    readonly call_stats_retention_days: number;
    /** Days to keep the audit log */
    readonly audit_retention_days: number;
    /** Minutes between syncs of a server's tools */
    readonly tool_sync_interval_minutes: number;
    /** Maximum concurrent calls to one server */
    readonly server_concurrent_calls: number;
    /** Maximum calls that wait for a free slot of one server */
    readonly server_queued_calls: number;
    /** Maximum seconds that a call waits in the queue */
    readonly server_queue_seconds: number;
    /** Consecutive failures before calls to a server are paused */
    readonly server_failures_until_pause: number;
    /** Longest pause of a failing server in seconds. A trial call is sent after 1, 2, 4 and so on up to this */
    readonly server_pause_seconds: number;
    /** Seconds to wait for the first byte of a response */
    readonly server_first_byte_seconds: number;
    /** Seconds without data before a response times out */
    readonly server_idle_seconds: number;
    /** Maximum duration of a call in seconds */
    readonly server_total_seconds: number;
    /** Maximum concurrent calls of one user */
    readonly user_concurrent_calls: number;
    /** Maximum calls of one user per minute; 0 means unlimited */
    readonly user_calls_per_minute: number;
    /** Seconds that a call waits for an approval before it is answered; 0 answers immediately */
    readonly approval_wait_seconds: number;
    /** Days to keep arguments and results */
    readonly payload_retention_days: number;
    /** Maximum storage for arguments and results in megabytes; the oldest are deleted first */
    readonly payload_storage_mb: number;
    /** Minutes between scans of a device for AI tools */
    readonly discovery_scan_minutes: number;
    /** Days to keep devices that no longer report, and discovered items that were removed */
    readonly discovery_retention_days: number;
    /** What to record of each call: `off` only user, tool, time, and outcome; `metadata` also sizes and errors; `redacted` also arguments and results with secrets removed; `full` unchanged arguments and results. `off` deletes stored payloads */
    readonly payload_capture: "off" | "metadata" | "redacted" | "full";
    /** When storing payloads ends: after this time, `payload_capture` has the effect of `metadata`. Changing `payload_capture` removes it. Null: it does not end */
    readonly payload_capture_until: string | null;
    /** Whether MCP clients can identify themselves with client ID metadata documents: `auto` advertises it only while such documents can be fetched; `on` always; `off` never, and no document is read. Without it, clients register themselves */
    readonly client_id_documents: "auto" | "on" | "off";
    /** Whether secrets of machine users can be revealed again; turning it off deletes the stored copies */
    readonly machine_secret_reveal: boolean;
    /** Whether members see all active servers and can request access to them */
    readonly access_requests: boolean;
    /** Whether people can sign in with a password; before it can be turned off, an owner must have signed in with the identity provider */
    readonly local_sign_in: boolean;
    /** Whether plugins can contain hooks, which run commands on the computers of users */
    readonly allow_plugin_hooks: boolean;
    /** Whether the text of skills that devices send is stored, so that discovered skills can be imported */
    readonly discovery_skill_texts: boolean;
    /** Email or URL shown to people who need help; null: not set */
    readonly help_contact: string | null;
    /** The identity provider; null: none */
    readonly sso: Schemas["SsoSettings"] | null;
  };
  /** Instructions for models, with files */
  readonly Skill: {
    /** ID of the record; IDs are never reused */
    readonly id: string;
    /** Equal to the name; never changes */
    readonly slug: string;
    /** The name in the front matter */
    readonly name: string;
    /** What the skill does and when to use it, for models */
    readonly description: string;
    /** The license, or the name of a file with it */
    readonly license: string | null;
    /** What the skill requires of its environment */
    readonly compatibility: string | null;
    /** Further names and texts of the front matter */
    readonly metadata: Readonly<Record<string, string>>;
    /** Tools that clients may use without asking. The gateway ignores them */
    readonly allowed_tools: ReadonlyArray<string>;
    /** Only active skills reach callers */
    readonly status: "draft" | "active";
    /** Names of the groups whose members can use it */
    readonly groups: ReadonlyArray<string>;
    /** The current version; every change of the content adds one */
    readonly version: number;
    /** `version` of the metadata */
    readonly version_label: string | null;
    /** Of the paths and digests of all files: equal for equal content */
    readonly digest: string;
    /** Size of all files in bytes */
    readonly size_bytes: number;
    /** Number of files, with SKILL.md */
    readonly files_count: number;
    /** Where the content comes from. Null: it was edited */
    readonly source: {
      /** How the version was made */
      readonly type: "upload" | "paste" | "discovery" | "rollback";
      /** The version that a rollback restored */
      readonly version?: number | undefined;
      /** When it was imported or restored */
      readonly imported_at: string;
    } | null;
    /** When it was created */
    readonly created_at: string;
    /** When it was last changed */
    readonly updated_at: string;
  };
  /** A skill with its files; with `fields`, only the named fields */
  readonly SkillDetailSelection: {
    /** ID of the record; IDs are never reused */
    readonly id?: string | undefined;
    /** Equal to the name; never changes */
    readonly slug?: string | undefined;
    /** The name in the front matter */
    readonly name?: string | undefined;
    /** What the skill does and when to use it, for models */
    readonly description?: string | undefined;
    /** The license, or the name of a file with it */
    readonly license?: string | null | undefined;
    /** What the skill requires of its environment */
    readonly compatibility?: string | null | undefined;
    /** Further names and texts of the front matter */
    readonly metadata?: Readonly<Record<string, string>> | undefined;
    /** Tools that clients may use without asking. The gateway ignores them */
    readonly allowed_tools?: ReadonlyArray<string> | undefined;
    /** Only active skills reach callers */
    readonly status?: "draft" | "active" | undefined;
    /** Names of the groups whose members can use it */
    readonly groups?: ReadonlyArray<string> | undefined;
    /** The current version; every change of the content adds one */
    readonly version?: number | undefined;
    /** `version` of the metadata */
    readonly version_label?: string | null | undefined;
    /** Of the paths and digests of all files: equal for equal content */
    readonly digest?: string | undefined;
    /** Size of all files in bytes */
    readonly size_bytes?: number | undefined;
    /** Number of files, with SKILL.md */
    readonly files_count?: number | undefined;
    /** Where the content comes from. Null: it was edited */
    readonly source?: {
      /** How the version was made */
      readonly type: "upload" | "paste" | "discovery" | "rollback";
      /** The version that a rollback restored */
      readonly version?: number | undefined;
      /** When it was imported or restored */
      readonly imported_at: string;
    } | null | undefined;
    /** When it was created */
    readonly created_at?: string | undefined;
    /** When it was last changed */
    readonly updated_at?: string | undefined;
    /** The Markdown below the front matter of SKILL.md */
    readonly content?: string | undefined;
    /** All files, SKILL.md first */
    readonly files?: ReadonlyArray<{
      /** Relative path */
      readonly path?: string | undefined;
      /** Size in bytes */
      readonly size?: number | undefined;
      /** SHA-256 of the content */
      readonly digest?: string | undefined;
      /** Whether it is executable in downloads */
      readonly executable?: boolean | undefined;
      /** By the extension of the path */
      readonly mime_type?: string | undefined;
      /** The content, if it is text in UTF-8 */
      readonly content?: string | null | undefined;
      /** The content in base64, if it is not text */
      readonly content_base64?: string | null | undefined;
    }> | undefined;
  };
  /** A file of a skill */
  readonly SkillFile: {
    /** Relative path */
    readonly path: string;
    /** Size in bytes */
    readonly size: number;
    /** SHA-256 of the content */
    readonly digest: string;
    /** Whether it is executable in downloads */
    readonly executable: boolean;
    /** By the extension of the path */
    readonly mime_type: string;
    /** The content, if it is text in UTF-8 */
    readonly content?: string | null | undefined;
    /** The content in base64, if it is not text */
    readonly content_base64?: string | null | undefined;
  };
  /** A skill; with `fields`, only the named fields */
  readonly SkillSelection: {
    /** ID of the record; IDs are never reused */
    readonly id?: string | undefined;
    /** Equal to the name; never changes */
    readonly slug?: string | undefined;
    /** The name in the front matter */
    readonly name?: string | undefined;
    /** What the skill does and when to use it, for models */
    readonly description?: string | undefined;
    /** The license, or the name of a file with it */
    readonly license?: string | null | undefined;
    /** What the skill requires of its environment */
    readonly compatibility?: string | null | undefined;
    /** Further names and texts of the front matter */
    readonly metadata?: Readonly<Record<string, string>> | undefined;
    /** Tools that clients may use without asking. The gateway ignores them */
    readonly allowed_tools?: ReadonlyArray<string> | undefined;
    /** Only active skills reach callers */
    readonly status?: "draft" | "active" | undefined;
    /** Names of the groups whose members can use it */
    readonly groups?: ReadonlyArray<string> | undefined;
    /** The current version; every change of the content adds one */
    readonly version?: number | undefined;
    /** `version` of the metadata */
    readonly version_label?: string | null | undefined;
    /** Of the paths and digests of all files: equal for equal content */
    readonly digest?: string | undefined;
    /** Size of all files in bytes */
    readonly size_bytes?: number | undefined;
    /** Number of files, with SKILL.md */
    readonly files_count?: number | undefined;
    /** Where the content comes from. Null: it was edited */
    readonly source?: {
      /** How the version was made */
      readonly type: "upload" | "paste" | "discovery" | "rollback";
      /** The version that a rollback restored */
      readonly version?: number | undefined;
      /** When it was imported or restored */
      readonly imported_at: string;
    } | null | undefined;
    /** When it was created */
    readonly created_at?: string | undefined;
    /** When it was last changed */
    readonly updated_at?: string | undefined;
  };
  /** All findings about a skill */
  readonly SkillValidation: {
    /** Whether it can be saved */
    readonly valid: boolean;
    /** The name of the skill, if it can be read */
    readonly name: string | null;
    /** Rules that it violates */
    readonly errors: ReadonlyArray<{
      /** The field or the path of the file */
      readonly field: string;
      /** What is wrong */
      readonly message: string;
    }>;
    /** Recommendations that it does not follow */
    readonly warnings: ReadonlyArray<{
      /** The field or the path of the file */
      readonly field: string;
      /** What is wrong */
      readonly message: string;
    }>;
  };
  /** One version of a skill; versions never change */
  readonly SkillVersion: {
    /** Number of the version */
    readonly version: number;
    /** Whether callers get this version */
    readonly current: boolean;
    /** What the skill does and when to use it, for models */
    readonly description: string;
    /** `version` of the metadata */
    readonly version_label: string | null;
    /** Of the paths and digests of all files */
    readonly digest: string;
    /** Size of all files in bytes */
    readonly size_bytes: number;
    /** Number of files, with SKILL.md */
    readonly files_count: number;
    /** Where the content comes from. Null: it was edited */
    readonly source: {
      /** How the version was made */
      readonly type: "upload" | "paste" | "discovery" | "rollback";
      /** The version that a rollback restored */
      readonly version?: number | undefined;
      /** When it was imported or restored */
      readonly imported_at: string;
    } | null;
    /** Who saved it */
    readonly created_by: string;
    /** When it was created */
    readonly created_at: string;
  };
  /** Position of this page in the list */
  readonly SkipPagination: {
    /** Number of skipped entries */
    readonly skip: number;
    /** Maximum number of entries per page */
    readonly limit: number;
    /** Whether there is another page */
    readonly hasMore: boolean;
  };
  /** What a sign-in would do */
  readonly SsoPreview: {
    /** `sign_in`: the account exists. `create`: an account would be created. Otherwise the reason why the sign-in would be rejected */
    readonly outcome: "sign_in" | "create" | "no-verified-email" | "other-domain" | "unknown" | "different-account" | "disabled";
    /** Email in the claims. Null: none */
    readonly email: string | null;
    /** The existing account. Null: none */
    readonly user: {
      /** Display name */
      readonly name: string;
      /** Email */
      readonly email: string;
      /** Role */
      readonly role: string;
    } | null;
    /** What happens to the person's groups */
    readonly groups: {
      /** Groups that the person would join */
      readonly joins: ReadonlyArray<string>;
      /** Groups that the person would be removed from */
      readonly leaves: ReadonlyArray<string>;
      /** Mapped groups that the person stays in */
      readonly keeps: ReadonlyArray<string>;
      /** Mapped groups that SCIM manages, which a sign-in does not change */
      readonly managed_by_scim: ReadonlyArray<string>;
      /** Values of the claim without a group */
      readonly unmapped: ReadonlyArray<string>;
    };
  };
  /** The organization's identity provider (OpenID Connect) */
  readonly SsoSettings: {
    /** The provider's issuer URL, where its OpenID configuration is published */
    readonly issuer: string;
    /** Client ID at the provider. Register the redirect URL `{base_url}/sso-callback` there */
    readonly client_id: string;
    /** Whether a client secret is stored */
    readonly has_client_secret: boolean;
    /** Email domains that can sign in. Emails must be verified */
    readonly allowed_domains: ReadonlyArray<string>;
    /** The claim that lists a person's groups, or its path such as `realm_access.roles`; null: groups are managed only in Gatehouse */
    readonly groups_claim: string | null;
    /** Maps values of that claim to group names. These memberships are updated at each sign-in, except those of groups that SCIM manages */
    readonly group_mapping: Readonly<Record<string, string>>;
    /** Whether a sign-in removes a person from mapped groups that the claim does not list. Default: true */
    readonly remove_from_groups: boolean;
    /** Role of accounts created on first sign-in */
    readonly default_role: "admin" | "auditor" | "member";
    /** Whether accounts are created on first sign-in */
    readonly auto_create: boolean;
  };
  /** The operation succeeded */
  readonly Success: {
    /** The result */
    readonly data: {
      /** Always true */
      readonly success: boolean;
    };
  };
  /** How to sync */
  readonly SyncBackgroundAgent: {
    /** Default: both */
    readonly direction?: "push" | "pull" | "both" | undefined;
  };
  /** The cursor of the next request. `hasMore`: more calls are already available */
  readonly TailPagination: {
    /** Maximum number of entries per page */
    readonly limit: number;
    /** Whether there is another page */
    readonly hasMore: boolean;
    /** The cursor for `GET /api/logs/tail` that continues after this page */
    readonly tailCursor: string;
  };
  /** The token to test */
  readonly TestExchangeProvider: {
    /** A JWT of the issuer */
    readonly token: string;
  };
  /** Unsaved credentials to test */
  readonly TestMcpServer: {
    /** Unsaved shared headers, merged with the saved ones as an update would; null tests without them */
    readonly sharedHeaders?: Readonly<Record<string, string | null>> | null | undefined;
    /** An API key to test. It is not stored */
    readonly key?: string | undefined;
    /** Unsaved header name for `key` */
    readonly headerName?: string | undefined;
    /** Unsaved text before `key` in that header */
    readonly headerPrefix?: string | undefined;
  };
  /** Result of a connection test */
  readonly TestedServer: {
    /** Whether the server accepted the credential and listed its tools */
    readonly ok: boolean;
    /** Number of listed tools, if `ok` */
    readonly tools_count?: number | undefined;
    /** Why the test failed: the credential was `rejected`, the server is `unreachable` or did not respond in time (`timeout`), its address is `not_allowed` (`EGRESS_ALLOW`), or its response is not MCP (`invalid_response`) */
    readonly cause?: "rejected" | "unreachable" | "timeout" | "not_allowed" | "invalid_response" | undefined;
    /** The failure and the next step */
    readonly message?: string | undefined;
  };
  /** Position of the next page */
  readonly TimePagination: {
    /** Maximum number of entries per page */
    readonly limit: number;
    /** Whether there is another page */
    readonly hasMore: boolean;
    /** Cursor of the next page; null on the last page */
    readonly nextCursor: string | null;
  };
  /** A tool, prompt, resource, resource template, or the server's instructions, if the definition differs from the accepted one */
  readonly ToolChange: {
    /** What the definition describes */
    readonly kind: "tool" | "prompt" | "resource" | "resource_template" | "instructions";
    /** The part of the gateway name of a tool or prompt after `__`, the URI of a resource, a URI template, or `instructions` */
    readonly tool: string;
    /** The name or URI at the upstream */
    readonly upstream_name: string;
    /** `new` if no definition was accepted before, else `changed` */
    readonly change: "new" | "changed";
    /** Whether it is hidden from callers until it is accepted. Of held instructions, callers receive the accepted text */
    readonly held: boolean;
    /** The build-time guard that holds the definition; null if none does */
    readonly blocked_by: {
      /** The guard's slug */
      readonly guard_slug: string;
      /** The guard's name */
      readonly guard_name: string;
      /** The name of its check, or why the definition could not be examined, such as `timeout` */
      readonly check: string;
    } | null;
    /** Digest of the current definition, required to accept it */
    readonly digest: string;
    /** Digest of the accepted definition; null if there is none */
    readonly accepted_digest: string | null;
    /** Invisible characters in the definition */
    readonly invisible_characters: ReadonlyArray<string>;
    /** Texts that guards object to: the enabled build-time guards without their webhooks, and the built-in ones that find instructions to the model */
    readonly findings: ReadonlyArray<Schemas["ReviewFinding"]>;
    /** Differences between the accepted and the current definition */
    readonly differences: ReadonlyArray<{
      /** Path of the changed part */
      readonly field: string;
      /** Accepted value: text as is, other values as JSON; null if absent */
      readonly before: string | null;
      /** Current value in the same form; null if absent */
      readonly after: string | null;
      /** Word-level difference, if both values are text */
      readonly words?: ReadonlyArray<{
        /** Whether these words are in both texts or in one */
        readonly kind: "same" | "removed" | "added";
        /** The text */
        readonly text: string;
      }> | undefined;
    }>;
  };
  /** A tool with its schemas */
  readonly ToolDefinition: {
    /** Title of the tool, or its name at the upstream */
    readonly name: string;
    /** The part of the tool's gateway name after `__` */
    readonly slug: string;
    /** Description of the tool */
    readonly description: string;
    /** The tool's name at the server */
    readonly upstream_name: string;
    /** Whether the tool is enabled */
    readonly enabled: boolean;
    /** Whether the tool is hidden from callers until an admin accepts it (`tool_policy`, or a guard) */
    readonly held: boolean;
    /** The build-time guard that holds the definition; null if none does */
    readonly blocked_by: {
      /** The guard's slug */
      readonly guard_slug: string;
      /** The guard's name */
      readonly guard_name: string;
      /** The name of its check, or why the definition could not be examined, such as `timeout` */
      readonly check: string;
    } | null;
    /** Whether an admin rejected the definition that the server lists now */
    readonly rejected: boolean;
    /** Whether the tool is new or differs from its accepted definition; null if accepted */
    readonly change: "new" | "changed" | null;
    /** Digest of the definition; empty until the first sync after an upgrade */
    readonly digest: string;
    /** Invisible characters in the definition */
    readonly invisible_characters: ReadonlyArray<string>;
    /** Annotations declared by the server; not verified */
    readonly hints: {
      /** Whether calls do not modify anything; null if not declared */
      readonly read_only: boolean | null;
      /** Whether calls may delete or overwrite data; null if not declared */
      readonly destructive: boolean | null;
      /** Whether repeated calls with the same arguments have no further effect; null if not declared */
      readonly idempotent: boolean | null;
      /** Whether calls interact with external systems, such as the web; null if not declared */
      readonly open_world: boolean | null;
    };
    /** Client capabilities without which the server does not list the tool. Only clients that declare all of them get it */
    readonly required_capabilities: ReadonlyArray<"elicitation" | "elicitation.url" | "roots" | "sampling" | "sampling.tools">;
    /** Limits of the tool's calls by all users together */
    readonly limits: Schemas["CallLimits"];
    /** The tool's name at the gateway */
    readonly gateway_name: string;
    /** JSON Schema of the arguments */
    readonly input_schema: Readonly<Record<string, unknown>>;
    /** JSON Schema of the structured result; null if not declared */
    readonly output_schema: Readonly<Record<string, unknown>> | null;
  };
  /** A selection of tools, prompts and resources of one or more servers */
  readonly Toolkit: {
    /** ID of the record; IDs are never reused */
    readonly id: string;
    /** Unique, never changes; used in `?toolkit=` */
    readonly slug: string;
    /** Display name */
    readonly name: string;
    /** For users of the toolkit */
    readonly description: string;
    /** For models: part of the server's instructions in the view of the toolkit */
    readonly instructions: string;
    /** Only active toolkits reach callers */
    readonly status: "draft" | "active";
    /** Whether users see only the toolkit's tools of the servers that it names, also without selecting it */
    readonly least_privilege: boolean;
    /** Names of the groups whose members can use it */
    readonly groups: ReadonlyArray<string>;
    /** The only user of the toolkit. Null: a toolkit of the organization */
    readonly owner_email: string | null;
    /** The tools, in the order in which they are shown */
    readonly tools: ReadonlyArray<Schemas["ToolkitTool"]>;
    /** The prompts */
    readonly prompts: ReadonlyArray<{
      /** The server's slug */
      readonly server: string;
      /** The prompt's name at the server */
      readonly name: string;
    }>;
    /** The resources */
    readonly resources: ReadonlyArray<{
      /** The server's slug */
      readonly server: string;
      /** The URI of a resource, or a URI template */
      readonly uri: string;
    }>;
    /** Slugs of the skills */
    readonly skills: ReadonlyArray<string>;
    /** Slugs of the commands */
    readonly commands: ReadonlyArray<string>;
    /** Number of tools */
    readonly tools_count: number;
    /** Entries without effect */
    readonly broken_tools: ReadonlyArray<{
      /** The server's slug */
      readonly server: string;
      /** The tool's name at the server */
      readonly tool: string;
      /** Why no caller can use it now */
      readonly reason: "server_missing" | "server_draft" | "tool_missing" | "tool_disabled";
    }>;
    /** When it was created */
    readonly created_at: string;
    /** When it was last changed */
    readonly updated_at: string;
  };
  /** A toolkit, and how much context its tools take */
  readonly ToolkitDetail: {
    /** ID of the record; IDs are never reused */
    readonly id: string;
    /** Unique, never changes; used in `?toolkit=` */
    readonly slug: string;
    /** Display name */
    readonly name: string;
    /** For users of the toolkit */
    readonly description: string;
    /** For models: part of the server's instructions in the view of the toolkit */
    readonly instructions: string;
    /** Only active toolkits reach callers */
    readonly status: "draft" | "active";
    /** Whether users see only the toolkit's tools of the servers that it names, also without selecting it */
    readonly least_privilege: boolean;
    /** Names of the groups whose members can use it */
    readonly groups: ReadonlyArray<string>;
    /** The only user of the toolkit. Null: a toolkit of the organization */
    readonly owner_email: string | null;
    /** The tools, in the order in which they are shown */
    readonly tools: ReadonlyArray<Schemas["ToolkitTool"]>;
    /** The prompts */
    readonly prompts: ReadonlyArray<{
      /** The server's slug */
      readonly server: string;
      /** The prompt's name at the server */
      readonly name: string;
    }>;
    /** The resources */
    readonly resources: ReadonlyArray<{
      /** The server's slug */
      readonly server: string;
      /** The URI of a resource, or a URI template */
      readonly uri: string;
    }>;
    /** Slugs of the skills */
    readonly skills: ReadonlyArray<string>;
    /** Slugs of the commands */
    readonly commands: ReadonlyArray<string>;
    /** Number of tools */
    readonly tools_count: number;
    /** Entries without effect */
    readonly broken_tools: ReadonlyArray<{
      /** The server's slug */
      readonly server: string;
      /** The tool's name at the server */
      readonly tool: string;
      /** Why no caller can use it now */
      readonly reason: "server_missing" | "server_draft" | "tool_missing" | "tool_disabled";
    }>;
    /** When it was created */
    readonly created_at: string;
    /** When it was last changed */
    readonly updated_at: string;
    /** Number of model tokens that the definitions of the tools of the toolkit take. Approximate: the bytes of the definitions, divided by 4 */
    readonly tokens_estimate: number;
    /** The tools that take the most tokens, largest first; ten at most */
    readonly largest: ReadonlyArray<{
      /** The slug */
      readonly name: string;
      /** Number of model tokens. Approximate: the bytes of the definitions, divided by 4 */
      readonly tokens_estimate: number;
    }>;
  };
  /** What a user gets with a toolkit */
  readonly ToolkitPreview: {
    /** What `tools/list` returns to the user with this toolkit, in the same order */
    readonly tools: ReadonlyArray<{
      /** Name at the gateway */
      readonly name: string;
      /** Title; missing if the tool has none */
      readonly title?: string | undefined;
      /** Description; missing if the tool has none */
      readonly description?: string | undefined;
      /** JSON Schema of the arguments that callers see */
      readonly inputSchema: unknown;
      /** Where calls go */
      readonly source: {
        /** The server's slug */
        readonly server: string;
        /** The tool's name at the server */
        readonly tool: string;
      };
    }>;
    /** Tools of the toolkit that the user does not get */
    readonly hidden: ReadonlyArray<{
      /** The server's slug */
      readonly server: string;
      /** The tool's name at the server */
      readonly tool: string;
      /** Why the user does not get it */
      readonly reason: "toolkit_not_granted" | "user_disabled" | "server_missing" | "no_group" | "server_draft" | "no_upstream" | "not_synced" | "tool_missing" | "not_selected" | "not_in_toolkit";
    }>;
    /** Number of model tokens that the definitions of the tools of the toolkit take. Approximate: the bytes of the definitions, divided by 4 */
    readonly tokens_estimate: number;
    /** The tools that take the most tokens, largest first; ten at most */
    readonly largest: ReadonlyArray<{
      /** The slug */
      readonly name: string;
      /** Number of model tokens. Approximate: the bytes of the definitions, divided by 4 */
      readonly tokens_estimate: number;
    }>;
  };
  /** A toolkit; with `fields`, only the named fields */
  readonly ToolkitSelection: {
    /** ID of the record; IDs are never reused */
    readonly id?: string | undefined;
    /** Unique, never changes; used in `?toolkit=` */
    readonly slug?: string | undefined;
    /** Display name */
    readonly name?: string | undefined;
    /** For users of the toolkit */
    readonly description?: string | undefined;
    /** For models: part of the server's instructions in the view of the toolkit */
    readonly instructions?: string | undefined;
    /** Only active toolkits reach callers */
    readonly status?: "draft" | "active" | undefined;
    /** Whether users see only the toolkit's tools of the servers that it names, also without selecting it */
    readonly least_privilege?: boolean | undefined;
    /** Names of the groups whose members can use it */
    readonly groups?: ReadonlyArray<string> | undefined;
    /** The only user of the toolkit. Null: a toolkit of the organization */
    readonly owner_email?: string | null | undefined;
    /** The tools, in the order in which they are shown */
    readonly tools?: ReadonlyArray<{
      /** The server's slug */
      readonly server?: string | undefined;
      /** The tool's name at the server. `*`: all other enabled tools of the server */
      readonly tool?: string | undefined;
      /** Callers see `{server}__{alias}` instead of the tool's name */
      readonly alias?: string | null | undefined;
      /** Replaces the tool's title */
      readonly title?: string | null | undefined;
      /** Replaces the tool's description */
      readonly description?: string | null | undefined;
      /** Changes to the top-level arguments */
      readonly arguments?: {
        /** Sent with every call. Callers do not see these arguments and cannot set them */
        readonly fixed: Readonly<Record<string, unknown>>;
        /** Sent if the caller does not set them */
        readonly defaults: Readonly<Record<string, unknown>>;
        /** Removed from the schema and from calls */
        readonly hidden: ReadonlyArray<string>;
      } | undefined;
    }> | undefined;
    /** The prompts */
    readonly prompts?: ReadonlyArray<{
      /** The server's slug */
      readonly server?: string | undefined;
      /** The prompt's name at the server */
      readonly name?: string | undefined;
    }> | undefined;
    /** The resources */
    readonly resources?: ReadonlyArray<{
      /** The server's slug */
      readonly server?: string | undefined;
      /** The URI of a resource, or a URI template */
      readonly uri?: string | undefined;
    }> | undefined;
    /** Slugs of the skills */
    readonly skills?: ReadonlyArray<string> | undefined;
    /** Slugs of the commands */
    readonly commands?: ReadonlyArray<string> | undefined;
    /** Number of tools */
    readonly tools_count?: number | undefined;
    /** Entries without effect */
    readonly broken_tools?: ReadonlyArray<{
      /** The server's slug */
      readonly server?: string | undefined;
      /** The tool's name at the server */
      readonly tool?: string | undefined;
      /** Why no caller can use it now */
      readonly reason?: "server_missing" | "server_draft" | "tool_missing" | "tool_disabled" | undefined;
    }> | undefined;
    /** When it was created */
    readonly created_at?: string | undefined;
    /** When it was last changed */
    readonly updated_at?: string | undefined;
  };
  /** A tool in a toolkit */
  readonly ToolkitTool: {
    /** The server's slug */
    readonly server: string;
    /** The tool's name at the server. `*`: all other enabled tools of the server */
    readonly tool: string;
    /** Callers see `{server}__{alias}` instead of the tool's name */
    readonly alias: string | null;
    /** Replaces the tool's title */
    readonly title: string | null;
    /** Replaces the tool's description */
    readonly description: string | null;
    /** Changes to the top-level arguments */
    readonly arguments: {
      /** Sent with every call. Callers do not see these arguments and cannot set them */
      readonly fixed: Readonly<Record<string, unknown>>;
      /** Sent if the caller does not set them */
      readonly defaults: Readonly<Record<string, unknown>>;
      /** Removed from the schema and from calls */
      readonly hidden: ReadonlyArray<string>;
    };
  };
  /** Where the known tools of a connector come from */
  readonly ToolsSource: {
    /** `documentation`: of the vendor; `sync`: a server of this installation lists them */
    readonly type: "documentation" | "sync";
    /** The repository or page; null for `sync` */
    readonly name: string | null;
    /** Date or version of the documentation; null: unknown, or `sync` */
    readonly as_of: string | null;
    /** Whether the server has more tools than the documentation names */
    readonly partial: boolean;
  };
  /** A user's connection to a server, verified just now */
  readonly TriedConnection: {
    /** Whether the user can call the server's tools now */
    readonly connected: boolean;
    /** Status of the connection; `not_required` if the user has nothing to connect */
    readonly status: "connected" | "not_connected" | "reconnect_needed" | "not_required";
    /** Whether the server accepted the user's credential */
    readonly verified: boolean;
    /** Why the credential was rejected or could not be verified */
    readonly message?: string | undefined;
  };
  /** Changes to an agent. Omitted fields keep their values */
  readonly UpdateBackgroundAgent: {
    /** For people */
    readonly description?: string | undefined;
    /** Only active agents start sessions. Default: draft */
    readonly status?: "draft" | "active" | "paused" | undefined;
    /** Slug of its toolkit. null: every tool of its machine user */
    readonly toolkit?: string | null | undefined;
    /** Slugs of skills that it can read; replaces all */
    readonly skills?: ReadonlyArray<string> | undefined;
    /** Email of a machine user. Default: a new one */
    readonly identity?: string | undefined;
    /** People who are responsible for it; replaces all */
    readonly owner_emails?: ReadonlyArray<string> | undefined;
    /** What a session may use. Omitted limits keep their values */
    readonly limits?: {
      /** Answers of the model. Default: 25 */
      readonly max_steps?: number | undefined;
      /** Tokens of one answer. Default: 4096 */
      readonly max_output_tokens?: number | undefined;
      /** Tokens of a session. Default: 200000 */
      readonly max_total_tokens?: number | undefined;
      /** Seconds of a session. Default: 600 */
      readonly timeout_seconds?: number | undefined;
      /** Sessions at a time. Default: 1 */
      readonly max_concurrent?: number | undefined;
    } | undefined;
    /** What starts sessions besides the API. Omitted triggers stay */
    readonly triggers?: {
      /** null removes it */
      readonly schedule?: {
        /** Five fields: minute, hour, day of month, month, day of week */
        readonly cron: string;
        /** Default: UTC */
        readonly timezone?: string | undefined;
        /** The input of its sessions. An object is given to the model as JSON */
        readonly input: string | Readonly<Record<string, unknown>>;
        /** Default: true */
        readonly enabled?: boolean | undefined;
      } | null | undefined;
      /** null removes it with its secret */
      readonly webhook?: {
        /** Whether signed requests start sessions */
        readonly enabled: boolean;
        /** Signs the requests. Never returned. Default: a new one, returned once */
        readonly secret?: string | undefined;
      } | null | undefined;
    } | undefined;
    /** Gets a signed request when a session ends, as webhooks do. A new URL gets a new secret. null removes it */
    readonly notify_url?: string | null | undefined;
    /** Display name */
    readonly name?: string | undefined;
    /** The system prompt */
    readonly instructions?: string | undefined;
    /** The model's name at the provider. null: the model of the default provider */
    readonly model?: string | null | undefined;
    /** Who runs the model. Omitted secrets stay, unless the type or the URL changes. null: the default of this installation */
    readonly provider?: {
      /** Who runs the model */
      readonly type: "openai" | "openai-compatible" | "anthropic" | "google" | "scripted";
      /** Required for `openai-compatible`. Default: the provider's own */
      readonly base_url?: string | null | undefined;
      /** Never returned. null removes it */
      readonly api_key?: string | null | undefined;
      /** Additional headers. Values are never returned. null removes one */
      readonly headers?: Readonly<Record<string, string | null>> | undefined;
      /** For `scripted`: one entry per answer of the model */
      readonly script?: ReadonlyArray<{
        /** An answer. `{{last_result}}` is the text of the last tool result */
        readonly text?: string | undefined;
        /** A tool to call instead */
        readonly tool?: string | undefined;
        /** Its arguments */
        readonly arguments?: Readonly<Record<string, unknown>> | undefined;
        /** The provider fails with this message instead */
        readonly error?: string | undefined;
        /** HTTP status of the failure. Default: 400 */
        readonly status?: number | undefined;
      }> | undefined;
    } | null | undefined;
    /** Settings of another platform. Omitted fields stay; a different URL needs its secrets again */
    readonly platform_config?: {
      /** `webhook`: the runner */
      readonly url?: string | null | undefined;
      /** `anthropic`: the URL of the API. Default: the platform's own */
      readonly base_url?: string | null | undefined;
      /** `anthropic`: the environment of its sessions */
      readonly environment_id?: string | null | undefined;
      /** `anthropic`: vaults, of which one has the credential of the gateway */
      readonly vault_ids?: ReadonlyArray<string> | undefined;
      /** `anthropic`: never returned */
      readonly api_key?: string | undefined;
      /** `webhook`: signs requests in both directions. Never returned */
      readonly secret?: string | undefined;
    } | undefined;
  };
  /** Changes to a command. Omitted fields keep their values; null restores a default */
  readonly UpdateCommand: {
    /** The name by which callers invoke it. Default: from the name, with a number if it is taken */
    readonly slug?: string | undefined;
    /** Display name */
    readonly name?: string | undefined;
    /** What it does. Default: the first line of the content */
    readonly description?: string | null | undefined;
    /** The template: `{{name}}`, `$1` to `$9` and `$ARGUMENTS` are replaced; `\{{` and `$$` are escapes */
    readonly content?: string | undefined;
    /** Replaces all. Default: the placeholders of the content */
    readonly arguments?: ReadonlyArray<{
      /** Lowercase letters, digits and underscores; the name of its placeholder */
      readonly name: string;
      /** What to enter */
      readonly description?: string | null | undefined;
      /** Whether callers must send it. Default: false */
      readonly required?: boolean | undefined;
      /** Its value if callers send none */
      readonly default?: string | null | undefined;
      /** The allowed values. Default: any text */
      readonly enum?: ReadonlyArray<string> | null | undefined;
    }> | null | undefined;
    /** Shown next to the name. Default: composed from the arguments */
    readonly argument_hint?: string | null | undefined;
    /** Tools that clients may use without asking, for exports */
    readonly allowed_tools?: ReadonlyArray<string> | null | undefined;
    /** The model, for exports */
    readonly model?: string | null | undefined;
    /** Whether only people can invoke it, for exports */
    readonly disable_model_invocation?: boolean | undefined;
    /** Slugs of the skills that it uses; replaces all */
    readonly skills?: ReadonlyArray<string> | null | undefined;
    /** Whether the rendered text ends with the URIs of the skills. Default: false */
    readonly include_skills?: boolean | undefined;
    /** Only active commands reach callers. Default: draft */
    readonly status?: "draft" | "active" | undefined;
    /** Names of the groups whose members can use it; replaces all */
    readonly groups?: ReadonlyArray<string> | undefined;
  };
  /** Fields to change */
  readonly UpdateDiscoveryDevice: {
    /** The user of the device; null: the reported email counts */
    readonly user_email?: string | null | undefined;
    /** `retired` removes everything that was found on the device. A new report activates it again */
    readonly status?: "active" | "retired" | undefined;
  };
  /** Fields to change */
  readonly UpdateDiscoveryPolicy: {
    /** `monitor`: devices only report; `enforce`: devices also remove blocked items */
    readonly enforcement?: "monitor" | "enforce" | undefined;
    /** What happens to items that no rule matches */
    readonly default_actions?: {
      /** Default action for MCP servers */
      readonly mcp_servers?: "allow" | "warn" | "block" | undefined;
      /** Default action for skills */
      readonly skills?: "allow" | "warn" | "block" | undefined;
    } | undefined;
    /** Whether servers that use this gateway, and the organization's skills, are always allowed */
    readonly always_allow_managed?: boolean | undefined;
    /** Whether devices show their users what is warned about or blocked */
    readonly notify_users?: boolean | undefined;
  };
  /** Fields to change. `match` is replaced as a unit */
  readonly UpdateDiscoveryRule: {
    /** The name of the rule */
    readonly name?: string | undefined;
    /** What it is for */
    readonly description?: string | undefined;
    /** Whether the rule applies. Default: true */
    readonly enabled?: boolean | undefined;
    /** The position, from 1. Default: last. Later rules move */
    readonly position?: number | undefined;
    /** What the rule decides about */
    readonly kind?: "mcp_server" | "skill" | undefined;
    /** What it decides */
    readonly action?: "allow" | "warn" | "block" | undefined;
    /** Conditions. All must hold; a condition on something that an item lacks does not hold */
    readonly match?: {
      /** Patterns of the configured name; one must match */
      readonly name?: ReadonlyArray<string> | undefined;
      /** Patterns of the URL; one must match */
      readonly url?: ReadonlyArray<string> | undefined;
      /** Patterns of the host of the URL. `*.example.com` does not match `example.com`; one must match */
      readonly host?: ReadonlyArray<string> | undefined;
      /** Patterns of the package, such as `npm:@acme/*`; one must match */
      readonly package?: ReadonlyArray<string> | undefined;
      /** Patterns of the program's base name; one must match */
      readonly command?: ReadonlyArray<string> | undefined;
      /** Patterns of the npm scope, the owner of the image, or the host; one must match */
      readonly publisher?: ReadonlyArray<string> | undefined;
      /** Transports; one must be equal */
      readonly transport?: ReadonlyArray<"stdio" | "http" | "sse"> | undefined;
      /** Fingerprints of MCP servers; one must be equal, case-insensitive */
      readonly fingerprint?: ReadonlyArray<string> | undefined;
      /** Digests of skills; one must be equal, case-insensitive */
      readonly digest?: ReadonlyArray<string> | undefined;
      /** Clients, such as `cursor`; one must be equal, case-insensitive */
      readonly client?: ReadonlyArray<string> | undefined;
      /** Scopes, such as `project`; one must be equal, case-insensitive */
      readonly scope?: ReadonlyArray<string> | undefined;
      /** Results of the review; one must be equal */
      readonly review_status?: ReadonlyArray<"unreviewed" | "approved" | "rejected" | "ignored"> | undefined;
      /** Groups of the device's user; one must be equal, case-insensitive */
      readonly groups?: ReadonlyArray<string> | undefined;
      /** Emails of the device's user; one must be equal, case-insensitive */
      readonly users?: ReadonlyArray<string> | undefined;
      /** IDs of devices; one must be equal, case-insensitive */
      readonly devices?: ReadonlyArray<string> | undefined;
      /** Operating systems; one must be equal */
      readonly os?: ReadonlyArray<"darwin" | "linux" | "win32"> | undefined;
      /** Whether it points to this gateway, or is a skill of this organization */
      readonly managed?: boolean | undefined;
      /** Whether a server with the same URL is registered here */
      readonly registered?: boolean | undefined;
      /** Whether a connector or registry entry has the same URL */
      readonly in_registry?: boolean | undefined;
      /** Whether its package has no exact version */
      readonly unpinned?: boolean | undefined;
      /** Whether the skill contains scripts */
      readonly has_scripts?: boolean | undefined;
      /** The lowest risk that matches */
      readonly min_risk?: number | undefined;
    } | undefined;
    /** Shown to the user of the device */
    readonly message?: string | null | undefined;
    /** When the rule ends; null: never */
    readonly expires_at?: string | null | undefined;
  };
  /** Notices to turn on or off */
  readonly UpdateEmailNotices: {
    /** A call waits for an approval. For owners and admins */
    readonly approval_requested?: boolean | undefined;
    /** A person requests access to a server. For owners and admins */
    readonly access_requested?: boolean | undefined;
    /** A request of the caller was approved or denied */
    readonly access_decided?: boolean | undefined;
    /** A connection of the caller no longer works */
    readonly connection_expired?: boolean | undefined;
  };
  /** Fields to change. `subject` is replaced as a unit */
  readonly UpdateExchangeProvider: {
    /** Display name */
    readonly name?: string | undefined;
    /** Whether tokens are exchanged. Disabling ends all credentials. Default: true */
    readonly enabled?: boolean | undefined;
    /** The `iss` claim, compared exactly */
    readonly issuer?: string | undefined;
    /** URL of the keys. Null: found by discovery */
    readonly jwks_uri?: string | null | undefined;
    /** The issuer's keys, for issuers that this service cannot reach */
    readonly jwks?: {
      /** Public keys as JWKs */
      readonly keys: ReadonlyArray<Readonly<Record<string, unknown>>>;
    } | null | undefined;
    /** The `aud` claim must contain one of these */
    readonly audiences?: ReadonlyArray<string> | undefined;
    /** Accepted signature algorithms. Default: RS256, PS256, ES256, EdDSA */
    readonly algorithms?: ReadonlyArray<"RS256" | "RS384" | "RS512" | "PS256" | "PS384" | "PS512" | "ES256" | "ES384" | "ES512" | "EdDSA" | "Ed25519"> | null | undefined;
    /** Maximum age of a token by its `iat`. Default: 3600 */
    readonly max_age_seconds?: number | undefined;
    /** All must hold. If a claim is an array, one element must match */
    readonly conditions?: ReadonlyArray<{
      /** A dotted path such as `realm_access.roles`, or an array of names for names that contain dots */
      readonly claim: string | ReadonlyArray<string>;
      /** `equals`, `not_equals`, `in`, `matches` (`*` matches any characters, `?` one) or `exists` */
      readonly operator: "equals" | "not_equals" | "in" | "matches" | "exists";
      /** The value; an array for `in`; for `exists`, whether the claim must be there (default true) */
      readonly value?: string | number | boolean | ReadonlyArray<string> | undefined;
    }> | undefined;
    /** Which user a token acts as */
    readonly subject?: {
      /** A claim names the user */
      readonly mode: "map";
      /** The claim that names the user. Null: the first of `email`, `sub` and `client_id` in the token */
      readonly claim?: string | ReadonlyArray<string> | null | undefined;
      /** What the claim contains. `email`: a person; `slug`: a machine user; `external_id`: either. `email` and `external_id` require the scope `all`. Default: `email` */
      readonly match?: "email" | "slug" | "external_id" | undefined;
      /** Whether `email_verified` must be true if the claim is `email`. Default: true */
      readonly require_verified_email?: boolean | undefined;
      /** Whether tokens can act as owners and admins. Default: false */
      readonly allow_admins?: boolean | undefined;
    } | {
      /** All tokens act as one machine user */
      readonly mode: "fixed";
      /** Email of the machine user */
      readonly machine_user: string;
    } | null | undefined;
    /** Accounts of people who have none. Omitted fields keep their values */
    readonly provision?: {
      /** Whether people without an account are created. Default: false */
      readonly create_users?: boolean | undefined;
      /** Names of the groups of created people */
      readonly groups?: ReadonlyArray<string> | undefined;
      /** The claim that lists the issuer's groups. Null: none */
      readonly group_claim?: string | ReadonlyArray<string> | null | undefined;
      /** The issuer's groups to names of groups */
      readonly group_map?: Readonly<Record<string, string>> | undefined;
      /** Whether membership of the mapped groups follows the claim at every exchange. Default: false */
      readonly sync_groups?: boolean | undefined;
    } | undefined;
    /** What is issued. Omitted fields keep their values */
    readonly token?: {
      /** Lifetime of access tokens. Default: 900 */
      readonly access_ttl_seconds?: number | undefined;
      /** Whether a refresh token is issued. Default: true */
      readonly refresh?: boolean | undefined;
      /** How long after the exchange tokens can be refreshed. Default: 86400 */
      readonly refresh_ttl_seconds?: number | undefined;
      /** Scopes of access tokens; always `mcp` */
      readonly scopes?: ReadonlyArray<"mcp"> | undefined;
      /** Whether nothing outlives the exchanged token. Default: true for `fixed`, otherwise false */
      readonly bind_to_jwt_exp?: boolean | undefined;
    } | undefined;
    /** Whether each token can be exchanged once, by its `jti`. Default: false */
    readonly one_time_jti?: boolean | undefined;
    /** Whether the exchange needs an API token with the scope `connect:exchange-auth`. Default: true */
    readonly require_api_key?: boolean | undefined;
    /** Whether the exchanged token is stored, sealed, for servers with the authentication `exchanged-token`, and returned as `id_token` by refreshes. Only for subjects from a claim. Default: false */
    readonly passthrough?: boolean | undefined;
  };
  /** Changes to a group. Omitted fields keep their values */
  readonly UpdateGroup: {
    /** Unique, case-insensitive. Identifies the group in other operations */
    readonly name?: string | undefined;
    /** Settings to change. Omitted settings keep their values */
    readonly settings?: {
      /** Whether new people join this group automatically. Machine users do not */
      readonly auto_assign_users?: boolean | undefined;
      /** Whether new MCP servers join this group automatically */
      readonly auto_assign_mcps?: boolean | undefined;
      /** Whether members can call the group's draft servers */
      readonly show_draft_mcps?: boolean | undefined;
    } | undefined;
    /** Limits of each member's calls to the servers of the group, merged key by key; null removes one or both */
    readonly limits?: {
      /** Maximum calls per minute; null: no limit. Unchanged if omitted */
      readonly calls_per_minute?: number | null | undefined;
      /** Maximum concurrent calls; null: no limit. Unchanged if omitted */
      readonly concurrent_calls?: number | null | undefined;
    } | null | undefined;
  };
  /** Which tools of a server a group grants */
  readonly UpdateGroupIntegration: {
    /** Tools to grant, by slug or by name at the server. Null: all tools */
    readonly tools?: ReadonlyArray<string> | null | undefined;
    /** Whether tools that the server adds later are granted. Default: `include` if `tools` is null, otherwise `hold` */
    readonly new_tools?: "include" | "hold" | undefined;
    /** Instead of `tools`: grants all others, including those that the server adds later */
    readonly except_tools?: ReadonlyArray<string> | undefined;
  };
  /** Changes to a guard. Omitted fields keep their values; `scope` and `checks` are replaced */
  readonly UpdateGuard: {
    /** Display name, also in messages to callers */
    readonly name?: string | undefined;
    /** `runtime`: examines calls; `buildtime`: examines content when it is published. Never changes */
    readonly type?: "runtime" | "buildtime" | undefined;
    /** What happens if the guard fires. Build-time guards allow only `log`, `warn` and `block` */
    readonly action?: "log" | "warn" | "redact" | "require_approval" | "block" | undefined;
    /** For admins */
    readonly description?: string | undefined;
    /** Takes effect immediately */
    readonly enabled?: boolean | undefined;
    /** 1 to 10: fires if a finding is at least this certain */
    readonly threshold?: number | undefined;
    /** Which part of a call is examined; `require_approval`: only `request` */
    readonly direction?: "request" | "response" | "both" | undefined;
    /** Build-time guards only: which content is examined */
    readonly entity_types?: ReadonlyArray<"mcp_server" | "tool" | "toolkit" | "skill" | "command" | "plugin" | "background_agent"> | undefined;
    /** 0 to 1,000,000, the lowest first */
    readonly priority?: number | undefined;
    /** What happens if a check fails, takes too long, or cannot see all of the text. Default: `allow` for `log` and `warn`, otherwise `block` */
    readonly on_error?: "allow" | "block" | null | undefined;
    /** Shown to the caller if the guard blocks */
    readonly message?: string | undefined;
    /** Which calls it covers. Default: all */
    readonly scope?: {
      /** Names of groups; the caller must be a member of one */
      readonly groups?: ReadonlyArray<string> | undefined;
      /** Slugs of MCP servers */
      readonly servers?: ReadonlyArray<string> | undefined;
      /** Names of tools at the gateway, with `*` and `?`, such as `github__*` */
      readonly tools?: ReadonlyArray<string> | undefined;
      /** Emails of people and machine users */
      readonly users?: ReadonlyArray<string> | undefined;
      /** Slugs of MCP servers that the guard does not cover */
      readonly exclude_servers?: ReadonlyArray<string> | undefined;
    } | undefined;
    /** 1 to 50 checks; replaces all. `headers` of a webhook and `api_key` of a model are never returned; if they are omitted, a check with the same ID and destination keeps them */
    readonly checks?: ReadonlyArray<{
      /** Default: from the type and the name */
      readonly id?: string | undefined;
      /** What is examined, and how */
      readonly type: "regex" | "keyword" | "pii" | "secret" | "prompt_injection" | "tool_poisoning" | "json_schema" | "size" | "url" | "webhook" | "llm";
      /** Shown in findings */
      readonly name: string;
      /** 1 to 10; default: 8 */
      readonly certainty?: number | undefined;
      /** Default: no settings */
      readonly config?: Readonly<Record<string, unknown>> | undefined;
    }> | undefined;
  };
  /** Fields to change */
  readonly UpdateLogDestination: {
    /** Name of the destination, unique regardless of case */
    readonly name?: string | undefined;
    /** `calls`: the call log. `audit`: the audit log with its signed checkpoints */
    readonly sources?: ReadonlyArray<"calls" | "audit"> | undefined;
    /** Only calls with these outcomes are sent; null: all calls */
    readonly outcomes?: ReadonlyArray<"ok" | "tool_error" | "error" | "denied" | "upstream_failed" | "timeout" | "cancelled" | "interrupted" | "not_connected" | "blocked" | "pending_approval"> | null | undefined;
    /** Whether records are sent. While it is paused, its position in the log is kept */
    readonly enabled?: boolean | undefined;
    /** `otlp` and `webhook`: the URL of the receiver. `s3`: the endpoint. Private addresses need `EGRESS_ALLOW`; redirects are not followed */
    readonly url?: string | undefined;
    /** `s3`: the region of the bucket */
    readonly region?: string | undefined;
    /** `s3`: the name of the bucket */
    readonly bucket?: string | undefined;
    /** `s3`: where the bucket's name is in URLs. `path`: after the host; `virtual_host`: before the host. `path` by default */
    readonly addressing?: "path" | "virtual_host" | undefined;
    /** `s3`: the ID of the access key */
    readonly access_key_id?: string | undefined;
    /** `s3`: the start of object keys, such as `gatehouse/`. `file`: the start of file names */
    readonly prefix?: string | undefined;
    /** `otlp` and `webhook`: headers of every request, by name. Replaces all; never returned */
    readonly headers?: Readonly<Record<string, string>> | undefined;
    /** `webhook`: the signing secret. It is never returned */
    readonly secret?: string | undefined;
    /** `s3`: the secret access key. It is never returned */
    readonly secret_access_key?: string | undefined;
  };
  /** Fields to change. Omitted fields keep their values */
  readonly UpdateMcpServer: {
    /** Display name */
    readonly name?: string | undefined;
    /** Prefix of its tool names at the gateway. If it is taken, a number is appended. Renames its tools at the gateway */
    readonly slug?: string | undefined;
    /** Upstream as JSON text of an object with `type` (`http`, `sse`, or `both`) and `url`; null removes it */
    readonly mcp_proxy?: string | null | undefined;
    /** Description; null clears it */
    readonly description?: string | null | undefined;
    /** A `draft` is visible only to groups with `show_draft_mcps` */
    readonly status?: "active" | "draft" | undefined;
    /** Merged key by key; null clears a key */
    readonly auth_settings?: Schemas["AuthSettings"] | undefined;
    /** What happens when the server changes its instructions, or changes or adds tools, prompts, or resource templates: `allow` accepts them, `warn` allows and flags them for review, `hold` hides them from callers until an admin accepts them. `hold` applies to resources too */
    readonly tool_policy?: "allow" | "warn" | "hold" | undefined;
    /** Whether callers receive the text for models that the server sends (`instructions`). It is reviewed like tool definitions (`tool_policy`) */
    readonly pass_instructions?: boolean | undefined;
    /** Longer texts of tool results are cut at this number of bytes and end with a link to the complete text; null: never */
    readonly result_limit_bytes?: number | null | undefined;
    /** User whose connection is used to sync the tools periodically, for servers with per-user authentication; null for none */
    readonly sync_user_email?: string | null | undefined;
    /** Limits of this server, merged key by key; null clears one limit or all */
    readonly limits?: {
      /** Maximum number of concurrent calls; null uses the organization setting */
      readonly concurrent_calls?: number | null | undefined;
      /** Maximum number of queued calls; null uses the organization setting */
      readonly queued_calls?: number | null | undefined;
      /** Seconds a call waits in the queue; null uses the organization setting */
      readonly queue_seconds?: number | null | undefined;
      /** Consecutive failures before calls to the server are paused; null uses the organization setting */
      readonly failures_until_pause?: number | null | undefined;
      /** Longest pause in seconds. A trial call is sent after 1, 2, 4 and so on up to this; null uses the organization setting */
      readonly pause_seconds?: number | null | undefined;
      /** Seconds to wait for the first byte of the response; null uses the organization setting */
      readonly first_byte_seconds?: number | null | undefined;
      /** Seconds without data before a response is aborted; null uses the organization setting */
      readonly idle_seconds?: number | null | undefined;
      /** Maximum duration of a call in seconds; null uses the organization setting */
      readonly total_seconds?: number | null | undefined;
    } | null | undefined;
    /** Upstream as an object. Alternative to `mcp_proxy`; set only one of the two; null removes it */
    readonly upstream?: {
      /** Transport: `http` is streamable HTTP (`streamable-http` is an alias), `both` tries `http`, then `sse` */
      readonly type?: "both" | "http" | "sse" | "streamable-http" | undefined;
      /** URL of the upstream, `http` or `https` */
      readonly url: string;
      /** As in mcp.json files; the same as `auth_settings.sharedHeaders` */
      readonly headers?: Readonly<Record<string, string | null>> | undefined;
    } | null | undefined;
  };
  /** Tools to enable, disable, and limit. Nothing changes if one is unknown */
  readonly UpdateMcpServerTools: {
    /** Tools to enable, by slug or upstream name */
    readonly enable?: ReadonlyArray<string> | undefined;
    /** Tools to disable, by slug or upstream name */
    readonly disable?: ReadonlyArray<string> | undefined;
    /** Limits of a tool's calls by all users together */
    readonly limits?: ReadonlyArray<{
      /** The tool, by slug or upstream name */
      readonly tool: string;
      /** Maximum calls per minute; null: no limit. Unchanged if omitted */
      readonly calls_per_minute?: number | null | undefined;
      /** Maximum concurrent calls; null: no limit. Unchanged if omitted */
      readonly concurrent_calls?: number | null | undefined;
    }> | undefined;
    /** Accept names that the server does not list yet, as upstream names. Default: false */
    readonly allow_unlisted?: boolean | undefined;
  };
  /** Changes to a toolkit. Omitted fields keep their values */
  readonly UpdateOwnToolkit: {
    /** Display name */
    readonly name?: string | undefined;
    /** For users of the toolkit */
    readonly description?: string | null | undefined;
    /** For models: part of the server's instructions in the view of the toolkit */
    readonly instructions?: string | null | undefined;
    /** Only active toolkits reach callers. Default: draft */
    readonly status?: "draft" | "active" | undefined;
    /** Whether users see only the toolkit's tools of the servers that it names, also without selecting it. Default: false */
    readonly least_privilege?: boolean | undefined;
    /** The tools; replaces all */
    readonly tools?: ReadonlyArray<{
      /** The server's slug */
      readonly server: string;
      /** The tool's name at the server. `*`: all other enabled tools */
      readonly tool: string;
      /** Callers see `{server}__{alias}` instead of the tool's name */
      readonly alias?: string | null | undefined;
      /** Replaces the tool's title */
      readonly title?: string | null | undefined;
      /** Replaces the tool's description */
      readonly description?: string | null | undefined;
      /** Changes to the top-level arguments */
      readonly arguments?: {
        /** Sent with every call. Callers do not see these arguments and cannot set them */
        readonly fixed?: Readonly<Record<string, unknown>> | null | undefined;
        /** Sent if the caller does not set them */
        readonly defaults?: Readonly<Record<string, unknown>> | null | undefined;
        /** Removed from the schema and from calls */
        readonly hidden?: ReadonlyArray<string> | null | undefined;
      } | null | undefined;
    }> | undefined;
    /** The prompts; replaces all */
    readonly prompts?: ReadonlyArray<{
      /** The server's slug */
      readonly server: string;
      /** The prompt's name at the server */
      readonly name: string;
    }> | undefined;
    /** The resources; replaces all */
    readonly resources?: ReadonlyArray<{
      /** The server's slug */
      readonly server: string;
      /** The URI of a resource, or a URI template */
      readonly uri: string;
    }> | undefined;
    /** Slugs of the skills; replaces all */
    readonly skills?: ReadonlyArray<string> | undefined;
    /** Slugs of the commands; replaces all */
    readonly commands?: ReadonlyArray<string> | undefined;
  };
  /** Changes to a plugin. Omitted fields keep their values; null restores the default */
  readonly UpdatePlugin: {
    /** Display name */
    readonly name?: string | undefined;
    /** What the plugin is for */
    readonly description?: string | null | undefined;
    /** Who made it. Null: the organization */
    readonly author?: {
      /** Name */
      readonly name: string;
      /** Email */
      readonly email?: string | undefined;
      /** Website */
      readonly url?: string | undefined;
    } | null | undefined;
    /** Category in marketplaces */
    readonly category?: string | null | undefined;
    /** Words to find it by */
    readonly keywords?: ReadonlyArray<string> | null | undefined;
    /** Website of the plugin */
    readonly homepage?: string | null | undefined;
    /** License, such as MIT */
    readonly license?: string | null | undefined;
    /** Slugs of the skills; replaces all */
    readonly skills?: ReadonlyArray<string> | null | undefined;
    /** Slugs of the commands; replaces all */
    readonly commands?: ReadonlyArray<string> | null | undefined;
    /** Subagents; replaces all */
    readonly agents?: ReadonlyArray<{
      /** Name of the agent */
      readonly name: string;
      /** When to use the agent */
      readonly description: string;
      /** Instructions in Markdown */
      readonly content: string;
      /** The model. Absent: that of the client */
      readonly model?: string | undefined;
      /** The tools of the client that it can use. Absent: all */
      readonly tools?: ReadonlyArray<string> | undefined;
    }> | null | undefined;
    /** Commands that clients run, by event. Needs the setting `allow_plugin_hooks` */
    readonly hooks?: Readonly<Record<string, ReadonlyArray<{
      /** Which tools the hooks are for, as a pattern */
      readonly matcher?: string | undefined;
      /** The commands */
      readonly hooks: ReadonlyArray<{
        /** `command` */
        readonly type: "command";
        /** The command that clients run */
        readonly command: string;
        /** Seconds */
        readonly timeout?: number | undefined;
      }>;
    }>>> | null | undefined;
    /** MCP configuration. Omitted fields keep their values */
    readonly mcp?: {
      /** Whether the plugin configures the gateway. Default: true */
      readonly include_gateway?: boolean | undefined;
      /** Name of the gateway in the client. Default: gateway */
      readonly server_name?: string | undefined;
      /** Slug of the toolkit that clients use. Null: all that the user can reach */
      readonly toolkit?: string | null | undefined;
      /** Slugs of MCP servers that clients get as separate servers */
      readonly servers?: ReadonlyArray<string> | undefined;
    } | null | undefined;
    /** Clients that releases have manifests for. Default: all */
    readonly targets?: ReadonlyArray<"claude" | "cursor" | "codex"> | null | undefined;
    /** `draft` withdraws the plugin. Only publishing makes it active */
    readonly status?: "draft" | "active" | undefined;
    /** Names of the groups whose members can install it; replaces all */
    readonly groups?: ReadonlyArray<string> | undefined;
  };
  /** The settings to change; omitted settings keep their value */
  readonly UpdateSettings: {
    /** Days to keep the call log. Default: 90. Null restores the default */
    readonly call_log_retention_days?: number | null | undefined;
    /** Days to keep call statistics. Default: 400. Null restores the default */
    readonly call_stats_retention_days?: number | null | undefined;
    /** Days to keep the audit log. Default: 365. Null restores the default */
    readonly audit_retention_days?: number | null | undefined;
    /** Minutes between syncs of a server's tools. Default: 15. Null restores the default */
    readonly tool_sync_interval_minutes?: number | null | undefined;
    /** Maximum concurrent calls to one server. Default: 64. Null restores the default */
    readonly server_concurrent_calls?: number | null | undefined;
    /** Maximum calls that wait for a free slot of one server. Default: 128. Null restores the default */
    readonly server_queued_calls?: number | null | undefined;
    /** Maximum seconds that a call waits in the queue. Default: 5. Null restores the default */
    readonly server_queue_seconds?: number | null | undefined;
    /** Consecutive failures before calls to a server are paused. Default: 5. Null restores the default */
    readonly server_failures_until_pause?: number | null | undefined;
    /** Longest pause of a failing server in seconds. A trial call is sent after 1, 2, 4 and so on up to this. Default: 30. Null restores the default */
    readonly server_pause_seconds?: number | null | undefined;
    /** Seconds to wait for the first byte of a response. Default: 300. Null restores the default */
    readonly server_first_byte_seconds?: number | null | undefined;
    /** Seconds without data before a response times out. Default: 300. Null restores the default */
    readonly server_idle_seconds?: number | null | undefined;
    /** Maximum duration of a call in seconds. Default: 900. Null restores the default */
    readonly server_total_seconds?: number | null | undefined;
    /** Maximum concurrent calls of one user. Default: 256. Null restores the default */
    readonly user_concurrent_calls?: number | null | undefined;
    /** Maximum calls of one user per minute; 0 means unlimited. Default: 0. Null restores the default */
    readonly user_calls_per_minute?: number | null | undefined;
    /** Seconds that a call waits for an approval before it is answered; 0 answers immediately. Default: 30. Null restores the default */
    readonly approval_wait_seconds?: number | null | undefined;
    /** Days to keep arguments and results. Default: 7. Null restores the default */
    readonly payload_retention_days?: number | null | undefined;
    /** Maximum storage for arguments and results in megabytes; the oldest are deleted first. Default: 512. Null restores the default */
    readonly payload_storage_mb?: number | null | undefined;
    /** Minutes between scans of a device for AI tools. Default: 60. Null restores the default */
    readonly discovery_scan_minutes?: number | null | undefined;
    /** Days to keep devices that no longer report, and discovered items that were removed. Default: 180. Null restores the default */
    readonly discovery_retention_days?: number | null | undefined;
    /** What to record of each call: `off` only user, tool, time, and outcome; `metadata` also sizes and errors; `redacted` also arguments and results with secrets removed; `full` unchanged arguments and results. `off` deletes stored payloads. Default: metadata. Null restores the default */
    readonly payload_capture?: "off" | "metadata" | "redacted" | "full" | null | undefined;
    /** When storing payloads ends: after this time, `payload_capture` has the effect of `metadata`. Changing `payload_capture` removes it. Null: it does not end */
    readonly payload_capture_until?: string | null | undefined;
    /** Whether MCP clients can identify themselves with client ID metadata documents: `auto` advertises it only while such documents can be fetched; `on` always; `off` never, and no document is read. Without it, clients register themselves. Default: auto. Null restores the default */
    readonly client_id_documents?: "auto" | "on" | "off" | null | undefined;
    /** Whether secrets of machine users can be revealed again; turning it off deletes the stored copies. Default: true. Null restores the default */
    readonly machine_secret_reveal?: boolean | null | undefined;
    /** Whether members see all active servers and can request access to them. Default: true. Null restores the default */
    readonly access_requests?: boolean | null | undefined;
    /** Whether people can sign in with a password; before it can be turned off, an owner must have signed in with the identity provider. Default: true. Null restores the default */
    readonly local_sign_in?: boolean | null | undefined;
    /** Whether plugins can contain hooks, which run commands on the computers of users. Default: false. Null restores the default */
    readonly allow_plugin_hooks?: boolean | null | undefined;
    /** Whether the text of skills that devices send is stored, so that discovered skills can be imported. Default: false. Null restores the default */
    readonly discovery_skill_texts?: boolean | null | undefined;
    /** Email or URL shown to people who need help. Null removes it */
    readonly help_contact?: string | null | undefined;
    /** The identity provider. Omitted fields keep their value; null removes it */
    readonly sso?: {
      /** The provider's issuer URL, where its OpenID configuration is published */
      readonly issuer?: string | undefined;
      /** Client ID at the provider. Register the redirect URL `{base_url}/sso-callback` there */
      readonly client_id?: string | undefined;
      /** Client secret at the provider, stored encrypted; null: public client */
      readonly client_secret?: string | null | undefined;
      /** Email domains that can sign in. Emails must be verified */
      readonly allowed_domains?: ReadonlyArray<string> | undefined;
      /** The claim that lists a person's groups, or its path such as `realm_access.roles`; null: groups are managed only in Gatehouse */
      readonly groups_claim?: string | null | undefined;
      /** Maps values of that claim to group names. These memberships are updated at each sign-in, except those of groups that SCIM manages */
      readonly group_mapping?: Readonly<Record<string, string>> | undefined;
      /** Whether a sign-in removes a person from mapped groups that the claim does not list. Default: true */
      readonly remove_from_groups?: boolean | undefined;
      /** Role of accounts created on first sign-in */
      readonly default_role?: "admin" | "auditor" | "member" | undefined;
      /** Whether accounts are created on first sign-in */
      readonly auto_create?: boolean | undefined;
    } | null | undefined;
  };
  /** Changes to a skill. Omitted fields keep their values */
  readonly UpdateSkill: {
    /** Must be the current name */
    readonly name?: string | undefined;
    /** What the skill does and when to use it */
    readonly description?: string | undefined;
    /** The license, or the name of a file with it */
    readonly license?: string | null | undefined;
    /** What the skill requires of its environment */
    readonly compatibility?: string | null | undefined;
    /** Further names and texts of the front matter */
    readonly metadata?: Readonly<Record<string, string>> | null | undefined;
    /** Tools that clients may use without asking */
    readonly allowed_tools?: ReadonlyArray<string> | null | undefined;
    /** Instructions in Markdown, without front matter */
    readonly content?: string | undefined;
    /** All files except SKILL.md; replaces all */
    readonly files?: ReadonlyArray<{
      /** Relative path, with slashes */
      readonly path: string;
      /** The content as text */
      readonly content?: string | undefined;
      /** The content in base64 */
      readonly content_base64?: string | undefined;
      /** Instead of the content: the digest of a file that the skill has */
      readonly digest?: string | undefined;
      /** Whether it is executable in downloads. Default: false */
      readonly executable?: boolean | undefined;
    }> | undefined;
    /** Only active skills reach callers. Default: draft */
    readonly status?: "draft" | "active" | undefined;
    /** Names of the groups whose members can use it; replaces all */
    readonly groups?: ReadonlyArray<string> | undefined;
  };
  /** Changes to a toolkit. Omitted fields keep their values */
  readonly UpdateToolkit: {
    /** Display name */
    readonly name?: string | undefined;
    /** For users of the toolkit */
    readonly description?: string | null | undefined;
    /** For models: part of the server's instructions in the view of the toolkit */
    readonly instructions?: string | null | undefined;
    /** Only active toolkits reach callers. Default: draft */
    readonly status?: "draft" | "active" | undefined;
    /** Whether users see only the toolkit's tools of the servers that it names, also without selecting it. Default: false */
    readonly least_privilege?: boolean | undefined;
    /** The tools; replaces all */
    readonly tools?: ReadonlyArray<{
      /** The server's slug */
      readonly server: string;
      /** The tool's name at the server. `*`: all other enabled tools */
      readonly tool: string;
      /** Callers see `{server}__{alias}` instead of the tool's name */
      readonly alias?: string | null | undefined;
      /** Replaces the tool's title */
      readonly title?: string | null | undefined;
      /** Replaces the tool's description */
      readonly description?: string | null | undefined;
      /** Changes to the top-level arguments */
      readonly arguments?: {
        /** Sent with every call. Callers do not see these arguments and cannot set them */
        readonly fixed?: Readonly<Record<string, unknown>> | null | undefined;
        /** Sent if the caller does not set them */
        readonly defaults?: Readonly<Record<string, unknown>> | null | undefined;
        /** Removed from the schema and from calls */
        readonly hidden?: ReadonlyArray<string> | null | undefined;
      } | null | undefined;
    }> | undefined;
    /** The prompts; replaces all */
    readonly prompts?: ReadonlyArray<{
      /** The server's slug */
      readonly server: string;
      /** The prompt's name at the server */
      readonly name: string;
    }> | undefined;
    /** The resources; replaces all */
    readonly resources?: ReadonlyArray<{
      /** The server's slug */
      readonly server: string;
      /** The URI of a resource, or a URI template */
      readonly uri: string;
    }> | undefined;
    /** Slugs of the skills; replaces all */
    readonly skills?: ReadonlyArray<string> | undefined;
    /** Slugs of the commands; replaces all */
    readonly commands?: ReadonlyArray<string> | undefined;
    /** Names of the groups whose members can use it; replaces all */
    readonly groups?: ReadonlyArray<string> | undefined;
  };
  /** Changes to a user. Omitted fields keep their values */
  readonly UpdateUser: {
    /** Display name */
    readonly name?: string | undefined;
    /** Risk score from 0 to 100. Null: none */
    readonly risk_score?: number | null | undefined;
    /** Machine users only: replaces all owners. An empty array removes them */
    readonly owner_ids?: ReadonlyArray<string> | undefined;
    /** Machine users only: slug of the only toolkit that it can use from now on, with every request. Null: no such limit */
    readonly toolkit?: string | null | undefined;
    /** ID of the user at the identity provider or in another system, case-sensitive. Unique among people, and among machine users. Null removes it. Changing it for a person requires the scope `all`, because trusted issuers identify people by it */
    readonly external_id?: string | null | undefined;
    /** People only. Changing it requires the scope `all` */
    readonly role?: "owner" | "admin" | "auditor" | "member" | undefined;
    /** True disables the user immediately, false enables the user again */
    readonly disabled?: boolean | undefined;
  };
  /** Fields to change */
  readonly UpdateWebhook: {
    /** Name of the webhook, unique regardless of case */
    readonly name?: string | undefined;
    /** The receiver. Private addresses need `EGRESS_ALLOW`; redirects are not followed */
    readonly url?: string | undefined;
    /** The events to send. `server.unhealthy`: Syncs of an active server fail, or most of its recent calls fail. `server.healthy`: A server that was unhealthy works again. `tools.held`: A sync found new or changed tool definitions that wait for a review. `approval.requested`: A guard held a call until a person approves it. `approval.decided`: A held call was approved or denied, or its approval expired. `guard.blocked`: A guard blocked a request or a response. Frequent blocks are combined into one event. `agent.finished`: A session of an agent completed, failed, or timed out. `discovery.violation`: The AI discovery policy warns about or blocks something on a device. Violations of one report are combined into one event. `access.requested`: A person requested access to a server or to some of its tools. `security.alert`: A sensitive change, such as a new owner, a new API token with all scopes, or a reset account. `audit.checkpoint`: A signed checkpoint of the audit log, every 10 minutes if there are new entries. `audit.entry`: Every new entry of the audit log, with its position and hash */
    readonly events?: ReadonlyArray<"server.unhealthy" | "server.healthy" | "tools.held" | "approval.requested" | "approval.decided" | "guard.blocked" | "agent.finished" | "discovery.violation" | "access.requested" | "security.alert" | "audit.checkpoint" | "audit.entry"> | undefined;
    /** `json`: the event, signed as Standard Webhooks describes; `slack`: a message that Slack and compatible services display */
    readonly format?: "json" | "slack" | undefined;
    /** Whether events are sent. Enabling a webhook also clears why it was disabled */
    readonly enabled?: boolean | undefined;
    /** Replaces the secret immediately. To keep the old one for a while, rotate it */
    readonly secret?: string | undefined;
  };
  /** An active command of a user's groups */
  readonly UsableCommand: {
    /** The name of its prompt at the gateway */
    readonly slug: string;
    /** Display name */
    readonly name: string;
    /** What it does */
    readonly description: string;
    /** Shown next to the name */
    readonly argument_hint: string;
    /** What callers can send */
    readonly arguments: ReadonlyArray<Schemas["CommandArgument"]>;
  };
  /** An active plugin of a user's groups, with its latest release */
  readonly UsablePlugin: {
    /** The name in clients */
    readonly slug: string;
    /** Display name */
    readonly name: string;
    /** What the plugin is for */
    readonly description: string;
    /** The version of the latest release */
    readonly version: string;
    /** The clients that it is made for */
    readonly targets: ReadonlyArray<"claude" | "cursor" | "codex">;
    /** When the latest release was published */
    readonly published_at: string;
    /** What installs it after the marketplace was added */
    readonly install_commands: {
      /** Typed in Claude Code */
      readonly claude?: string | undefined;
      /** Typed in a terminal */
      readonly codex?: string | undefined;
    };
  };
  /** An active skill of a user's groups */
  readonly UsableSkill: {
    /** The name of the skill */
    readonly slug: string;
    /** The name of the skill */
    readonly name: string;
    /** What it does and when to use it */
    readonly description: string;
    /** The current version */
    readonly version: number;
    /** Its URI at the gateway */
    readonly uri: string;
    /** A ZIP file, for clients without MCP. Requires a credential of the gateway */
    readonly download_url: string;
  };
  /** A toolkit that a user can select */
  readonly UsableToolkit: {
    /** For `?toolkit=` */
    readonly slug: string;
    /** Display name */
    readonly name: string;
    /** What it is for */
    readonly description: string;
    /** Drafts are listed only for their owner, and cannot be used */
    readonly status: "draft" | "active";
    /** Whether it is a toolkit of the user, who can change it */
    readonly own: boolean;
    /** Whether it also applies without being selected */
    readonly least_privilege: boolean;
  };
  /** A person or a machine user */
  readonly User: {
    /** ID of the record; IDs are never reused */
    readonly id: string;
    /** Display name */
    readonly name: string;
    /** Unique, case-insensitive. Generated for machine users */
    readonly email: string;
    /** Whether this is a machine user, such as an agent, a script, or a job */
    readonly is_machine_user: boolean;
    /** Machine users only */
    readonly slug?: string | undefined;
    /** IDs of the user's groups */
    readonly group_ids: ReadonlyArray<string>;
    /** Machine users only: IDs of the people who are responsible for it */
    readonly owner_ids?: ReadonlyArray<string> | undefined;
    /** Machine users only: slug of the only toolkit that it can use. Null: none */
    readonly toolkit?: string | null | undefined;
    /** ID of the user at the identity provider or in another system, case-sensitive. Null: none */
    readonly external_id: string | null;
    /** `scim`: the identity provider manages name, email, external ID, and deletion. Null: managed in Gatehouse */
    readonly provisioned_by: "scim" | null;
    /** Whether the identity provider deactivated the person through SCIM. Such a person is also disabled */
    readonly suspended: boolean;
    /** Risk score from 0 to 100. Null: none */
    readonly risk_score: number | null;
    /** A person's permissions: `owner` has full access, `admin` manages everything except roles, `auditor` has read-only access, `member` manages only their own connections */
    readonly role: "owner" | "admin" | "auditor" | "member";
    /** Whether the user is disabled. A disabled user has no access */
    readonly disabled: boolean;
    /** When it was created */
    readonly created_at: string;
    /** When it was last changed */
    readonly updated_at: string;
  };
  /** A server that a user can access, and the user's connection to it */
  readonly UserMcpServer: {
    /** The server's slug */
    readonly slug: string;
    /** Display name */
    readonly name: string;
    /** Purpose of the server; can be empty */
    readonly description: string;
    /** URL of a logo on this service */
    readonly logo_url: string;
    /** Authentication that the server requires of each user: none, OAuth, or an API key */
    readonly auth_type: "none" | "proxy-oauth" | "proxy-api-key" | "exchanged-token";
    /** How to get an API key, in Markdown written by an admin; render it with active content removed */
    readonly how_to: string | null;
    /** The page where the signed-in user connects */
    readonly connect_url: string;
    /** Number of enabled tools */
    readonly tools_count: number;
    /** Number of model tokens that the definitions of these tools take. Approximate: the bytes of the definitions, divided by 4 */
    readonly tokens_estimate: number;
    /** When the user last called the server, within their last 2,000 calls */
    readonly last_used_at: string | null;
    /** Status of the connection */
    readonly connection: {
      /** Status of the connection; `not_required` if the user has nothing to connect */
      readonly status: "connected" | "not_connected" | "reconnect_needed" | "not_required";
      /** When the user connected; null if not connected, or if client credentials have not been used yet */
      readonly connected_at: string | null;
      /** When the credential expires unless it is renewed; null if unknown */
      readonly expires_at: string | null;
      /** Why the user must reconnect, if known */
      readonly last_error: string | null;
    };
  };
  /** The body of an import, or the fields of a skill */
  readonly ValidateSkill: {
    /** A ZIP file in base64 */
    readonly archive_base64?: string | undefined;
    /** The text of SKILL.md with its front matter, for a skill without other files */
    readonly skill_md?: string | undefined;
    /** Lowercase letters, digits and hyphens; the slug */
    readonly name?: string | undefined;
    /** What the skill does and when to use it */
    readonly description?: string | undefined;
    /** The license, or the name of a file with it */
    readonly license?: string | null | undefined;
    /** What the skill requires of its environment */
    readonly compatibility?: string | null | undefined;
    /** Further names and texts of the front matter */
    readonly metadata?: Readonly<Record<string, string>> | null | undefined;
    /** Tools that clients may use without asking */
    readonly allowed_tools?: ReadonlyArray<string> | null | undefined;
    /** Instructions in Markdown, without front matter */
    readonly content?: string | undefined;
    /** All files except SKILL.md; replaces all */
    readonly files?: ReadonlyArray<{
      /** Relative path, with slashes */
      readonly path: string;
      /** The content as text */
      readonly content?: string | undefined;
      /** The content in base64 */
      readonly content_base64?: string | undefined;
      /** Instead of the content: the digest of a file that the skill has */
      readonly digest?: string | undefined;
      /** Whether it is executable in downloads. Default: false */
      readonly executable?: boolean | undefined;
    }> | undefined;
    /** Only active skills reach callers. Default: draft */
    readonly status?: "draft" | "active" | undefined;
    /** Names of the groups whose members can use it; replaces all */
    readonly groups?: ReadonlyArray<string> | undefined;
  };
  /** A browser in which a person is signed in */
  readonly WebSession: {
    /** ID of the record; IDs are never reused */
    readonly id: string;
    /** Whether this is the session of the request */
    readonly current: boolean;
    /** How the person authenticated: password, setup, invitation or oidc */
    readonly method: string;
    /** IP address that signed in */
    readonly address: string;
    /** User agent of the browser */
    readonly user_agent: string;
    /** When the session began */
    readonly created_at: string;
    /** When the session was last used, to within a minute */
    readonly last_seen_at: string;
    /** When the session expires, regardless of use */
    readonly expires_at: string;
  };
  /** A receiver of events, without its secret */
  readonly Webhook: {
    /** ID of the record; IDs are never reused */
    readonly id: string;
    /** Name of the webhook */
    readonly name: string;
    /** The receiver */
    readonly url: string;
    /** The events that are sent */
    readonly events: ReadonlyArray<string>;
    /** `json`: the event, signed as Standard Webhooks describes; `slack`: a message that Slack and compatible services display */
    readonly format: "json" | "slack";
    /** Whether events are sent */
    readonly enabled: boolean;
    /** Until when requests are also signed with the old secret */
    readonly previous_secret_expires_at: string | null;
    /** The first failed attempt since the last successful one */
    readonly failing_since: string | null;
    /** Why it was disabled automatically. `failing`: no attempt succeeded for 5 days; `gone`: the receiver responded with status 410 */
    readonly disabled_reason: "failing" | "gone" | null;
    /** When it was disabled automatically */
    readonly disabled_at: string | null;
    /** The newest event that was attempted */
    readonly last_delivery: {
      /** `pending`: it is retried */
      readonly status: "pending" | "delivered" | "failed";
      /** When it was last attempted */
      readonly at: string;
      /** HTTP status; null: no response */
      readonly response_status: number | null;
      /** Why the attempt failed; null if it succeeded */
      readonly error: string | null;
    } | null;
    /** Number of events that wait for an attempt */
    readonly pending_deliveries: number;
    /** Who created it */
    readonly created_by: string;
    /** When it was created */
    readonly created_at: string;
    /** When it was last changed */
    readonly updated_at: string;
  };
  /** One event for one webhook */
  readonly WebhookDelivery: {
    /** ID of the record; IDs are never reused */
    readonly id: string;
    /** The ID in the header `webhook-id`, the same for every attempt */
    readonly event_id: string;
    /** Type of the event */
    readonly event: string;
    /** `pending`: it waits for its next attempt; `failed`: all attempts failed */
    readonly status: "pending" | "delivered" | "failed";
    /** Number of attempts */
    readonly attempts: number;
    /** When it was last attempted */
    readonly last_attempt_at: string | null;
    /** When it is attempted next; null: no further attempt */
    readonly next_attempt_at: string | null;
    /** HTTP status of the last attempt */
    readonly response_status: number | null;
    /** Why the last attempt failed; null if it succeeded */
    readonly error: string | null;
    /** When the event occurred */
    readonly created_at: string;
  };
  /** A delivery with its request and attempts */
  readonly WebhookDeliveryDetail: {
    /** ID of the record; IDs are never reused */
    readonly id: string;
    /** The ID in the header `webhook-id`, the same for every attempt */
    readonly event_id: string;
    /** Type of the event */
    readonly event: string;
    /** `pending`: it waits for its next attempt; `failed`: all attempts failed */
    readonly status: "pending" | "delivered" | "failed";
    /** Number of attempts */
    readonly attempts: number;
    /** When it was last attempted */
    readonly last_attempt_at: string | null;
    /** When it is attempted next; null: no further attempt */
    readonly next_attempt_at: string | null;
    /** HTTP status of the last attempt */
    readonly response_status: number | null;
    /** Why the last attempt failed; null if it succeeded */
    readonly error: string | null;
    /** When the event occurred */
    readonly created_at: string;
    /** The body of the request, exactly as it is signed */
    readonly request_body: string;
    /** The newest 50 attempts, oldest first */
    readonly attempt_log: ReadonlyArray<{
      /** When the request was sent */
      readonly at: string;
      /** Duration in milliseconds */
      readonly duration_ms: number;
      /** HTTP status; null: no response */
      readonly response_status: number | null;
      /** Why it failed; null if it succeeded */
      readonly error: string | null;
      /** The first 1,000 characters of the response; null: none */
      readonly response: string | null;
    }>;
  };
  /** An event that webhooks can subscribe to */
  readonly WebhookEvent: {
    /** The name of the event */
    readonly type: string;
    /** Heading for related events */
    readonly group: string;
    /** A short label */
    readonly title: string;
    /** When it is sent */
    readonly description: string;
    /** Whether this release sends it */
    readonly available: boolean;
  };
}

export interface Operations {
  /** List MCP servers */
  readonly listMcpServers: {
    readonly request: {
      readonly query?: {
        /** Only servers with this status */
        readonly status?: "active" | "draft" | undefined;
        /** Only servers whose name or description contains this text, case-insensitive */
        readonly search?: string | undefined;
        /** Only servers in this group, including drafts. Group name, case-insensitive; an unknown group has no servers */
        readonly group?: string | undefined;
        /** Adds each server's enabled tools; use fields=tools(...) instead @deprecated */
        readonly include_tools?: boolean | undefined;
        /** Only servers with this authentication */
        readonly auth_type?: "none" | "proxy-oauth" | "proxy-api-key" | "exchanged-token" | undefined;
        /** Only servers that need setup, could not be synced, have failing calls, have tools to review, or have users who must reconnect */
        readonly needs_attention?: boolean | undefined;
        /** Adds health, status fields, groups, the number of users with access and of connected users, and a summary of recent calls */
        readonly include_details?: boolean | undefined;
        /** Sort by creation time (default), name, number of tools, or last sync */
        readonly sort?: "created" | "name" | "tools" | "synced" | undefined;
        /** Ascending (default) or descending */
        readonly order?: "asc" | "desc" | undefined;
        /** Comma-separated fields; nested ones in parentheses, such as tools(name,slug) */
        readonly fields?: string | undefined;
        /** Zero-based offset of the first entry */
        readonly cursor?: number | undefined;
        /** Maximum number of entries to return */
        readonly limit?: number | undefined;
        /** Adds totalCount */
        readonly includeTotal?: boolean | undefined;
      } | undefined;
      readonly headers?: {
        /** Only servers that this group can use. Group name, case-insensitive */
        readonly "x-service-group"?: string | undefined;
      } | undefined;
    };
    readonly answer: {
      readonly data: ReadonlyArray<Schemas["McpServerSelection"]>;
      readonly pagination: Schemas["CursorPagination"];
      /** Total number of entries on all pages */
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
        /** A request that repeats a key within 24 hours gets the stored response and is not run again */
        readonly "Idempotency-Key"?: string | undefined;
      } | undefined;
      readonly body: Schemas["CreateMcpServer"];
    };
    readonly answer: {
      /** The slug, or the full server with `return=full` */
      readonly data: {
        /** Current slug of the server */
        readonly slug: string;
      } | Schemas["McpServerDetail"];
    };
  };
  /** Update an MCP server */
  readonly updateMcpServer: {
    readonly request: {
      readonly query: {
        /** The server's current slug */
        readonly slug: string;
      };
      readonly body: Schemas["UpdateMcpServer"];
    };
    readonly answer: {
      readonly data: {
        /** Current slug of the server */
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
  /** Enable, disable, and limit tools of an MCP server */
  readonly updateMcpServerTools: {
    readonly request: {
      readonly query: {
        /** The server's slug */
        readonly slug: string;
      };
      readonly body: Schemas["UpdateMcpServerTools"];
    };
    readonly answer: {
      readonly data: Schemas["McpServerTools"];
    };
  };
  /** List new and changed tools of an MCP server */
  readonly listToolChanges: {
    readonly request: {
      readonly path: {
        /** The server's slug */
        readonly slug: string;
      };
      readonly query?: {
        /** Zero-based offset of the first entry */
        readonly cursor?: number | undefined;
        /** Maximum number of entries to return */
        readonly limit?: number | undefined;
      } | undefined;
    };
    readonly answer: {
      readonly data: ReadonlyArray<Schemas["ToolChange"]>;
      readonly pagination: Schemas["CursorPagination"];
      /** Total number of entries on all pages */
      readonly totalCount: number;
    };
  };
  /** Get the definition of one tool */
  readonly getToolDefinition: {
    readonly request: {
      readonly path: {
        /** The server's slug */
        readonly slug: string;
      };
      readonly query: {
        /** The part of the tool's gateway name after `__` */
        readonly tool: string;
      };
    };
    readonly answer: {
      readonly data: Schemas["ToolDefinition"];
    };
  };
  /** List the prompts and resources of an MCP server */
  readonly listMcpServerItems: {
    readonly request: {
      readonly path: {
        /** The server's slug */
        readonly slug: string;
      };
    };
    readonly answer: {
      readonly data: Schemas["McpServerItems"];
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
        /** A request that repeats a key within 24 hours gets the stored response and is not run again */
        readonly "Idempotency-Key"?: string | undefined;
      } | undefined;
      readonly body?: Schemas["AcceptTools"] | undefined;
    };
    readonly answer: {
      readonly data: {
        /** Definitions that were new or changed and are now accepted */
        readonly accepted: ReadonlyArray<string>;
      };
    };
  };
  /** Reject new and changed tools of an MCP server */
  readonly rejectTools: {
    readonly request: {
      readonly path: {
        /** The server's slug */
        readonly slug: string;
      };
      readonly headers?: {
        /** A request that repeats a key within 24 hours gets the stored response and is not run again */
        readonly "Idempotency-Key"?: string | undefined;
      } | undefined;
      readonly body?: Schemas["RejectTools"] | undefined;
    };
    readonly answer: {
      readonly data: {
        /** Definitions that were rejected */
        readonly rejected: ReadonlyArray<string>;
      };
    };
  };
  /** Sync the tools of an MCP server */
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
        /** Number of enabled tools after the sync */
        readonly tools_count: number;
        /** Why the sync failed; null if it succeeded */
        readonly sync_error: string | null;
      };
    };
  };
  /** Test the connection to an MCP server */
  readonly testMcpServer: {
    readonly request: {
      readonly path: {
        /** The server's slug */
        readonly slug: string;
      };
      readonly body?: Schemas["TestMcpServer"] | undefined;
    };
    readonly answer: {
      readonly data: Schemas["TestedServer"];
    };
  };
  /** List connections of an MCP server */
  readonly listMcpServerConnections: {
    readonly request: {
      readonly path: {
        /** The server's slug */
        readonly slug: string;
      };
      readonly query?: {
        /** Number of entries to skip */
        readonly skip?: number | undefined;
        /** Maximum number of entries to return */
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
        /** The user's email, case-insensitive */
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
        /** Whether to register a new client, for example because the authorization server deleted the old one. Users must reconnect when their current tokens expire */
        readonly register_again?: boolean | undefined;
      } | undefined;
    };
    readonly answer: {
      readonly data: Schemas["DiscoveredOAuth"];
    };
  };
  /** Approve changed OAuth settings of an MCP server */
  readonly approveOAuthChange: {
    readonly request: {
      readonly path: {
        /** The server's slug */
        readonly slug: string;
      };
      readonly headers?: {
        /** A request that repeats a key within 24 hours gets the stored response and is not run again */
        readonly "Idempotency-Key"?: string | undefined;
      } | undefined;
      readonly body: Schemas["ApproveOAuthChange"];
    };
    readonly answer: {
      readonly data: Schemas["PinnedOAuth"];
    };
  };
  /** Keep the current OAuth settings of an MCP server */
  readonly keepOAuthSettings: {
    readonly request: {
      readonly path: {
        /** The server's slug */
        readonly slug: string;
      };
      readonly headers?: {
        /** A request that repeats a key within 24 hours gets the stored response and is not run again */
        readonly "Idempotency-Key"?: string | undefined;
      } | undefined;
      readonly body: Schemas["KeepOAuthSettings"];
    };
    readonly answer: {
      /** The current settings; null if there are none yet */
      readonly data: Schemas["PinnedOAuth"] | null;
    };
  };
  /** List connectors */
  readonly listConnectors: {
    readonly request: {
      readonly query?: {
        /** Only this catalog; both if omitted */
        readonly source?: "connector" | "registry" | undefined;
        /** Only connectors with this status */
        readonly status?: "active" | "beta" | "soon" | undefined;
        /** Only built-in connectors in this category */
        readonly category?: string | undefined;
        /** Only connectors whose ID, name, or description contains this text; case-insensitive */
        readonly search?: string | undefined;
        /** Only featured connectors */
        readonly featured?: boolean | undefined;
        /** Include the known tools of built-in connectors */
        readonly include_tools?: boolean | undefined;
        /** Include the number of MCP servers that use each connector */
        readonly include_usage?: boolean | undefined;
        /** Zero-based offset of the first entry */
        readonly cursor?: number | undefined;
        /** Maximum number of entries to return */
        readonly limit?: number | undefined;
      } | undefined;
    };
    readonly answer: {
      readonly data: ReadonlyArray<Schemas["Connector"]>;
      readonly pagination: Schemas["CursorPagination"];
      /** Total number of entries on all pages */
      readonly totalCount: number;
    };
  };
  /** List connector categories */
  readonly listConnectorCategories: {
    readonly request: Readonly<Record<never, never>>;
    readonly answer: {
      readonly data: ReadonlyArray<Schemas["ConnectorCategory"]>;
    };
  };
  /** Get a connector */
  readonly getConnector: {
    readonly request: {
      readonly path: {
        /** The connector's catalog ID, with a slash percent-encoded as %2F */
        readonly connector_id: string;
      };
    };
    readonly answer: {
      readonly data: Schemas["ConnectorDetails"];
    };
  };
  /** List the MCP servers that use a connector */
  readonly getConnectorUsage: {
    readonly request: {
      readonly path: {
        /** The connector's catalog ID, with a slash percent-encoded as %2F */
        readonly connector_id: string;
      };
      readonly query?: {
        /** Only this catalog; both if omitted */
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
        /** Number of groups to skip */
        readonly skip?: number | undefined;
        /** Maximum number of entries to return */
        readonly limit?: number | undefined;
        /** Only groups whose name contains this text, case-insensitive */
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
        /** A request that repeats a key within 24 hours gets the stored response and is not run again */
        readonly "Idempotency-Key"?: string | undefined;
      } | undefined;
      readonly body: Schemas["CreateGroup"];
    };
    readonly answer: {
      readonly data: Schemas["Group"];
    };
  };
  /** Rename a group or change its settings and limits */
  readonly updateGroup: {
    readonly request: {
      readonly query: {
        /** The group's current name, case-insensitive */
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
        /** The group's name, case-insensitive */
        readonly name: string;
      };
    };
    readonly answer: Schemas["Message"];
  };
  /** Get one group */
  readonly getGroup: {
    readonly request: {
      readonly path: {
        /** The group's name, case-insensitive */
        readonly name: string;
      };
    };
    readonly answer: {
      readonly data: Schemas["GroupDetail"];
    };
  };
  /** List the MCP servers of a group and the tools that it grants */
  readonly listGroupIntegrations: {
    readonly request: {
      readonly path: {
        /** The group's name, case-insensitive */
        readonly name: string;
      };
      readonly query?: {
        /** Number of entries to skip */
        readonly skip?: number | undefined;
        /** Maximum number of entries to return */
        readonly limit?: number | undefined;
      } | undefined;
    };
    readonly answer: {
      readonly data: ReadonlyArray<Schemas["GroupIntegration"]>;
      readonly pagination: Schemas["SkipPagination"];
    };
  };
  /** Add MCP servers to a group */
  readonly addIntegrationsToGroup: {
    readonly request: {
      readonly path: {
        /** The group's name, case-insensitive */
        readonly name: string;
      };
      readonly headers?: {
        /** A request that repeats a key within 24 hours gets the stored response and is not run again */
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
        /** The group's name, case-insensitive */
        readonly name: string;
      };
      readonly query: {
        /** The server's slug */
        readonly slug: string;
      };
    };
    readonly answer: Schemas["Success"];
  };
  /** Select the tools of an MCP server that a group grants */
  readonly updateGroupIntegration: {
    readonly request: {
      readonly path: {
        /** The group's name, case-insensitive */
        readonly name: string;
      };
      readonly query: {
        /** The server's slug */
        readonly slug: string;
      };
      readonly body: Schemas["UpdateGroupIntegration"];
    };
    readonly answer: {
      readonly data: Schemas["Grant"];
      /** What could not be checked */
      readonly warnings?: ReadonlyArray<string> | undefined;
    };
  };
  /** Add plugins to a group */
  readonly addPluginsToGroup: {
    readonly request: {
      readonly path: {
        /** The group's name, case-insensitive */
        readonly name: string;
      };
      readonly headers?: {
        /** A request that repeats a key within 24 hours gets the stored response and is not run again */
        readonly "Idempotency-Key"?: string | undefined;
      } | undefined;
      readonly body: Schemas["AddPlugins"];
    };
    readonly answer: Schemas["Success"];
  };
  /** Remove a plugin from a group */
  readonly removePluginFromGroup: {
    readonly request: {
      readonly path: {
        /** The group's name, case-insensitive */
        readonly name: string;
      };
      readonly query: {
        /** The plugin's slug */
        readonly slug: string;
      };
    };
    readonly answer: Schemas["Success"];
  };
  /** Add skills to a group */
  readonly addSkillsToGroup: {
    readonly request: {
      readonly path: {
        /** The group's name, case-insensitive */
        readonly name: string;
      };
      readonly headers?: {
        /** A request that repeats a key within 24 hours gets the stored response and is not run again */
        readonly "Idempotency-Key"?: string | undefined;
      } | undefined;
      readonly body: Schemas["AddSkills"];
    };
    readonly answer: Schemas["Success"];
  };
  /** Remove a skill from a group */
  readonly removeSkillFromGroup: {
    readonly request: {
      readonly path: {
        /** The group's name, case-insensitive */
        readonly name: string;
      };
      readonly query: {
        /** The skill's slug */
        readonly slug: string;
      };
    };
    readonly answer: Schemas["Success"];
  };
  /** Add commands to a group */
  readonly addCommandsToGroup: {
    readonly request: {
      readonly path: {
        /** The group's name, case-insensitive */
        readonly name: string;
      };
      readonly headers?: {
        /** A request that repeats a key within 24 hours gets the stored response and is not run again */
        readonly "Idempotency-Key"?: string | undefined;
      } | undefined;
      readonly body: Schemas["AddCommands"];
    };
    readonly answer: Schemas["Success"];
  };
  /** Remove a command from a group */
  readonly removeCommandFromGroup: {
    readonly request: {
      readonly path: {
        /** The group's name, case-insensitive */
        readonly name: string;
      };
      readonly query: {
        /** The command's slug */
        readonly slug: string;
      };
    };
    readonly answer: Schemas["Success"];
  };
  /** Add toolkits to a group */
  readonly addToolkitsToGroup: {
    readonly request: {
      readonly path: {
        /** The group's name, case-insensitive */
        readonly name: string;
      };
      readonly headers?: {
        /** A request that repeats a key within 24 hours gets the stored response and is not run again */
        readonly "Idempotency-Key"?: string | undefined;
      } | undefined;
      readonly body: Schemas["AddToolkits"];
    };
    readonly answer: Schemas["Success"];
  };
  /** Remove a toolkit from a group */
  readonly removeToolkitFromGroup: {
    readonly request: {
      readonly path: {
        /** The group's name, case-insensitive */
        readonly name: string;
      };
      readonly query: {
        /** The toolkit's slug */
        readonly slug: string;
      };
    };
    readonly answer: Schemas["Success"];
  };
  /** Add users to a group */
  readonly addUsersToGroup: {
    readonly request: {
      readonly path: {
        /** The group's name, case-insensitive */
        readonly name: string;
      };
      readonly headers?: {
        /** A request that repeats a key within 24 hours gets the stored response and is not run again */
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
        /** The group's name, case-insensitive */
        readonly name: string;
      };
      readonly query: {
        /** The user's email, case-insensitive */
        readonly email: string;
      };
    };
    readonly answer: Schemas["Success"];
  };
  /** List toolkits */
  readonly listToolkits: {
    readonly request: {
      readonly query?: {
        /** Only toolkits with this status */
        readonly status?: "active" | "draft" | undefined;
        /** Only toolkits whose slug, name or description contains this text, case-insensitive */
        readonly search?: string | undefined;
        /** Only toolkits with entries of this server, by slug */
        readonly server?: string | undefined;
        /** Only toolkits of this user, by email. `none`: only toolkits of the organization */
        readonly owner?: string | undefined;
        /** Comma-separated fields; nested ones in parentheses, such as tools(server,tool) */
        readonly fields?: string | undefined;
        /** Zero-based offset of the first entry */
        readonly cursor?: number | undefined;
        /** Maximum number of entries to return */
        readonly limit?: number | undefined;
        /** Adds totalCount */
        readonly includeTotal?: boolean | undefined;
      } | undefined;
      readonly headers?: {
        /** Only toolkits of this group. Group name, case-insensitive */
        readonly "x-service-group"?: string | undefined;
      } | undefined;
    };
    readonly answer: {
      readonly data: ReadonlyArray<Schemas["ToolkitSelection"]>;
      readonly pagination: Schemas["CursorPagination"];
      /** Total number of entries on all pages */
      readonly totalCount?: number | undefined;
    };
  };
  /** Create a toolkit */
  readonly createToolkit: {
    readonly request: {
      readonly headers?: {
        /** A request that repeats a key within 24 hours gets the stored response and is not run again */
        readonly "Idempotency-Key"?: string | undefined;
      } | undefined;
      readonly body: Schemas["CreateToolkit"];
    };
    readonly answer: {
      readonly data: Schemas["Toolkit"];
      /** Entries that are saved but have no effect now */
      readonly warnings?: ReadonlyArray<string> | undefined;
    };
  };
  /** Update a toolkit */
  readonly updateToolkit: {
    readonly request: {
      readonly query: {
        /** The toolkit's slug */
        readonly slug: string;
      };
      readonly body: Schemas["UpdateToolkit"];
    };
    readonly answer: {
      readonly data: Schemas["Toolkit"];
      /** Entries that are saved but have no effect now */
      readonly warnings?: ReadonlyArray<string> | undefined;
    };
  };
  /** Delete a toolkit */
  readonly deleteToolkit: {
    readonly request: {
      readonly query: {
        /** The toolkit's slug */
        readonly slug: string;
        /** Deletes it although machine users or agents are bound to it */
        readonly force?: boolean | undefined;
      };
    };
    readonly answer: Schemas["Message"];
  };
  /** Get one toolkit */
  readonly getToolkit: {
    readonly request: {
      readonly path: {
        /** The toolkit's slug */
        readonly slug: string;
      };
    };
    readonly answer: {
      readonly data: Schemas["ToolkitDetail"];
    };
  };
  /** Add tools to a toolkit */
  readonly addToolkitTools: {
    readonly request: {
      readonly path: {
        /** The toolkit's slug */
        readonly slug: string;
      };
      readonly headers?: {
        /** A request that repeats a key within 24 hours gets the stored response and is not run again */
        readonly "Idempotency-Key"?: string | undefined;
      } | undefined;
      readonly body: Schemas["AddToolkitTools"];
    };
    readonly answer: {
      readonly data: Schemas["Toolkit"];
      /** Entries that are saved but have no effect now */
      readonly warnings?: ReadonlyArray<string> | undefined;
    };
  };
  /** Remove a tool from a toolkit */
  readonly removeToolkitTool: {
    readonly request: {
      readonly path: {
        /** The toolkit's slug */
        readonly slug: string;
      };
      readonly query: {
        /** The server's slug */
        readonly server: string;
        /** The tool's name at the server, or `*` */
        readonly tool: string;
        /** The alias of the entry */
        readonly alias?: string | undefined;
      };
    };
    readonly answer: {
      readonly data: Schemas["Toolkit"];
    };
  };
  /** Preview a toolkit as a user */
  readonly previewToolkit: {
    readonly request: {
      readonly path: {
        /** The toolkit's slug */
        readonly slug: string;
      };
      readonly query: {
        /** The user's email, case-insensitive */
        readonly email: string;
      };
    };
    readonly answer: {
      readonly data: Schemas["ToolkitPreview"];
    };
  };
  /** Preview changes to a toolkit before they are saved */
  readonly previewUnsavedToolkit: {
    readonly request: {
      readonly body: Schemas["PreviewToolkit"];
    };
    readonly answer: {
      readonly data: Schemas["ToolkitPreview"];
    };
  };
  /** List skills */
  readonly listSkills: {
    readonly request: {
      readonly query?: {
        /** Only skills with this status */
        readonly status?: "active" | "draft" | undefined;
        /** Only skills whose name or description contains this text, case-insensitive */
        readonly search?: string | undefined;
        /** Comma-separated fields */
        readonly fields?: string | undefined;
        /** Zero-based offset of the first entry */
        readonly cursor?: number | undefined;
        /** Maximum number of entries to return */
        readonly limit?: number | undefined;
        /** Adds totalCount */
        readonly includeTotal?: boolean | undefined;
      } | undefined;
      readonly headers?: {
        /** Only skills of this group. Group name, case-insensitive */
        readonly "x-service-group"?: string | undefined;
      } | undefined;
    };
    readonly answer: {
      readonly data: ReadonlyArray<Schemas["SkillSelection"]>;
      readonly pagination: Schemas["CursorPagination"];
      /** Total number of entries on all pages */
      readonly totalCount?: number | undefined;
    };
  };
  /** Create a skill */
  readonly createSkill: {
    readonly request: {
      readonly headers?: {
        /** A request that repeats a key within 24 hours gets the stored response and is not run again */
        readonly "Idempotency-Key"?: string | undefined;
      } | undefined;
      readonly body: Schemas["CreateSkill"];
    };
    readonly answer: {
      readonly data: Schemas["Skill"];
      /** What was saved although it does not follow the recommendations */
      readonly warnings?: ReadonlyArray<string> | undefined;
    };
  };
  /** Update a skill */
  readonly updateSkill: {
    readonly request: {
      readonly query: {
        /** The skill's slug */
        readonly slug: string;
      };
      readonly body: Schemas["UpdateSkill"];
    };
    readonly answer: {
      readonly data: Schemas["Skill"];
      /** What was saved although it does not follow the recommendations */
      readonly warnings?: ReadonlyArray<string> | undefined;
    };
  };
  /** Delete a skill */
  readonly deleteSkill: {
    readonly request: {
      readonly query: {
        /** The skill's slug */
        readonly slug: string;
      };
    };
    readonly answer: Schemas["Message"];
  };
  /** Import a skill */
  readonly importSkill: {
    readonly request: {
      readonly query?: {
        /** Adds a version to the skill that has this name already */
        readonly overwrite?: boolean | undefined;
      } | undefined;
      readonly headers?: {
        /** A request that repeats a key within 24 hours gets the stored response and is not run again */
        readonly "Idempotency-Key"?: string | undefined;
      } | undefined;
      readonly body: Schemas["ImportSkill"];
    };
    readonly answer: {
      readonly data: Schemas["Skill"];
      /** What was saved although it does not follow the recommendations */
      readonly warnings?: ReadonlyArray<string> | undefined;
    };
  };
  /** Validate a skill */
  readonly validateSkill: {
    readonly request: {
      readonly body: Schemas["ValidateSkill"];
    };
    readonly answer: {
      readonly data: Schemas["SkillValidation"];
    };
  };
  /** Get one skill */
  readonly getSkill: {
    readonly request: {
      readonly path: {
        /** The skill's slug */
        readonly slug: string;
      };
      readonly query?: {
        /** A version. Default: the current one */
        readonly version?: number | undefined;
        /** Comma-separated fields; nested ones in parentheses, such as files(path,size) */
        readonly fields?: string | undefined;
      } | undefined;
    };
    readonly answer: {
      readonly data: Schemas["SkillDetailSelection"];
    };
  };
  /** Get one file of a skill */
  readonly getSkillFile: {
    readonly request: {
      readonly path: {
        /** The skill's slug */
        readonly slug: string;
      };
      readonly query: {
        /** The path of the file */
        readonly path: string;
        /** A version. Default: the current one */
        readonly version?: number | undefined;
      };
    };
    readonly answer: {
      readonly data: Schemas["SkillFile"];
    };
  };
  /** List the versions of a skill */
  readonly listSkillVersions: {
    readonly request: {
      readonly path: {
        /** The skill's slug */
        readonly slug: string;
      };
      readonly query?: {
        /** Zero-based offset of the first entry */
        readonly cursor?: number | undefined;
        /** Maximum number of entries to return */
        readonly limit?: number | undefined;
      } | undefined;
    };
    readonly answer: {
      readonly data: ReadonlyArray<Schemas["SkillVersion"]>;
      readonly pagination: Schemas["CursorPagination"];
    };
  };
  /** Restore a version of a skill */
  readonly rollbackSkill: {
    readonly request: {
      readonly path: {
        /** The skill's slug */
        readonly slug: string;
      };
      readonly headers?: {
        /** A request that repeats a key within 24 hours gets the stored response and is not run again */
        readonly "Idempotency-Key"?: string | undefined;
      } | undefined;
      readonly body: Schemas["RollbackSkill"];
    };
    readonly answer: {
      readonly data: Schemas["Skill"];
      /** What was saved although it does not follow the recommendations */
      readonly warnings?: ReadonlyArray<string> | undefined;
    };
  };
  /** Download a skill */
  readonly downloadSkill: {
    readonly request: {
      readonly path: {
        /** The skill's slug */
        readonly slug: string;
      };
      readonly query?: {
        /** A version. Default: the current one */
        readonly version?: number | undefined;
      } | undefined;
    };
    readonly answer: undefined;
  };
  /** List commands */
  readonly listCommands: {
    readonly request: {
      readonly query?: {
        /** Only commands with this status */
        readonly status?: "active" | "draft" | undefined;
        /** Only commands whose name, slug or description contains this text, case-insensitive */
        readonly search?: string | undefined;
        /** Comma-separated fields; nested ones in parentheses, such as arguments(name) */
        readonly fields?: string | undefined;
        /** Zero-based offset of the first entry */
        readonly cursor?: number | undefined;
        /** Maximum number of entries to return */
        readonly limit?: number | undefined;
        /** Adds totalCount */
        readonly includeTotal?: boolean | undefined;
      } | undefined;
      readonly headers?: {
        /** Only commands of this group. Group name, case-insensitive */
        readonly "x-service-group"?: string | undefined;
      } | undefined;
    };
    readonly answer: {
      readonly data: ReadonlyArray<Schemas["CommandSelection"]>;
      readonly pagination: Schemas["CursorPagination"];
      /** Total number of entries on all pages */
      readonly totalCount?: number | undefined;
    };
  };
  /** Create a command */
  readonly createCommand: {
    readonly request: {
      readonly headers?: {
        /** A request that repeats a key within 24 hours gets the stored response and is not run again */
        readonly "Idempotency-Key"?: string | undefined;
      } | undefined;
      readonly body: Schemas["CreateCommand"];
    };
    readonly answer: {
      readonly data: Schemas["Command"];
      /** What was saved although it may not work as expected */
      readonly warnings?: ReadonlyArray<string> | undefined;
    };
  };
  /** Update a command */
  readonly updateCommand: {
    readonly request: {
      readonly query: {
        /** The command's slug */
        readonly slug: string;
      };
      readonly body: Schemas["UpdateCommand"];
    };
    readonly answer: {
      readonly data: Schemas["Command"];
      /** What was saved although it may not work as expected */
      readonly warnings?: ReadonlyArray<string> | undefined;
    };
  };
  /** Delete a command */
  readonly deleteCommand: {
    readonly request: {
      readonly query: {
        /** The command's slug */
        readonly slug: string;
      };
    };
    readonly answer: Schemas["Message"];
  };
  /** Import a command */
  readonly importCommand: {
    readonly request: {
      readonly headers?: {
        /** A request that repeats a key within 24 hours gets the stored response and is not run again */
        readonly "Idempotency-Key"?: string | undefined;
      } | undefined;
      readonly body: Schemas["ImportCommand"];
    };
    readonly answer: {
      readonly data: Schemas["Command"];
      /** What was saved although it may not work as expected */
      readonly warnings?: ReadonlyArray<string> | undefined;
    };
  };
  /** Get one command */
  readonly getCommand: {
    readonly request: {
      readonly path: {
        /** The command's slug */
        readonly slug: string;
      };
    };
    readonly answer: {
      readonly data: Schemas["Command"];
    };
  };
  /** Preview a command */
  readonly renderCommand: {
    readonly request: {
      readonly path: {
        /** The command's slug */
        readonly slug: string;
      };
      readonly body: Schemas["RenderCommand"];
    };
    readonly answer: {
      readonly data: {
        /** The rendered text */
        readonly text: string;
      };
    };
  };
  /** Export a command */
  readonly exportCommand: {
    readonly request: {
      readonly path: {
        /** The command's slug */
        readonly slug: string;
      };
      readonly query?: {
        /** The client. Default: claude */
        readonly format?: "claude" | "cursor" | "gemini" | undefined;
      } | undefined;
    };
    readonly answer: undefined;
  };
  /** List plugins */
  readonly listPlugins: {
    readonly request: {
      readonly query?: {
        /** Only plugins with this status */
        readonly status?: "active" | "draft" | undefined;
        /** Only plugins whose slug, name or description contains this text, case-insensitive */
        readonly search?: string | undefined;
        /** Comma-separated fields */
        readonly fields?: string | undefined;
        /** Zero-based offset of the first entry */
        readonly cursor?: number | undefined;
        /** Maximum number of entries to return */
        readonly limit?: number | undefined;
        /** Adds totalCount */
        readonly includeTotal?: boolean | undefined;
      } | undefined;
      readonly headers?: {
        /** Only plugins of this group. Group name, case-insensitive */
        readonly "x-service-group"?: string | undefined;
      } | undefined;
    };
    readonly answer: {
      readonly data: ReadonlyArray<Schemas["PluginSelection"]>;
      readonly pagination: Schemas["CursorPagination"];
      /** Total number of entries on all pages */
      readonly totalCount?: number | undefined;
    };
  };
  /** Create a plugin */
  readonly createPlugin: {
    readonly request: {
      readonly headers?: {
        /** A request that repeats a key within 24 hours gets the stored response and is not run again */
        readonly "Idempotency-Key"?: string | undefined;
      } | undefined;
      readonly body: Schemas["CreatePlugin"];
    };
    readonly answer: {
      readonly data: Schemas["Plugin"];
    };
  };
  /** Update a plugin */
  readonly updatePlugin: {
    readonly request: {
      readonly query: {
        /** The plugin's slug */
        readonly slug: string;
      };
      readonly body: Schemas["UpdatePlugin"];
    };
    readonly answer: {
      readonly data: Schemas["Plugin"];
    };
  };
  /** Delete a plugin */
  readonly deletePlugin: {
    readonly request: {
      readonly query: {
        /** The plugin's slug */
        readonly slug: string;
      };
    };
    readonly answer: Schemas["Message"];
  };
  /** Get the marketplace */
  readonly getPluginMarketplace: {
    readonly request: Readonly<Record<never, never>>;
    readonly answer: {
      readonly data: Schemas["PluginMarketplace"];
    };
  };
  /** Get one plugin */
  readonly getPlugin: {
    readonly request: {
      readonly path: {
        /** The plugin's slug */
        readonly slug: string;
      };
      readonly query?: {
        /** Comma-separated fields */
        readonly fields?: string | undefined;
      } | undefined;
    };
    readonly answer: {
      readonly data: Schemas["PluginSelection"];
    };
  };
  /** Publish a plugin */
  readonly publishPlugin: {
    readonly request: {
      readonly path: {
        /** The plugin's slug */
        readonly slug: string;
      };
      readonly headers?: {
        /** A request that repeats a key within 24 hours gets the stored response and is not run again */
        readonly "Idempotency-Key"?: string | undefined;
      } | undefined;
      readonly body: Schemas["PublishPlugin"];
    };
    readonly answer: {
      readonly data: Schemas["PublishedRelease"];
      /** Warnings of guards */
      readonly warnings?: ReadonlyArray<string> | undefined;
    };
  };
  /** Unpublish a plugin */
  readonly unpublishPlugin: {
    readonly request: {
      readonly path: {
        /** The plugin's slug */
        readonly slug: string;
      };
      readonly headers?: {
        /** A request that repeats a key within 24 hours gets the stored response and is not run again */
        readonly "Idempotency-Key"?: string | undefined;
      } | undefined;
    };
    readonly answer: {
      readonly data: Schemas["Plugin"];
    };
  };
  /** List the releases of a plugin */
  readonly listPluginReleases: {
    readonly request: {
      readonly path: {
        /** The plugin's slug */
        readonly slug: string;
      };
      readonly query?: {
        /** Zero-based offset of the first entry */
        readonly cursor?: number | undefined;
        /** Maximum number of entries to return */
        readonly limit?: number | undefined;
      } | undefined;
    };
    readonly answer: {
      readonly data: ReadonlyArray<Schemas["PluginRelease"]>;
      readonly pagination: Schemas["CursorPagination"];
    };
  };
  /** List what changed since the last release */
  readonly listPluginChanges: {
    readonly request: {
      readonly path: {
        /** The plugin's slug */
        readonly slug: string;
      };
      readonly query?: {
        /** The version of a release. Default: the next release */
        readonly version?: string | undefined;
      } | undefined;
    };
    readonly answer: {
      readonly data: Schemas["PluginChanges"];
    };
  };
  /** Download a release of a plugin */
  readonly downloadPlugin: {
    readonly request: {
      readonly path: {
        /** The plugin's slug */
        readonly slug: string;
      };
      readonly query?: {
        /** The version of a release. Default: the latest one */
        readonly version?: string | undefined;
        /** Only the files for this client. Default: all */
        readonly target?: "claude" | "cursor" | "codex" | undefined;
      } | undefined;
    };
    readonly answer: undefined;
  };
  /** List agents */
  readonly listBackgroundAgents: {
    readonly request: {
      readonly query?: {
        /** Only agents with this status */
        readonly status?: "draft" | "active" | "paused" | undefined;
        /** Only agents whose name, slug or description contains this text, case-insensitive */
        readonly search?: string | undefined;
        /** Zero-based offset of the first entry */
        readonly cursor?: number | undefined;
        /** Maximum number of entries to return */
        readonly limit?: number | undefined;
        /** Adds totalCount */
        readonly includeTotal?: boolean | undefined;
      } | undefined;
    };
    readonly answer: {
      readonly data: ReadonlyArray<Schemas["BackgroundAgent"]>;
      readonly pagination: Schemas["CursorPagination"];
      /** Total number of entries on all pages */
      readonly totalCount?: number | undefined;
    };
  };
  /** Create an agent */
  readonly createBackgroundAgent: {
    readonly request: {
      readonly headers?: {
        /** A request that repeats a key within 24 hours gets the stored response and is not run again */
        readonly "Idempotency-Key"?: string | undefined;
      } | undefined;
      readonly body: Schemas["CreateBackgroundAgent"];
    };
    readonly answer: {
      readonly data: Schemas["BackgroundAgent"];
      readonly secrets?: Schemas["NewAgentSecrets"] | undefined;
    };
  };
  /** Update an agent */
  readonly updateBackgroundAgent: {
    readonly request: {
      readonly query: {
        /** The agent's slug */
        readonly slug: string;
      };
      readonly body: Schemas["UpdateBackgroundAgent"];
    };
    readonly answer: {
      readonly data: Schemas["BackgroundAgent"];
      readonly secrets?: Schemas["NewAgentSecrets"] | undefined;
    };
  };
  /** Delete an agent */
  readonly deleteBackgroundAgent: {
    readonly request: {
      readonly query: {
        /** The agent's slug */
        readonly slug: string;
        /** Cancels sessions that run. Without it, they are a conflict */
        readonly force?: boolean | undefined;
      };
    };
    readonly answer: Schemas["Message"];
  };
  /** Get an agent */
  readonly getBackgroundAgent: {
    readonly request: {
      readonly path: {
        /** The agent's slug */
        readonly slug: string;
      };
    };
    readonly answer: {
      readonly data: Schemas["BackgroundAgent"];
    };
  };
  /** Get the default provider of agents */
  readonly getDefaultProvider: {
    readonly request: Readonly<Record<never, never>>;
    readonly answer: {
      readonly data: Schemas["AgentDefaultProvider"] | null;
    };
  };
  /** Rotate a secret of an agent */
  readonly rotateAgentSecret: {
    readonly request: {
      readonly path: {
        /** The agent's slug */
        readonly slug: string;
      };
      readonly headers?: {
        /** A request that repeats a key within 24 hours gets the stored response and is not run again */
        readonly "Idempotency-Key"?: string | undefined;
      } | undefined;
      readonly body: Schemas["RotateAgentSecret"];
    };
    readonly answer: {
      readonly data: Schemas["BackgroundAgent"];
      /** The new secret, which cannot be retrieved later. Omitted when an idempotent request is repeated */
      readonly secret?: string | undefined;
    };
  };
  /** Sync an agent with its platform */
  readonly syncBackgroundAgent: {
    readonly request: {
      readonly path: {
        /** The agent's slug */
        readonly slug: string;
      };
      readonly body?: Schemas["SyncBackgroundAgent"] | undefined;
    };
    readonly answer: {
      readonly data: {
        readonly sync: Schemas["AgentSync"];
        /** Whether the definition was sent */
        readonly pushed: boolean;
        /** How the two still differ */
        readonly drift: ReadonlyArray<{
          /** A field of the agent */
          readonly field: string;
          /** Its value in Gatehouse */
          readonly local: string;
          /** Its value on the platform */
          readonly remote: string;
        }>;
        /** Sessions that existed only on the platform */
        readonly sessions_imported: number;
      };
    };
  };
  /** Import agents that exist only on a platform */
  readonly importBackgroundAgents: {
    readonly request: {
      readonly body: Schemas["ImportBackgroundAgents"];
    };
    readonly answer: {
      readonly data: ReadonlyArray<Schemas["BackgroundAgent"]>;
    };
  };
  /** Start a session of an agent */
  readonly invokeBackgroundAgent: {
    readonly request: {
      readonly path: {
        /** The agent's slug */
        readonly slug: string;
      };
      readonly headers?: {
        /** A request that repeats a key within 24 hours gets the stored response and is not run again */
        readonly "Idempotency-Key"?: string | undefined;
      } | undefined;
      readonly body: Schemas["InvokeBackgroundAgent"];
    };
    readonly answer: {
      readonly data: Schemas["AgentSession"];
    };
  };
  /** List the sessions of an agent, newest first */
  readonly listAgentSessions: {
    readonly request: {
      readonly path: {
        /** The agent's slug */
        readonly slug: string;
      };
      readonly query?: {
        /** Only sessions with this status */
        readonly status?: "queued" | "running" | "waiting_approval" | "completed" | "failed" | "canceled" | "timed_out" | undefined;
        /** Only sessions that this started */
        readonly trigger?: "api" | "schedule" | "webhook" | undefined;
        /** The `nextCursor` of the previous page */
        readonly cursor?: string | undefined;
        /** Maximum number of entries to return */
        readonly limit?: number | undefined;
      } | undefined;
    };
    readonly answer: {
      readonly data: ReadonlyArray<Schemas["AgentSession"]>;
      readonly pagination: Schemas["TimePagination"];
    };
  };
  /** Get a session */
  readonly getAgentSession: {
    readonly request: {
      readonly path: {
        /** The agent's slug */
        readonly slug: string;
        /** The session's ID */
        readonly id: string;
      };
    };
    readonly answer: {
      readonly data: Schemas["AgentSession"];
    };
  };
  /** List what happened in a session */
  readonly listAgentSteps: {
    readonly request: {
      readonly path: {
        /** The agent's slug */
        readonly slug: string;
        /** The session's ID */
        readonly id: string;
      };
      readonly query?: {
        /** Zero-based offset of the first entry */
        readonly cursor?: number | undefined;
        /** Maximum number of entries to return */
        readonly limit?: number | undefined;
      } | undefined;
    };
    readonly answer: {
      readonly data: ReadonlyArray<Schemas["AgentStep"]>;
      readonly pagination: Schemas["CursorPagination"];
    };
  };
  /** Follow a session */
  readonly streamAgentSession: {
    readonly request: {
      readonly path: {
        /** The agent's slug */
        readonly slug: string;
        /** The session's ID */
        readonly id: string;
      };
      readonly query?: {
        /** Only steps after this `index` */
        readonly after?: number | undefined;
      } | undefined;
      readonly headers?: {
        /** The ID of the last event, as browsers send it. It replaces `after` */
        readonly "Last-Event-ID"?: string | undefined;
      } | undefined;
    };
    readonly answer: undefined;
  };
  /** Cancel a session */
  readonly cancelAgentSession: {
    readonly request: {
      readonly path: {
        /** The agent's slug */
        readonly slug: string;
        /** The session's ID */
        readonly id: string;
      };
      readonly headers?: {
        /** A request that repeats a key within 24 hours gets the stored response and is not run again */
        readonly "Idempotency-Key"?: string | undefined;
      } | undefined;
    };
    readonly answer: {
      readonly data: Schemas["AgentSession"];
    };
  };
  /** Follow up a session */
  readonly sendAgentMessage: {
    readonly request: {
      readonly path: {
        /** The agent's slug */
        readonly slug: string;
        /** The session's ID */
        readonly id: string;
      };
      readonly headers?: {
        /** A request that repeats a key within 24 hours gets the stored response and is not run again */
        readonly "Idempotency-Key"?: string | undefined;
      } | undefined;
      readonly body: Schemas["AgentMessage"];
    };
    readonly answer: {
      readonly data: Schemas["AgentSession"];
    };
  };
  /** Report what happened in a session */
  readonly reportAgentSession: {
    readonly request: {
      readonly path: {
        /** The agent's slug */
        readonly slug: string;
        /** The session's ID */
        readonly id: string;
      };
      readonly headers?: {
        /** Seconds since 1970; at most 5 minutes off */
        readonly "X-Timestamp"?: string | undefined;
        /** The signature */
        readonly "X-Signature-256"?: string | undefined;
        /** A request that repeats a key within 24 hours gets the stored response and is not run again */
        readonly "Idempotency-Key"?: string | undefined;
      } | undefined;
      readonly body: Schemas["ReportAgentSession"];
    };
    readonly answer: {
      readonly data: Schemas["AgentSession"];
    };
  };
  /** List guards */
  readonly listGuards: {
    readonly request: {
      readonly query?: {
        /** Only guards of this type */
        readonly type?: "runtime" | "buildtime" | undefined;
        /** Only enabled or only disabled guards */
        readonly enabled?: "true" | "false" | undefined;
        /** Only guards whose slug, name or description contains this text, case-insensitive */
        readonly search?: string | undefined;
        /** Zero-based offset of the first entry */
        readonly cursor?: number | undefined;
        /** Maximum number of entries to return */
        readonly limit?: number | undefined;
        /** Adds totalCount */
        readonly includeTotal?: boolean | undefined;
      } | undefined;
    };
    readonly answer: {
      readonly data: ReadonlyArray<Schemas["GuardWithStats"]>;
      readonly pagination: Schemas["CursorPagination"];
      /** Total number of entries on all pages */
      readonly totalCount?: number | undefined;
    };
  };
  /** Create a guard */
  readonly createGuard: {
    readonly request: {
      readonly headers?: {
        /** A request that repeats a key within 24 hours gets the stored response and is not run again */
        readonly "Idempotency-Key"?: string | undefined;
      } | undefined;
      readonly body: Schemas["CreateGuard"];
    };
    readonly answer: {
      readonly data: Schemas["Guard"];
    };
  };
  /** Update a guard */
  readonly updateGuard: {
    readonly request: {
      readonly query: {
        /** The guard's slug */
        readonly slug: string;
      };
      readonly body: Schemas["UpdateGuard"];
    };
    readonly answer: {
      readonly data: Schemas["Guard"];
    };
  };
  /** Delete a guard */
  readonly deleteGuard: {
    readonly request: {
      readonly query: {
        /** The guard's slug */
        readonly slug: string;
      };
    };
    readonly answer: Schemas["Message"];
  };
  /** Get one guard */
  readonly getGuard: {
    readonly request: {
      readonly path: {
        /** The guard's slug */
        readonly slug: string;
      };
    };
    readonly answer: {
      readonly data: Schemas["GuardWithStats"];
    };
  };
  /** List the types of checks */
  readonly listGuardCheckTypes: {
    readonly request: Readonly<Record<never, never>>;
    readonly answer: {
      readonly data: ReadonlyArray<Schemas["GuardCheckType"]>;
    };
  };
  /** Evaluate content with guards */
  readonly evaluateGuards: {
    readonly request: {
      readonly body: Schemas["EvaluateGuards"];
    };
    readonly answer: {
      readonly data: Schemas["GuardDecision"] | Schemas["GuardCheckResult"];
    };
  };
  /** Try a runtime guard on logged calls */
  readonly dryRunGuard: {
    readonly request: {
      readonly body: Schemas["DryRunGuard"];
    };
    readonly answer: {
      readonly data: Schemas["GuardDryRun"];
      /** Why the result is incomplete; omitted if it is complete */
      readonly warnings?: ReadonlyArray<string> | undefined;
    };
  };
  /** List approvals of held calls */
  readonly listApprovals: {
    readonly request: {
      readonly query?: {
        /** Only approvals with this status; `decided`: all that are not pending */
        readonly status?: "pending" | "approved" | "denied" | "expired" | "decided" | undefined;
        /** Only calls of the user with this email */
        readonly user?: string | undefined;
        /** Only calls of this tool, by its name at the server or at the gateway */
        readonly tool?: string | undefined;
        /** Only calls that this guard held, by its slug */
        readonly guard?: string | undefined;
        /** Only approvals whose user, server, tool or guard contains this text, case-insensitive */
        readonly search?: string | undefined;
        /** Number of entries to skip */
        readonly skip?: number | undefined;
        /** Maximum number of entries to return */
        readonly limit?: number | undefined;
      } | undefined;
    };
    readonly answer: {
      readonly data: ReadonlyArray<Schemas["ApprovalEntry"]>;
      /** Number of pending approvals, regardless of filters */
      readonly pending: number;
      readonly pagination: Schemas["SkipPagination"];
    };
  };
  /** Get one approval with the exact arguments */
  readonly getApproval: {
    readonly request: {
      readonly path: {
        /** The approval's ID */
        readonly id: string;
      };
    };
    readonly answer: {
      readonly data: Schemas["Approval"];
    };
  };
  /** Approve or deny a held call */
  readonly decideApproval: {
    readonly request: {
      readonly path: {
        /** The approval's ID */
        readonly id: string;
      };
      readonly headers?: {
        /** A request that repeats a key within 24 hours gets the stored response and is not run again */
        readonly "Idempotency-Key"?: string | undefined;
      } | undefined;
      readonly body: Schemas["DecideApproval"];
    };
    readonly answer: {
      readonly data: Schemas["ApprovalEntry"];
    };
  };
  /** Exchange a token of a trusted issuer */
  readonly exchangeAuth: {
    readonly request: {
      readonly headers?: {
        /** An API token, if `Authorization` contains the JWT */
        readonly "x-api-key"?: string | undefined;
      } | undefined;
      readonly body?: Schemas["ExchangeAuth"] | undefined;
    };
    readonly answer: {
      readonly data: Schemas["ExchangedToken"];
    };
  };
  /** Refresh an exchanged token */
  readonly refreshExchange: {
    readonly request: {
      readonly body: Schemas["RefreshExchange"];
    };
    readonly answer: {
      readonly data: Schemas["ExchangedToken"];
    };
  };
  /** Revoke an exchanged token */
  readonly revokeExchange: {
    readonly request: {
      readonly body: Schemas["RevokeExchange"];
    };
    readonly answer: Schemas["Success"];
  };
  /** List trusted issuers */
  readonly listExchangeProviders: {
    readonly request: {
      readonly query?: {
        /** Only enabled or only disabled providers */
        readonly enabled?: "true" | "false" | undefined;
        /** Only providers whose slug, name or issuer contains this text, case-insensitive */
        readonly search?: string | undefined;
        /** Zero-based offset of the first entry */
        readonly cursor?: number | undefined;
        /** Maximum number of entries to return */
        readonly limit?: number | undefined;
        /** Adds totalCount */
        readonly includeTotal?: boolean | undefined;
      } | undefined;
    };
    readonly answer: {
      readonly data: ReadonlyArray<Schemas["ExchangeProvider"]>;
      readonly pagination: Schemas["CursorPagination"];
      /** Total number of entries on all pages */
      readonly totalCount?: number | undefined;
    };
  };
  /** Trust an issuer */
  readonly createExchangeProvider: {
    readonly request: {
      readonly headers?: {
        /** A request that repeats a key within 24 hours gets the stored response and is not run again */
        readonly "Idempotency-Key"?: string | undefined;
      } | undefined;
      readonly body: Schemas["CreateExchangeProvider"];
    };
    readonly answer: {
      readonly data: Schemas["ExchangeProvider"];
      /** What to check about this provider */
      readonly warnings?: ReadonlyArray<string> | undefined;
    };
  };
  /** Update a trusted issuer */
  readonly updateExchangeProvider: {
    readonly request: {
      readonly query: {
        /** The provider's slug */
        readonly slug: string;
      };
      readonly body: Schemas["UpdateExchangeProvider"];
    };
    readonly answer: {
      readonly data: Schemas["ExchangeProvider"];
      /** What to check about this provider */
      readonly warnings?: ReadonlyArray<string> | undefined;
    };
  };
  /** Delete a trusted issuer */
  readonly deleteExchangeProvider: {
    readonly request: {
      readonly query: {
        /** The provider's slug */
        readonly slug: string;
      };
    };
    readonly answer: Schemas["Message"];
  };
  /** Get a trusted issuer */
  readonly getExchangeProvider: {
    readonly request: {
      readonly path: {
        /** The provider's slug */
        readonly slug: string;
      };
    };
    readonly answer: {
      readonly data: Schemas["ExchangeProvider"];
    };
  };
  /** Test a token with a trusted issuer */
  readonly testExchangeProvider: {
    readonly request: {
      readonly path: {
        /** The provider's slug */
        readonly slug: string;
      };
      readonly body: Schemas["TestExchangeProvider"];
    };
    readonly answer: {
      readonly data: Schemas["ExchangeProviderTest"];
    };
  };
  /** List issued credentials */
  readonly listExchangeCredentials: {
    readonly request: {
      readonly query?: {
        /** Only credentials of this user. Email, case-insensitive */
        readonly user?: string | undefined;
        /** Only credentials for tokens of this provider. Slug */
        readonly provider?: string | undefined;
        /** Only credentials that are valid now, or only others */
        readonly active?: "true" | "false" | undefined;
        /** Number of credentials to skip */
        readonly skip?: number | undefined;
        /** Maximum number of entries to return */
        readonly limit?: number | undefined;
      } | undefined;
    };
    readonly answer: {
      readonly data: ReadonlyArray<Schemas["ExchangeCredential"]>;
      readonly pagination: Schemas["SkipPagination"];
    };
  };
  /** End an issued credential */
  readonly endExchangeCredential: {
    readonly request: {
      readonly query: {
        /** The credential's ID */
        readonly id: string;
      };
    };
    readonly answer: Schemas["Message"];
  };
  /** Report what a device contains */
  readonly reportDiscovery: {
    readonly request: {
      readonly body: Schemas["DiscoveryReport"];
    };
    readonly answer: {
      /** The result */
      readonly data: {
        /** The device, for `GET /api/ai-discovery-policy/effective` */
        readonly device_id: string;
        /** Whether the report changed the inventory. False: it or a newer report was applied before */
        readonly applied: boolean;
        /** Accepted items by kind */
        readonly accepted: {
          /** Accepted MCP servers */
          readonly mcp_servers: number;
          /** Accepted skills */
          readonly skills: number;
          /** Accepted memory files */
          readonly agent_memory: number;
          /** Accepted agents */
          readonly agents: number;
        };
        /** Items that are no longer on the device */
        readonly removed: number;
        /** Entries that were not accepted */
        readonly rejected: ReadonlyArray<{
          /** The faulty field */
          readonly path: string;
          /** What is wrong with it */
          readonly reason: string;
        }>;
        /** What the policy decides about the reported MCP servers and skills */
        readonly decisions: ReadonlyArray<Schemas["DiscoveryDecision"]>;
        /** Digests of reported skills whose SKILL.md Gatehouse does not have. Empty if the setting `discovery_skill_texts` is off */
        readonly wanted_texts: ReadonlyArray<string>;
        /** The version of the policy */
        readonly policy_version: number;
        /** Seconds until the next scan */
        readonly next_scan_seconds: number;
      };
    };
  };
  /** Get a summary of what was discovered */
  readonly getDiscoverySummary: {
    readonly request: Readonly<Record<never, never>>;
    readonly answer: {
      /** The summary */
      readonly data: {
        /** MCP servers */
        readonly mcp_servers: {
          /** Items that devices have now */
          readonly total: number;
          /** Items that were first seen in the last 7 days */
          readonly new_7d: number;
          /** Items without a review */
          readonly unreviewed: number;
          /** Items that are managed here */
          readonly managed: number;
          /** Items by action of the policy */
          readonly by_action: {
            /** Allowed */
            readonly allow: number;
            /** Warned about */
            readonly warn: number;
            /** Blocked */
            readonly block: number;
          };
          /** Items by risk */
          readonly by_risk: {
            /** Risk 0 */
            readonly none: number;
            /** Risk 1 to 24 */
            readonly low: number;
            /** Risk 25 to 49 */
            readonly medium: number;
            /** Risk 50 to 100 */
            readonly high: number;
          };
        };
        /** Skills */
        readonly skills: {
          /** Items that devices have now */
          readonly total: number;
          /** Items that were first seen in the last 7 days */
          readonly new_7d: number;
          /** Items without a review */
          readonly unreviewed: number;
          /** Items that are managed here */
          readonly managed: number;
          /** Items by action of the policy */
          readonly by_action: {
            /** Allowed */
            readonly allow: number;
            /** Warned about */
            readonly warn: number;
            /** Blocked */
            readonly block: number;
          };
          /** Items by risk */
          readonly by_risk: {
            /** Risk 0 */
            readonly none: number;
            /** Risk 1 to 24 */
            readonly low: number;
            /** Risk 25 to 49 */
            readonly medium: number;
            /** Risk 50 to 100 */
            readonly high: number;
          };
        };
        /** Instructions, rules and memory of agents */
        readonly agent_memory: {
          /** Items that devices have now */
          readonly total: number;
          /** Items that were first seen in the last 7 days */
          readonly new_7d: number;
          /** Items without a review */
          readonly unreviewed: number;
          /** Items that are managed here */
          readonly managed: number;
          /** Items by action of the policy */
          readonly by_action: {
            /** Allowed */
            readonly allow: number;
            /** Warned about */
            readonly warn: number;
            /** Blocked */
            readonly block: number;
          };
          /** Items by risk */
          readonly by_risk: {
            /** Risk 0 */
            readonly none: number;
            /** Risk 1 to 24 */
            readonly low: number;
            /** Risk 25 to 49 */
            readonly medium: number;
            /** Risk 50 to 100 */
            readonly high: number;
          };
        };
        /** Installed agents */
        readonly agents: {
          /** Items that devices have now */
          readonly total: number;
          /** Items that were first seen in the last 7 days */
          readonly new_7d: number;
          /** Items without a review */
          readonly unreviewed: number;
          /** Items that are managed here */
          readonly managed: number;
          /** Items by action of the policy */
          readonly by_action: {
            /** Allowed */
            readonly allow: number;
            /** Warned about */
            readonly warn: number;
            /** Blocked */
            readonly block: number;
          };
          /** Items by risk */
          readonly by_risk: {
            /** Risk 0 */
            readonly none: number;
            /** Risk 1 to 24 */
            readonly low: number;
            /** Risk 25 to 49 */
            readonly medium: number;
            /** Risk 50 to 100 */
            readonly high: number;
          };
        };
        /** Devices by status */
        readonly devices: {
          /** Active */
          readonly active: number;
          /** Stale */
          readonly stale: number;
          /** Retired */
          readonly retired: number;
        };
        /** Open violations */
        readonly violations: {
          /** Warnings */
          readonly warn: number;
          /** Blocked items */
          readonly block: number;
        };
        /** Share of MCP servers that do not use this gateway, by devices that have them */
        readonly unmanaged_percent: number;
        /** Clients with the most items */
        readonly top_clients: ReadonlyArray<{
          /** The client */
          readonly client: string;
          /** Items in it, on all devices */
          readonly count: number;
        }>;
        /** New items of the last 7 days */
        readonly new_by_day: ReadonlyArray<{
          /** The day (UTC) */
          readonly date: string;
          /** New MCP servers */
          readonly mcp_servers: number;
          /** New skills */
          readonly skills: number;
        }>;
      };
    };
  };
  /** List discovered MCP servers */
  readonly listDiscoveredMcpServers: {
    readonly request: {
      readonly query?: {
        /** Number of entries to skip */
        readonly skip?: number | undefined;
        /** Maximum number of entries to return */
        readonly limit?: number | undefined;
        /** Only entries whose name, URL, package or path contains this text, case-insensitive */
        readonly search?: string | undefined;
        /** Only entries with this action of the policy */
        readonly action?: "allow" | "warn" | "block" | undefined;
        /** Only entries with this result of the review */
        readonly review_status?: "unreviewed" | "approved" | "rejected" | "ignored" | undefined;
        /** Only entries that this client has, such as `cursor` */
        readonly client?: string | undefined;
        /** Only entries of this device */
        readonly device_id?: string | undefined;
        /** Only MCP servers with this transport */
        readonly transport?: "stdio" | "http" | "sse" | undefined;
        /** Only entries that are managed here, or that are not */
        readonly managed?: "true" | "false" | undefined;
        /** Only entries with at least this risk */
        readonly min_risk?: number | undefined;
        /** Only entries that were first seen at or after this time */
        readonly new_since?: string | undefined;
        /** Whether entries that no device has anymore are included */
        readonly include_removed?: boolean | undefined;
        /** The order. The default is `first_seen` */
        readonly sort?: "first_seen" | "last_seen" | "risk" | "devices" | "name" | undefined;
        /** `asc` (default) or `desc` */
        readonly order?: "asc" | "desc" | undefined;
      } | undefined;
    };
    readonly answer: {
      readonly data: ReadonlyArray<Schemas["DiscoveredMcpServer"]>;
      readonly pagination: Schemas["SkipPagination"];
    };
  };
  /** Review discovered MCP servers */
  readonly updateDiscoveredMcpServer: {
    readonly request: {
      readonly query: {
        /** The fingerprint of the entry */
        readonly fingerprint: string;
      };
      readonly body: Schemas["ReviewDiscovered"];
    };
    readonly answer: {
      readonly data: Schemas["DiscoveredMcpServer"];
    };
  };
  /** Get a discovered MCP server */
  readonly getDiscoveredMcpServer: {
    readonly request: {
      readonly path: {
        /** The fingerprint of the entry */
        readonly fingerprint: string;
      };
      readonly query?: {
        /** Number of instances to skip */
        readonly skip?: number | undefined;
        /** Maximum number of instances to return */
        readonly limit?: number | undefined;
        /** Whether instances that are gone are included */
        readonly include_removed?: boolean | undefined;
      } | undefined;
    };
    readonly answer: {
      readonly data: {
        /** Identifies the server on all devices */
        readonly fingerprint: string;
        /** `stdio`, `http` or `sse` */
        readonly transport: string | null;
        /** The URL of a remote server, without credentials and query */
        readonly url: string | null;
        /** The package */
        readonly package: string | null;
        /** Packages that its command also installs or runs. The policy decides about each of them */
        readonly other_packages: ReadonlyArray<string>;
        /** The program of a local server */
        readonly command: string | null;
        /** Whether it is managed here */
        readonly managed: boolean;
        /** What the policy decides: the strictest action of its instances. Null: not decided */
        readonly action: "allow" | "warn" | "block" | null;
        /** The rule; `managed`: it points to this gateway; null: the default action */
        readonly rule_id: string | null;
        /** The registered server with the same URL */
        readonly mcp_server_slug: string | null;
        /** The connector or registry entry with the same URL */
        readonly registry_id: string | null;
        /** Its most frequent name */
        readonly name: string;
        /** When a device first reported it */
        readonly first_seen: string;
        /** When a device last reported it, to the minute */
        readonly last_seen: string;
        /** Devices that have it now */
        readonly devices_count: number;
        /** Users who have it now */
        readonly users_count: number;
        /** Clients that have it now, most frequent first */
        readonly clients: ReadonlyArray<string>;
        /** The risk, of the riskiest instance */
        readonly risk: {
          /** From 0 to 100 */
          readonly score: number;
          /** Why */
          readonly reasons: ReadonlyArray<string>;
        };
        /** The result of the review */
        readonly review_status: "unreviewed" | "approved" | "rejected" | "ignored";
        /** A note of the review */
        readonly note: string | null;
        /** Who reviewed it */
        readonly reviewed_by: string | null;
        /** When it was reviewed; null: never */
        readonly reviewed_at: string | null;
        /** Where it is */
        readonly instances: ReadonlyArray<Schemas["DiscoveryInstance"]>;
      };
      readonly pagination: Schemas["SkipPagination"];
    };
  };
  /** Import a discovered MCP server */
  readonly importDiscoveredMcpServer: {
    readonly request: {
      readonly path: {
        /** The fingerprint of the discovered server */
        readonly fingerprint: string;
      };
      readonly headers?: {
        /** A request that repeats a key within 24 hours gets the stored response and is not run again */
        readonly "Idempotency-Key"?: string | undefined;
      } | undefined;
      readonly body?: Schemas["ImportDiscovered"] | undefined;
    };
    readonly answer: {
      /** The new server */
      readonly data: {
        /** Slug of the new server */
        readonly slug: string;
      };
    };
  };
  /** List discovered skills */
  readonly listDiscoveredSkills: {
    readonly request: {
      readonly query?: {
        /** Number of entries to skip */
        readonly skip?: number | undefined;
        /** Maximum number of entries to return */
        readonly limit?: number | undefined;
        /** Only entries whose name, URL, package or path contains this text, case-insensitive */
        readonly search?: string | undefined;
        /** Only entries with this action of the policy */
        readonly action?: "allow" | "warn" | "block" | undefined;
        /** Only entries with this result of the review */
        readonly review_status?: "unreviewed" | "approved" | "rejected" | "ignored" | undefined;
        /** Only entries that this client has, such as `cursor` */
        readonly client?: string | undefined;
        /** Only entries of this device */
        readonly device_id?: string | undefined;
        /** Only MCP servers with this transport */
        readonly transport?: "stdio" | "http" | "sse" | undefined;
        /** Only entries that are managed here, or that are not */
        readonly managed?: "true" | "false" | undefined;
        /** Only entries with at least this risk */
        readonly min_risk?: number | undefined;
        /** Only entries that were first seen at or after this time */
        readonly new_since?: string | undefined;
        /** Whether entries that no device has anymore are included */
        readonly include_removed?: boolean | undefined;
        /** The order. The default is `first_seen` */
        readonly sort?: "first_seen" | "last_seen" | "risk" | "devices" | "name" | undefined;
        /** `asc` (default) or `desc` */
        readonly order?: "asc" | "desc" | undefined;
      } | undefined;
    };
    readonly answer: {
      readonly data: ReadonlyArray<Schemas["DiscoveredSkill"]>;
      readonly pagination: Schemas["SkipPagination"];
    };
  };
  /** Review discovered skills */
  readonly updateDiscoveredSkill: {
    readonly request: {
      readonly query: {
        /** The digest of the entry */
        readonly digest: string;
      };
      readonly body: Schemas["ReviewDiscovered"];
    };
    readonly answer: {
      readonly data: Schemas["DiscoveredSkill"];
    };
  };
  /** Get a discovered skill */
  readonly getDiscoveredSkill: {
    readonly request: {
      readonly path: {
        /** The digest of the entry */
        readonly digest: string;
      };
      readonly query?: {
        /** Number of instances to skip */
        readonly skip?: number | undefined;
        /** Maximum number of instances to return */
        readonly limit?: number | undefined;
        /** Whether instances that are gone are included */
        readonly include_removed?: boolean | undefined;
      } | undefined;
    };
    readonly answer: {
      readonly data: {
        /** The digest of all files */
        readonly digest: string;
        /** The description in SKILL.md */
        readonly description: string;
        /** Number of files */
        readonly files_count: number | null;
        /** Size of all files in bytes */
        readonly size_bytes: number | null;
        /** Whether it contains scripts */
        readonly has_scripts: boolean;
        /** Tools that it allows */
        readonly allowed_tools: string | null;
        /** Problems of its text, such as `hidden_unicode` */
        readonly issues: ReadonlyArray<string>;
        /** Whether a device sent the text of SKILL.md, so that the skill can be imported */
        readonly has_text: boolean;
        /** Whether it is managed here */
        readonly managed: boolean;
        /** What the policy decides: the strictest action of its instances. Null: not decided */
        readonly action: "allow" | "warn" | "block" | null;
        /** The rule; `managed`: it points to this gateway; null: the default action */
        readonly rule_id: string | null;
        /** Its most frequent name */
        readonly name: string;
        /** When a device first reported it */
        readonly first_seen: string;
        /** When a device last reported it, to the minute */
        readonly last_seen: string;
        /** Devices that have it now */
        readonly devices_count: number;
        /** Users who have it now */
        readonly users_count: number;
        /** Clients that have it now, most frequent first */
        readonly clients: ReadonlyArray<string>;
        /** The risk, of the riskiest instance */
        readonly risk: {
          /** From 0 to 100 */
          readonly score: number;
          /** Why */
          readonly reasons: ReadonlyArray<string>;
        };
        /** The result of the review */
        readonly review_status: "unreviewed" | "approved" | "rejected" | "ignored";
        /** A note of the review */
        readonly note: string | null;
        /** Who reviewed it */
        readonly reviewed_by: string | null;
        /** When it was reviewed; null: never */
        readonly reviewed_at: string | null;
        /** Where it is */
        readonly instances: ReadonlyArray<Schemas["DiscoveryInstance"]>;
      };
      readonly pagination: Schemas["SkipPagination"];
    };
  };
  /** Import a discovered skill */
  readonly importDiscoveredSkill: {
    readonly request: {
      readonly path: {
        /** The digest of the discovered skill */
        readonly digest: string;
      };
      readonly headers?: {
        /** A request that repeats a key within 24 hours gets the stored response and is not run again */
        readonly "Idempotency-Key"?: string | undefined;
      } | undefined;
      readonly body?: Schemas["ImportDiscoveredSkill"] | undefined;
    };
    readonly answer: {
      /** The new skill */
      readonly data: {
        /** Slug of the new skill */
        readonly slug: string;
      };
      /** What to check before you activate it */
      readonly warnings?: ReadonlyArray<string> | undefined;
    };
  };
  /** List discovered agent memory */
  readonly listDiscoveredAgentMemory: {
    readonly request: {
      readonly query?: {
        /** Number of entries to skip */
        readonly skip?: number | undefined;
        /** Maximum number of entries to return */
        readonly limit?: number | undefined;
        /** Only entries whose name, URL, package or path contains this text, case-insensitive */
        readonly search?: string | undefined;
        /** Only entries with this action of the policy */
        readonly action?: "allow" | "warn" | "block" | undefined;
        /** Only entries with this result of the review */
        readonly review_status?: "unreviewed" | "approved" | "rejected" | "ignored" | undefined;
        /** Only entries that this client has, such as `cursor` */
        readonly client?: string | undefined;
        /** Only entries of this device */
        readonly device_id?: string | undefined;
        /** Only MCP servers with this transport */
        readonly transport?: "stdio" | "http" | "sse" | undefined;
        /** Only entries that are managed here, or that are not */
        readonly managed?: "true" | "false" | undefined;
        /** Only entries with at least this risk */
        readonly min_risk?: number | undefined;
        /** Only entries that were first seen at or after this time */
        readonly new_since?: string | undefined;
        /** Whether entries that no device has anymore are included */
        readonly include_removed?: boolean | undefined;
        /** The order. The default is `first_seen` */
        readonly sort?: "first_seen" | "last_seen" | "risk" | "devices" | "name" | undefined;
        /** `asc` (default) or `desc` */
        readonly order?: "asc" | "desc" | undefined;
      } | undefined;
    };
    readonly answer: {
      readonly data: ReadonlyArray<Schemas["DiscoveredMemory"]>;
      readonly pagination: Schemas["SkipPagination"];
    };
  };
  /** Review discovered agent memory */
  readonly updateDiscoveredMemory: {
    readonly request: {
      readonly query: {
        /** The id of the entry */
        readonly id: string;
      };
      readonly body: Schemas["ReviewDiscovered"];
    };
    readonly answer: {
      readonly data: Schemas["DiscoveredMemory"];
    };
  };
  /** Get a discovered memory file */
  readonly getDiscoveredMemory: {
    readonly request: {
      readonly path: {
        /** The id of the entry */
        readonly id: string;
      };
      readonly query?: {
        /** Number of instances to skip */
        readonly skip?: number | undefined;
        /** Maximum number of instances to return */
        readonly limit?: number | undefined;
        /** Whether instances that are gone are included */
        readonly include_removed?: boolean | undefined;
      } | undefined;
    };
    readonly answer: {
      readonly data: {
        /** Identifies the file on all devices */
        readonly id: string;
        /** The path */
        readonly path: string;
        /** `instructions`, `rules` or `auto_memory` */
        readonly kind: string;
        /** Its most frequent name */
        readonly name: string;
        /** When a device first reported it */
        readonly first_seen: string;
        /** When a device last reported it, to the minute */
        readonly last_seen: string;
        /** Devices that have it now */
        readonly devices_count: number;
        /** Users who have it now */
        readonly users_count: number;
        /** Clients that have it now, most frequent first */
        readonly clients: ReadonlyArray<string>;
        /** The risk, of the riskiest instance */
        readonly risk: {
          /** From 0 to 100 */
          readonly score: number;
          /** Why */
          readonly reasons: ReadonlyArray<string>;
        };
        /** The result of the review */
        readonly review_status: "unreviewed" | "approved" | "rejected" | "ignored";
        /** A note of the review */
        readonly note: string | null;
        /** Who reviewed it */
        readonly reviewed_by: string | null;
        /** When it was reviewed; null: never */
        readonly reviewed_at: string | null;
        /** Where it is */
        readonly instances: ReadonlyArray<Schemas["DiscoveryInstance"]>;
      };
      readonly pagination: Schemas["SkipPagination"];
    };
  };
  /** List discovered agents */
  readonly listDiscoveredAgents: {
    readonly request: {
      readonly query?: {
        /** Number of entries to skip */
        readonly skip?: number | undefined;
        /** Maximum number of entries to return */
        readonly limit?: number | undefined;
        /** Only entries whose name, URL, package or path contains this text, case-insensitive */
        readonly search?: string | undefined;
        /** Only entries with this action of the policy */
        readonly action?: "allow" | "warn" | "block" | undefined;
        /** Only entries with this result of the review */
        readonly review_status?: "unreviewed" | "approved" | "rejected" | "ignored" | undefined;
        /** Only entries that this client has, such as `cursor` */
        readonly client?: string | undefined;
        /** Only entries of this device */
        readonly device_id?: string | undefined;
        /** Only MCP servers with this transport */
        readonly transport?: "stdio" | "http" | "sse" | undefined;
        /** Only entries that are managed here, or that are not */
        readonly managed?: "true" | "false" | undefined;
        /** Only entries with at least this risk */
        readonly min_risk?: number | undefined;
        /** Only entries that were first seen at or after this time */
        readonly new_since?: string | undefined;
        /** Whether entries that no device has anymore are included */
        readonly include_removed?: boolean | undefined;
        /** The order. The default is `first_seen` */
        readonly sort?: "first_seen" | "last_seen" | "risk" | "devices" | "name" | undefined;
        /** `asc` (default) or `desc` */
        readonly order?: "asc" | "desc" | undefined;
      } | undefined;
    };
    readonly answer: {
      readonly data: ReadonlyArray<Schemas["DiscoveredAgent"]>;
      readonly pagination: Schemas["SkipPagination"];
    };
  };
  /** Review discovered agents */
  readonly updateDiscoveredAgent: {
    readonly request: {
      readonly query: {
        /** The id of the entry */
        readonly id: string;
      };
      readonly body: Schemas["ReviewDiscovered"];
    };
    readonly answer: {
      readonly data: Schemas["DiscoveredAgent"];
    };
  };
  /** Get a discovered agent */
  readonly getDiscoveredAgent: {
    readonly request: {
      readonly path: {
        /** The id of the entry */
        readonly id: string;
      };
      readonly query?: {
        /** Number of instances to skip */
        readonly skip?: number | undefined;
        /** Maximum number of instances to return */
        readonly limit?: number | undefined;
        /** Whether instances that are gone are included */
        readonly include_removed?: boolean | undefined;
      } | undefined;
    };
    readonly answer: {
      readonly data: {
        /** Identifies the agent on all devices */
        readonly id: string;
        /** `app`, `cli`, `extension` or `subagent` */
        readonly kind: string;
        /** Its most frequent name */
        readonly name: string;
        /** When a device first reported it */
        readonly first_seen: string;
        /** When a device last reported it, to the minute */
        readonly last_seen: string;
        /** Devices that have it now */
        readonly devices_count: number;
        /** Users who have it now */
        readonly users_count: number;
        /** Clients that have it now, most frequent first */
        readonly clients: ReadonlyArray<string>;
        /** The risk, of the riskiest instance */
        readonly risk: {
          /** From 0 to 100 */
          readonly score: number;
          /** Why */
          readonly reasons: ReadonlyArray<string>;
        };
        /** The result of the review */
        readonly review_status: "unreviewed" | "approved" | "rejected" | "ignored";
        /** A note of the review */
        readonly note: string | null;
        /** Who reviewed it */
        readonly reviewed_by: string | null;
        /** When it was reviewed; null: never */
        readonly reviewed_at: string | null;
        /** Where it is */
        readonly instances: ReadonlyArray<Schemas["DiscoveryInstance"]>;
      };
      readonly pagination: Schemas["SkipPagination"];
    };
  };
  /** List devices */
  readonly listDiscoveryDevices: {
    readonly request: {
      readonly query?: {
        /** Number of devices to skip */
        readonly skip?: number | undefined;
        /** Maximum number of entries to return */
        readonly limit?: number | undefined;
        /** Only devices whose name, ID, account or email contains this text, case-insensitive */
        readonly search?: string | undefined;
        /** Only devices with this status */
        readonly status?: "active" | "stale" | "retired" | undefined;
        /** Only devices with this operating system */
        readonly os?: "darwin" | "linux" | "win32" | undefined;
        /** Only devices of the user with this email */
        readonly email?: string | undefined;
      } | undefined;
    };
    readonly answer: {
      readonly data: ReadonlyArray<Schemas["DiscoveryDevice"]>;
      readonly pagination: Schemas["SkipPagination"];
    };
  };
  /** Update a device */
  readonly updateDiscoveryDevice: {
    readonly request: {
      readonly query: {
        /** ID of the device */
        readonly id: string;
      };
      readonly body: Schemas["UpdateDiscoveryDevice"];
    };
    readonly answer: {
      readonly data: Schemas["DiscoveryDevice"];
    };
  };
  /** Delete a device */
  readonly deleteDiscoveryDevice: {
    readonly request: {
      readonly query: {
        /** ID of the device */
        readonly id: string;
      };
    };
    readonly answer: Schemas["Message"];
  };
  /** Get a device */
  readonly getDiscoveryDevice: {
    readonly request: {
      readonly path: {
        /** ID of the device */
        readonly id: string;
      };
    };
    readonly answer: {
      readonly data: {
        /** ID of the device */
        readonly id: string;
        /** The name of the device */
        readonly hostname: string;
        /** `darwin`, `linux` or `win32` */
        readonly os: string;
        /** The version of the operating system */
        readonly os_version: string | null;
        /** The processor architecture */
        readonly arch: string | null;
        /** Whether this is the Windows Subsystem for Linux */
        readonly is_wsl: boolean;
        /** Whether this is a container */
        readonly is_container: boolean;
        /** Accounts that were scanned */
        readonly usernames: ReadonlyArray<string>;
        /** The main account */
        readonly username: string | null;
        /** The email of its user, assigned or reported */
        readonly user_email: string | null;
        /** Whether a person with this email exists here */
        readonly user_known: boolean;
        /** The version of the scan agent */
        readonly agent_version: string | null;
        /** `stale`: it did not report for three scan intervals */
        readonly status: "active" | "stale" | "retired";
        /** What it contains */
        readonly counts: {
          /** MCP servers */
          readonly mcp_servers: number;
          /** Skills */
          readonly skills: number;
          /** Memory files */
          readonly agent_memory: number;
          /** Agents */
          readonly agents: number;
        };
        /** `cloned_id`: another device reports the same ID; `token_changed`: reports came with several API tokens */
        readonly warnings: ReadonlyArray<string>;
        /** What the last report does not cover: paths that could not be read, limits that were reached (`too_many_entries`), and paths of `rejected` entries. What was found there before is kept */
        readonly scan_errors: ReadonlyArray<{
          /** The file or folder */
          readonly path: string;
          /** Why */
          readonly code: string;
        }>;
        /** The API token of the last report */
        readonly reported_with: string;
        /** When it first reported */
        readonly first_seen: string;
        /** When it last reported */
        readonly last_seen: string;
        /** What was found on it */
        readonly instances: ReadonlyArray<Schemas["DiscoveryInstance"]>;
      };
    };
  };
  /** List violations of the AI discovery policy */
  readonly listDiscoveryViolations: {
    readonly request: {
      readonly query?: {
        /** Number of violations to skip */
        readonly skip?: number | undefined;
        /** Maximum number of entries to return */
        readonly limit?: number | undefined;
        /** Only open or resolved ones */
        readonly status?: "open" | "resolved" | undefined;
        /** Only violations with this action */
        readonly action?: "warn" | "block" | undefined;
        /** Only violations of this kind of item */
        readonly kind?: "mcp_server" | "skill" | undefined;
        /** Only violations of this device */
        readonly device_id?: string | undefined;
        /** Only violations of this MCP server */
        readonly fingerprint?: string | undefined;
        /** Only violations of this skill */
        readonly digest?: string | undefined;
      } | undefined;
    };
    readonly answer: {
      readonly data: ReadonlyArray<Schemas["DiscoveryViolation"]>;
      readonly pagination: Schemas["SkipPagination"];
    };
  };
  /** Export discovered items or devices */
  readonly exportDiscovery: {
    readonly request: {
      readonly query: {
        /** What to export: `mcp_servers`, `skills`, `agent_memory`, `agents`, `devices` */
        readonly kind: string;
        /** `json` (default): an array; `csv`: a table */
        readonly format?: "json" | "csv" | undefined;
      };
    };
    readonly answer: string;
  };
  /** Get the AI discovery policy */
  readonly getDiscoveryPolicy: {
    readonly request: Readonly<Record<never, never>>;
    readonly answer: {
      readonly data: Schemas["DiscoveryPolicy"];
    };
  };
  /** Update the AI discovery policy */
  readonly updateDiscoveryPolicy: {
    readonly request: {
      readonly body: Schemas["UpdateDiscoveryPolicy"];
    };
    readonly answer: {
      readonly data: Schemas["DiscoveryPolicy"];
    };
  };
  /** List rules */
  readonly listDiscoveryRules: {
    readonly request: {
      readonly query?: {
        /** Zero-based offset of the first rule */
        readonly cursor?: number | undefined;
        /** Maximum number of entries to return */
        readonly limit?: number | undefined;
        /** Adds totalCount */
        readonly includeTotal?: boolean | undefined;
      } | undefined;
    };
    readonly answer: {
      readonly data: ReadonlyArray<Schemas["DiscoveryRule"]>;
      readonly pagination: Schemas["CursorPagination"];
      /** Total number of entries on all pages */
      readonly totalCount?: number | undefined;
    };
  };
  /** Create a rule */
  readonly createDiscoveryRule: {
    readonly request: {
      readonly headers?: {
        /** A request that repeats a key within 24 hours gets the stored response and is not run again */
        readonly "Idempotency-Key"?: string | undefined;
      } | undefined;
      readonly body: Schemas["CreateDiscoveryRule"];
    };
    readonly answer: {
      readonly data: Schemas["DiscoveryRule"];
    };
  };
  /** Update a rule */
  readonly updateDiscoveryRule: {
    readonly request: {
      readonly query: {
        /** ID of the rule */
        readonly id: string;
      };
      readonly body: Schemas["UpdateDiscoveryRule"];
    };
    readonly answer: {
      readonly data: Schemas["DiscoveryRule"];
    };
  };
  /** Delete a rule */
  readonly deleteDiscoveryRule: {
    readonly request: {
      readonly query: {
        /** ID of the rule */
        readonly id: string;
      };
    };
    readonly answer: Schemas["Message"];
  };
  /** Order the rules */
  readonly orderDiscoveryRules: {
    readonly request: {
      readonly body: Schemas["OrderDiscoveryRules"];
    };
    readonly answer: {
      readonly data: ReadonlyArray<Schemas["DiscoveryRule"]>;
    };
  };
  /** Evaluate the AI discovery policy */
  readonly evaluateDiscoveryPolicy: {
    readonly request: {
      readonly body: Schemas["EvaluateDiscoveryPolicy"];
    };
    readonly answer: {
      /** One decision, or several */
      readonly data: Schemas["PolicyDecision"] | ReadonlyArray<Schemas["PolicyDecision"]>;
    };
  };
  /** Try a changed AI discovery policy */
  readonly dryRunDiscoveryPolicy: {
    readonly request: {
      readonly body?: Schemas["DryRunDiscoveryPolicy"] | undefined;
    };
    readonly answer: {
      /** What would change */
      readonly data: {
        /** Items for which decisions would change, at most 1000 */
        readonly changes: ReadonlyArray<{
          /** The kind of item */
          readonly kind: "mcp_server" | "skill";
          /** Its fingerprint or digest */
          readonly key: string;
          /** Its name */
          readonly name: string;
          /** The strictest action now */
          readonly from: "allow" | "warn" | "block";
          /** The strictest action with the proposed policy */
          readonly to: "allow" | "warn" | "block";
          /** Devices for which the decision changes */
          readonly devices_count: number;
        }>;
        /** Number of all such items */
        readonly changes_count: number;
        /** Items by action with the proposed policy */
        readonly totals: {
          /** Allowed items */
          readonly allow: number;
          /** Items that are warned about */
          readonly warn: number;
          /** Blocked items */
          readonly block: number;
        };
      };
    };
  };
  /** Get the policy for a device */
  readonly getEffectiveDiscoveryPolicy: {
    readonly request: {
      readonly query: {
        /** The device, as the response to its report names it */
        readonly device_id: string;
      };
    };
    readonly answer: {
      readonly data: Schemas["EffectiveDiscoveryPolicy"];
    };
  };
  /** Export the policy for a client */
  readonly exportDiscoveryPolicy: {
    readonly request: {
      readonly query: {
        /** The client: `claude-code` */
        readonly target: string;
      };
    };
    readonly answer: {
      /** The export */
      readonly data: {
        /** From rules that block */
        readonly deniedMcpServers: ReadonlyArray<{
          /** The configured name */
          readonly serverName?: string | undefined;
          /** The URL, with `*` for any characters */
          readonly serverUrl?: string | undefined;
          /** The exact command line */
          readonly serverCommand?: ReadonlyArray<string> | undefined;
        }>;
        /** From rules that allow, and this gateway */
        readonly allowedMcpServers: ReadonlyArray<{
          /** The configured name */
          readonly serverName?: string | undefined;
          /** The URL, with `*` for any characters */
          readonly serverUrl?: string | undefined;
          /** The exact command line */
          readonly serverCommand?: ReadonlyArray<string> | undefined;
        }>;
        /** The managed settings */
        readonly settings: {
          /** Blocked servers */
          readonly deniedMcpServers: ReadonlyArray<{
            /** The configured name */
            readonly serverName?: string | undefined;
            /** The URL, with `*` for any characters */
            readonly serverUrl?: string | undefined;
            /** The exact command line */
            readonly serverCommand?: ReadonlyArray<string> | undefined;
          }>;
          /** The only allowed servers */
          readonly allowedMcpServers?: ReadonlyArray<{
            /** The configured name */
            readonly serverName?: string | undefined;
            /** The URL, with `*` for any characters */
            readonly serverUrl?: string | undefined;
            /** The exact command line */
            readonly serverCommand?: ReadonlyArray<string> | undefined;
          }> | undefined;
        };
        /** Rules that the client cannot enforce, or not entirely */
        readonly skipped: ReadonlyArray<{
          /** The rule */
          readonly rule_id: string;
          /** Why */
          readonly reason: string;
        }>;
      };
    };
  };
  /** List changes of the AI discovery policy */
  readonly listDiscoveryPolicyHistory: {
    readonly request: {
      readonly query?: {
        /** Zero-based offset of the first entry */
        readonly cursor?: number | undefined;
        /** Maximum number of entries to return */
        readonly limit?: number | undefined;
      } | undefined;
    };
    readonly answer: {
      readonly data: ReadonlyArray<{
        /** ID of the change */
        readonly id: string;
        /** The version of the policy since the change */
        readonly version: number;
        /** When */
        readonly ts: string;
        /** Who */
        readonly actor: string;
        /** The operation */
        readonly operation: string;
        /** The rule that was changed */
        readonly rule_id: string | null;
        /** Its name */
        readonly rule_name: string | null;
        /** The changed fields before */
        readonly before: Readonly<Record<string, unknown>> | null;
        /** The changed fields after */
        readonly after: Readonly<Record<string, unknown>> | null;
      }>;
      readonly pagination: Schemas["CursorPagination"];
    };
  };
  /** List people and machine users */
  readonly listUsers: {
    readonly request: {
      readonly query?: {
        /** Number of users to skip */
        readonly skip?: number | undefined;
        /** Maximum number of entries to return */
        readonly limit?: number | undefined;
        /** Only users whose name or email contains this text, case-insensitive */
        readonly search?: string | undefined;
        /** Only people, or only machine users */
        readonly type?: "person" | "machine" | undefined;
        /** Only members of this group, by name, case-insensitive. An unknown group has no members */
        readonly group?: string | undefined;
        /** Only users who are not members of this group, by name, case-insensitive */
        readonly exclude_group?: string | undefined;
        /** Only people with this role */
        readonly role?: "owner" | "admin" | "auditor" | "member" | undefined;
        /** Adds access keys, OAuth clients, owners, connection counts, last activity, invitations, and sign-in methods */
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
        /** A request that repeats a key within 24 hours gets the stored response and is not run again */
        readonly "Idempotency-Key"?: string | undefined;
      } | undefined;
      readonly body: Schemas["CreatePerson"] | Schemas["CreateMachineUser"];
    };
    readonly answer: {
      readonly data: Schemas["User"];
      /** A machine user's access key and secret. Omitted when an idempotent request is repeated */
      readonly credentials?: Schemas["Credentials"] | undefined;
    };
  };
  /** Update a person or a machine user */
  readonly updateUser: {
    readonly request: {
      readonly query: {
        /** The user's email, case-insensitive */
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
        /** The user's email, case-insensitive */
        readonly email: string;
      };
    };
    readonly answer: Schemas["Message"];
  };
  /** Get one person or machine user */
  readonly getUser: {
    readonly request: {
      readonly path: {
        /** The user's email, case-insensitive */
        readonly email: string;
      };
    };
    readonly answer: {
      readonly data: Schemas["User"];
    };
  };
  /** Rotate a machine user's secret */
  readonly rotateUserSecret: {
    readonly request: {
      readonly query: {
        /** The machine user's email, case-insensitive */
        readonly email: string;
      };
      readonly headers?: {
        /** A request that repeats a key within 24 hours gets the stored response and is not run again */
        readonly "Idempotency-Key"?: string | undefined;
      } | undefined;
      readonly body?: Schemas["RotateUserSecret"] | undefined;
    };
    readonly answer: {
      readonly data: Schemas["User"];
      /** The access key and the new secret. Omitted when an idempotent request is repeated */
      readonly credentials?: Schemas["Credentials"] | undefined;
    };
  };
  /** Revoke a machine user's old secret after a rotation */
  readonly revokeOldSecret: {
    readonly request: {
      readonly query: {
        /** The machine user's email, case-insensitive */
        readonly email: string;
      };
      readonly headers?: {
        /** A request that repeats a key within 24 hours gets the stored response and is not run again */
        readonly "Idempotency-Key"?: string | undefined;
      } | undefined;
    };
    readonly answer: {
      readonly data: Schemas["User"];
    };
  };
  /** Set or remove a machine user's OAuth client */
  readonly setClientCredentials: {
    readonly request: {
      readonly query: {
        /** The machine user's email, case-insensitive */
        readonly email: string;
      };
      readonly body: Schemas["SetClientCredentials"];
    };
    readonly answer: {
      readonly data: Schemas["User"];
    };
  };
  /** Reveal a machine user's secret */
  readonly revealUserSecret: {
    readonly request: {
      readonly query: {
        /** The machine user's email, case-insensitive */
        readonly email: string;
      };
      readonly headers?: {
        /** A request that repeats a key within 24 hours gets the stored response and is not run again */
        readonly "Idempotency-Key"?: string | undefined;
      } | undefined;
    };
    readonly answer: {
      /** The access key and secret. Omitted when an idempotent request is repeated */
      readonly credentials?: Schemas["Credentials"] | undefined;
    };
  };
  /** Invite a person to sign in */
  readonly inviteUser: {
    readonly request: {
      readonly query: {
        /** The person's email, case-insensitive */
        readonly email: string;
        /** Whether the link is not sent by email */
        readonly skip_email?: boolean | undefined;
      };
      readonly headers?: {
        /** A request that repeats a key within 24 hours gets the stored response and is not run again */
        readonly "Idempotency-Key"?: string | undefined;
      } | undefined;
    };
    readonly answer: {
      readonly data: Schemas["Invitation"];
      /** The invitation link. Omitted when an idempotent request is repeated */
      readonly invite_url?: string | undefined;
    };
  };
  /** List a user's connected MCP clients, newest first */
  readonly listUserClients: {
    readonly request: {
      readonly query: {
        /** The user's email, case-insensitive */
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
        /** The user's email, case-insensitive */
        readonly email: string;
        /** The ID of the client's connection, from the list of clients */
        readonly id: string;
      };
    };
    readonly answer: Schemas["Message"];
  };
  /** List a person's web sessions, newest first */
  readonly listUserSessions: {
    readonly request: {
      readonly query: {
        /** The person's email, case-insensitive */
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
        /** The person's email, case-insensitive */
        readonly email: string;
        /** The ID of one web session to end. Omitted: all web sessions and MCP clients */
        readonly id?: string | undefined;
      };
    };
    readonly answer: Schemas["Message"];
  };
  /** Get the status of provisioning */
  readonly getProvisioning: {
    readonly request: Readonly<Record<never, never>>;
    readonly answer: {
      readonly data: Schemas["Provisioning"];
    };
  };
  /** Detach people and groups from SCIM */
  readonly detachFromScim: {
    readonly request: {
      readonly headers?: {
        /** A request that repeats a key within 24 hours gets the stored response and is not run again */
        readonly "Idempotency-Key"?: string | undefined;
      } | undefined;
      readonly body: Schemas["DetachFromScim"];
    };
    readonly answer: {
      /** What was detached */
      readonly data: {
        /** Number of detached people */
        readonly users_count: number;
        /** Number of detached groups */
        readonly groups_count: number;
      };
    };
  };
  /** List the tools that a user can call, and why */
  readonly listAccess: {
    readonly request: {
      readonly query: {
        /** The user's email */
        readonly email: string;
        /** Zero-based offset of the first entry */
        readonly cursor?: number | undefined;
        /** Maximum number of entries to return */
        readonly limit?: number | undefined;
      };
    };
    readonly answer: {
      readonly data: ReadonlyArray<Schemas["AccessibleTool"]>;
      readonly summary: Schemas["AccessSummary"];
      readonly pagination: Schemas["CursorPagination"];
      /** Total number of entries on all pages */
      readonly totalCount: number;
    };
  };
  /** List the users who can call a tool, and why others cannot */
  readonly listCallers: {
    readonly request: {
      readonly query?: {
        /** The gateway name of the tool, such as `github__create_issue` */
        readonly tool?: string | undefined;
        /** The slug of an MCP server, to list who can call its tools */
        readonly server?: string | undefined;
        /** Only users with this verdict */
        readonly verdict?: "allowed" | "not_connected" | "refused" | undefined;
        /** Only users whose name or email contains this text, case-insensitive */
        readonly search?: string | undefined;
        /** Zero-based offset of the first entry */
        readonly cursor?: number | undefined;
        /** Maximum number of entries to return */
        readonly limit?: number | undefined;
      } | undefined;
    };
    readonly answer: {
      readonly data: ReadonlyArray<Schemas["AccessCaller"]>;
      readonly summary: Schemas["CallersSummary"];
      readonly pagination: Schemas["CursorPagination"];
      /** Total number of entries on all pages */
      readonly totalCount: number;
    };
  };
  /** List which tools of which servers groups grant */
  readonly listGrants: {
    readonly request: {
      readonly query?: {
        /** Only this group. Group name, case-insensitive */
        readonly group?: string | undefined;
        /** Only this server, by slug */
        readonly server?: string | undefined;
        /** Zero-based offset of the first entry */
        readonly cursor?: number | undefined;
        /** Maximum number of entries to return */
        readonly limit?: number | undefined;
      } | undefined;
    };
    readonly answer: {
      readonly data: ReadonlyArray<Schemas["Grant"]>;
      readonly pagination: Schemas["CursorPagination"];
    };
  };
  /** Explain why a user can or cannot call a tool */
  readonly explainAccess: {
    readonly request: {
      readonly query: {
        /** The user's email */
        readonly email: string;
        /** The gateway name of the tool */
        readonly tool: string;
      };
    };
    readonly answer: {
      readonly data: Schemas["AccessExplanation"];
    };
  };
  /** List access requests */
  readonly listAccessRequests: {
    readonly request: {
      readonly query?: {
        /** Only requests with this status */
        readonly status?: "pending" | "approved" | "denied" | "withdrawn" | undefined;
        /** Only requests of users, or for servers, whose name contains this text, case-insensitive */
        readonly search?: string | undefined;
        /** Number of entries to skip */
        readonly skip?: number | undefined;
        /** Maximum number of entries to return */
        readonly limit?: number | undefined;
      } | undefined;
    };
    readonly answer: {
      readonly data: ReadonlyArray<Schemas["AccessRequest"]>;
      /** Number of pending requests, regardless of filters */
      readonly pending: number;
      readonly pagination: Schemas["SkipPagination"];
    };
  };
  /** Approve an access request through a group */
  readonly approveAccessRequest: {
    readonly request: {
      readonly path: {
        /** The request's ID */
        readonly id: string;
      };
      readonly headers?: {
        /** A request that repeats a key within 24 hours gets the stored response and is not run again */
        readonly "Idempotency-Key"?: string | undefined;
      } | undefined;
      readonly body: Schemas["ApproveAccessRequest"];
    };
    readonly answer: {
      readonly data: Schemas["AccessRequest"];
    };
  };
  /** Deny an access request */
  readonly denyAccessRequest: {
    readonly request: {
      readonly path: {
        /** The request's ID */
        readonly id: string;
      };
      readonly headers?: {
        /** A request that repeats a key within 24 hours gets the stored response and is not run again */
        readonly "Idempotency-Key"?: string | undefined;
      } | undefined;
      readonly body?: Schemas["DenyAccessRequest"] | undefined;
    };
    readonly answer: {
      readonly data: Schemas["AccessRequest"];
    };
  };
  /** List the MCP servers that a user can access, with connection status */
  readonly listUserMcpServers: {
    readonly request: {
      readonly query: {
        /** The email of a user or machine user, case-insensitive */
        readonly email: string;
        /** Zero-based offset of the first entry */
        readonly cursor?: number | undefined;
        /** Maximum number of entries to return */
        readonly limit?: number | undefined;
      };
    };
    readonly answer: {
      readonly data: ReadonlyArray<Schemas["UserMcpServer"]>;
      readonly pagination: Schemas["CursorPagination"];
    };
  };
  /** List the skills that a user can use */
  readonly listUserSkills: {
    readonly request: {
      readonly query: {
        /** The email of a user or machine user, case-insensitive */
        readonly email: string;
      };
    };
    readonly answer: {
      readonly data: ReadonlyArray<Schemas["UsableSkill"]>;
    };
  };
  /** List the commands that a user can use */
  readonly listUserCommands: {
    readonly request: {
      readonly query: {
        /** The email of a user or machine user, case-insensitive */
        readonly email: string;
      };
    };
    readonly answer: {
      readonly data: ReadonlyArray<Schemas["UsableCommand"]>;
    };
  };
  /** List the plugins that a user can install */
  readonly listUserPlugins: {
    readonly request: {
      readonly query: {
        /** The email of a user or machine user, case-insensitive */
        readonly email: string;
      };
    };
    readonly answer: {
      readonly data: ReadonlyArray<Schemas["UsablePlugin"]>;
    };
  };
  /** List the toolkits that a user can select */
  readonly listUserToolkits: {
    readonly request: {
      readonly query: {
        /** The email of a user or machine user, case-insensitive */
        readonly email: string;
      };
    };
    readonly answer: {
      readonly data: ReadonlyArray<Schemas["UsableToolkit"]>;
    };
  };
  /** Create a toolkit of a user */
  readonly createUserToolkit: {
    readonly request: {
      readonly query: {
        /** The email of a user or machine user, case-insensitive */
        readonly email: string;
      };
      readonly headers?: {
        /** A request that repeats a key within 24 hours gets the stored response and is not run again */
        readonly "Idempotency-Key"?: string | undefined;
      } | undefined;
      readonly body: Schemas["CreateOwnToolkit"];
    };
    readonly answer: {
      readonly data: Schemas["Toolkit"];
      /** Entries that are saved but have no effect now */
      readonly warnings?: ReadonlyArray<string> | undefined;
    };
  };
  /** Update a toolkit of a user */
  readonly updateUserToolkit: {
    readonly request: {
      readonly query: {
        /** The email of a user or machine user, case-insensitive */
        readonly email: string;
        /** The toolkit's slug */
        readonly slug: string;
      };
      readonly body: Schemas["UpdateOwnToolkit"];
    };
    readonly answer: {
      readonly data: Schemas["Toolkit"];
      /** Entries that are saved but have no effect now */
      readonly warnings?: ReadonlyArray<string> | undefined;
    };
  };
  /** Delete a toolkit of a user */
  readonly deleteUserToolkit: {
    readonly request: {
      readonly query: {
        /** The email of a user or machine user, case-insensitive */
        readonly email: string;
        /** The toolkit's slug */
        readonly slug: string;
      };
    };
    readonly answer: Schemas["Message"];
  };
  /** Get a toolkit of a user */
  readonly getUserToolkit: {
    readonly request: {
      readonly path: {
        /** The toolkit's slug */
        readonly slug: string;
      };
      readonly query: {
        /** The email of a user or machine user, case-insensitive */
        readonly email: string;
      };
    };
    readonly answer: {
      readonly data: Schemas["Toolkit"];
    };
  };
  /** Check whether a user is connected to an MCP server */
  readonly getUserConnection: {
    readonly request: {
      readonly query: {
        /** The email of a user or machine user, case-insensitive */
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
        /** The email of a user or machine user, case-insensitive */
        readonly email: string;
        /** The server's slug */
        readonly mcp: string;
      };
    };
    readonly answer: Schemas["Message"];
  };
  /** Set a user's API key for an MCP server */
  readonly setUserApiKey: {
    readonly request: {
      readonly query: {
        /** The email of a user or machine user, case-insensitive */
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
  /** Create a connect link for a user */
  readonly getUserAuthUrl: {
    readonly request: {
      readonly query: {
        /** The email of a user or machine user, case-insensitive */
        readonly email: string;
        /** The server's slug */
        readonly mcp: string;
      };
    };
    readonly answer: {
      readonly data: {
        /** The connect link, to open in the user's browser */
        readonly url: string;
      };
    };
  };
  /** List API tokens */
  readonly listApiTokens: {
    readonly request: {
      readonly query?: {
        /** Number of tokens to skip */
        readonly skip?: number | undefined;
        /** Maximum number of entries to return */
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
        /** A request that repeats a key within 24 hours gets the stored response and is not run again */
        readonly "Idempotency-Key"?: string | undefined;
      } | undefined;
      readonly body: Schemas["CreateApiToken"];
    };
    readonly answer: {
      readonly data: Schemas["ApiToken"];
      /** The token. Omitted when an idempotent request is repeated */
      readonly token?: string | undefined;
    };
  };
  /** Delete an API token */
  readonly deleteApiToken: {
    readonly request: {
      readonly query: {
        /** The token's ID */
        readonly id: string;
        /** Also deletes the API tokens and pending invitations that were created with it, directly or indirectly. Use it if the token may have leaked */
        readonly include_created?: boolean | undefined;
      };
    };
    readonly answer: Schemas["Message"];
  };
  /** List webhooks */
  readonly listWebhooks: {
    readonly request: {
      readonly query?: {
        /** Only webhooks whose name contains this text, case-insensitive */
        readonly search?: string | undefined;
        /** Number of webhooks to skip */
        readonly skip?: number | undefined;
        /** Maximum number of entries to return */
        readonly limit?: number | undefined;
      } | undefined;
    };
    readonly answer: {
      readonly data: ReadonlyArray<Schemas["Webhook"]>;
      readonly pagination: Schemas["SkipPagination"];
    };
  };
  /** Create a webhook */
  readonly createWebhook: {
    readonly request: {
      readonly headers?: {
        /** A request that repeats a key within 24 hours gets the stored response and is not run again */
        readonly "Idempotency-Key"?: string | undefined;
      } | undefined;
      readonly body: Schemas["CreateWebhook"];
    };
    readonly answer: {
      readonly data: Schemas["Webhook"];
      /** The generated signing secret, which cannot be retrieved later. Omitted if the request contains one, or when an idempotent request is repeated */
      readonly secret?: string | undefined;
    };
  };
  /** Update a webhook */
  readonly updateWebhook: {
    readonly request: {
      readonly query: {
        /** The webhook's ID */
        readonly id: string;
      };
      readonly body: Schemas["UpdateWebhook"];
    };
    readonly answer: {
      readonly data: Schemas["Webhook"];
    };
  };
  /** Delete a webhook */
  readonly deleteWebhook: {
    readonly request: {
      readonly query: {
        /** The webhook's ID */
        readonly id: string;
      };
    };
    readonly answer: Schemas["Message"];
  };
  /** Get a webhook */
  readonly getWebhook: {
    readonly request: {
      readonly path: {
        /** The webhook's ID */
        readonly id: string;
      };
    };
    readonly answer: {
      readonly data: Schemas["Webhook"];
    };
  };
  /** Rotate the secret of a webhook */
  readonly rotateWebhookSecret: {
    readonly request: {
      readonly path: {
        /** The webhook's ID */
        readonly id: string;
      };
      readonly headers?: {
        /** A request that repeats a key within 24 hours gets the stored response and is not run again */
        readonly "Idempotency-Key"?: string | undefined;
      } | undefined;
      readonly body?: Schemas["RotateWebhookSecret"] | undefined;
    };
    readonly answer: {
      readonly data: Schemas["Webhook"];
      /** The generated signing secret, which cannot be retrieved later. Omitted if the request contains one, or when an idempotent request is repeated */
      readonly secret?: string | undefined;
    };
  };
  /** Send a test event */
  readonly testWebhook: {
    readonly request: {
      readonly path: {
        /** The webhook's ID */
        readonly id: string;
      };
    };
    readonly answer: {
      readonly data: Schemas["WebhookDeliveryDetail"];
    };
  };
  /** List the deliveries of a webhook, newest first */
  readonly listWebhookDeliveries: {
    readonly request: {
      readonly path: {
        /** The webhook's ID */
        readonly id: string;
      };
      readonly query?: {
        /** Only deliveries with this status */
        readonly status?: "pending" | "delivered" | "failed" | undefined;
        /** Only deliveries of this event */
        readonly event?: "server.unhealthy" | "server.healthy" | "tools.held" | "approval.requested" | "approval.decided" | "guard.blocked" | "agent.finished" | "discovery.violation" | "access.requested" | "security.alert" | "audit.checkpoint" | "audit.entry" | "webhook.test" | undefined;
        /** The `nextCursor` of the previous page */
        readonly cursor?: string | undefined;
        /** Maximum number of entries to return */
        readonly limit?: number | undefined;
      } | undefined;
    };
    readonly answer: {
      readonly data: ReadonlyArray<Schemas["WebhookDelivery"]>;
      readonly pagination: Schemas["TimePagination"];
    };
  };
  /** Get a delivery with its request and attempts */
  readonly getWebhookDelivery: {
    readonly request: {
      readonly path: {
        /** The webhook's ID */
        readonly id: string;
        /** The delivery's ID */
        readonly delivery_id: string;
      };
    };
    readonly answer: {
      readonly data: Schemas["WebhookDeliveryDetail"];
    };
  };
  /** Send an event again */
  readonly redeliverWebhookDelivery: {
    readonly request: {
      readonly path: {
        /** The webhook's ID */
        readonly id: string;
        /** The delivery's ID */
        readonly delivery_id: string;
      };
      readonly headers?: {
        /** A request that repeats a key within 24 hours gets the stored response and is not run again */
        readonly "Idempotency-Key"?: string | undefined;
      } | undefined;
    };
    readonly answer: {
      readonly data: Schemas["WebhookDelivery"];
    };
  };
  /** List the events that webhooks can subscribe to */
  readonly listWebhookEvents: {
    readonly request: Readonly<Record<never, never>>;
    readonly answer: {
      readonly data: ReadonlyArray<Schemas["WebhookEvent"]>;
    };
  };
  /** Get the status of the mail server */
  readonly getEmailStatus: {
    readonly request: Readonly<Record<never, never>>;
    readonly answer: {
      readonly data: Schemas["EmailStatus"];
    };
  };
  /** List emails, newest first */
  readonly listEmails: {
    readonly request: {
      readonly query?: {
        /** Only emails with this status */
        readonly status?: "pending" | "sent" | "failed" | "canceled" | undefined;
        /** Only emails of this kind */
        readonly kind?: "invitation" | "account_reset" | "password_changed" | "approval_requested" | "access_requested" | "access_decided" | "connection_expired" | "test" | undefined;
        /** Only emails to the person with this email, case-insensitive */
        readonly recipient?: string | undefined;
        /** The `nextCursor` of the previous page */
        readonly cursor?: string | undefined;
        /** Maximum number of entries to return */
        readonly limit?: number | undefined;
      } | undefined;
    };
    readonly answer: {
      readonly data: ReadonlyArray<Schemas["Email"]>;
      readonly pagination: Schemas["TimePagination"];
    };
  };
  /** Send a test email */
  readonly sendTestEmail: {
    readonly request: {
      readonly body?: Schemas["SendTestEmail"] | undefined;
    };
    readonly answer: {
      readonly data: Schemas["Email"];
    };
  };
  /** Get the caller, the organization, and the URLs */
  readonly getMe: {
    readonly request: Readonly<Record<never, never>>;
    readonly answer: {
      readonly data: Schemas["Me"];
      readonly organization: Schemas["Organization"];
      /** The gateway URL, without `/mcp` */
      readonly gateway_url: string;
      /** The URL of this API and the admin app */
      readonly base_url: string;
      /** The version of Gatehouse */
      readonly version: string;
    };
  };
  /** List the MCP servers that the caller can access, with connection status */
  readonly listMyMcpServers: {
    readonly request: {
      readonly query?: {
        /** The email of a machine user that the caller owns. Omitted: the caller */
        readonly for?: string | undefined;
        /** Zero-based offset of the first entry */
        readonly cursor?: number | undefined;
        /** Maximum number of entries to return */
        readonly limit?: number | undefined;
      } | undefined;
    };
    readonly answer: {
      readonly data: ReadonlyArray<Schemas["UserMcpServer"]>;
      readonly pagination: Schemas["CursorPagination"];
    };
  };
  /** List the skills that the caller can use */
  readonly listMySkills: {
    readonly request: Readonly<Record<never, never>>;
    readonly answer: {
      readonly data: ReadonlyArray<Schemas["UsableSkill"]>;
    };
  };
  /** List the commands that the caller can use */
  readonly listMyCommands: {
    readonly request: Readonly<Record<never, never>>;
    readonly answer: {
      readonly data: ReadonlyArray<Schemas["UsableCommand"]>;
    };
  };
  /** List the plugins that the caller can install */
  readonly listMyPlugins: {
    readonly request: Readonly<Record<never, never>>;
    readonly answer: {
      readonly data: ReadonlyArray<Schemas["UsablePlugin"]>;
      readonly marketplace: Schemas["PluginMarketplace"];
    };
  };
  /** List the toolkits that the caller can select */
  readonly listMyToolkits: {
    readonly request: Readonly<Record<never, never>>;
    readonly answer: {
      readonly data: ReadonlyArray<Schemas["UsableToolkit"]>;
    };
  };
  /** Create a toolkit of the caller */
  readonly createMyToolkit: {
    readonly request: {
      readonly headers?: {
        /** A request that repeats a key within 24 hours gets the stored response and is not run again */
        readonly "Idempotency-Key"?: string | undefined;
      } | undefined;
      readonly body: Schemas["CreateOwnToolkit"];
    };
    readonly answer: {
      readonly data: Schemas["Toolkit"];
      /** Entries that are saved but have no effect now */
      readonly warnings?: ReadonlyArray<string> | undefined;
    };
  };
  /** Update a toolkit of the caller */
  readonly updateMyToolkit: {
    readonly request: {
      readonly query: {
        /** The toolkit's slug */
        readonly slug: string;
      };
      readonly body: Schemas["UpdateOwnToolkit"];
    };
    readonly answer: {
      readonly data: Schemas["Toolkit"];
      /** Entries that are saved but have no effect now */
      readonly warnings?: ReadonlyArray<string> | undefined;
    };
  };
  /** Delete a toolkit of the caller */
  readonly deleteMyToolkit: {
    readonly request: {
      readonly query: {
        /** The toolkit's slug */
        readonly slug: string;
      };
    };
    readonly answer: Schemas["Message"];
  };
  /** Get a toolkit of the caller */
  readonly getMyToolkit: {
    readonly request: {
      readonly path: {
        /** The toolkit's slug */
        readonly slug: string;
      };
    };
    readonly answer: {
      readonly data: Schemas["Toolkit"];
    };
  };
  /** Set the caller's API key for an MCP server */
  readonly setMyApiKey: {
    readonly request: {
      readonly query: {
        /** The server's slug */
        readonly mcp: string;
        /** The email of a machine user that the caller owns. Omitted: the caller */
        readonly for?: string | undefined;
      };
      readonly body: Schemas["SetUserApiKey"];
    };
    readonly answer: {
      readonly data: Schemas["TriedConnection"];
    };
  };
  /** Test the caller's connection to an MCP server */
  readonly testMyConnection: {
    readonly request: {
      readonly query: {
        /** The server's slug */
        readonly mcp: string;
        /** The email of a machine user that the caller owns. Omitted: the caller */
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
        /** The email of a machine user that the caller owns. Omitted: the caller */
        readonly for?: string | undefined;
      };
    };
    readonly answer: Schemas["Message"];
  };
  /** List the caller's connected MCP clients, newest first */
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
        /** The ID of the client's connection, from the list of clients */
        readonly id: string;
      };
    };
    readonly answer: Schemas["Message"];
  };
  /** List the caller's tokens for git and scripts, newest first */
  readonly listMyLibraryTokens: {
    readonly request: Readonly<Record<never, never>>;
    readonly answer: {
      readonly data: ReadonlyArray<Schemas["LibraryToken"]>;
    };
  };
  /** Create a token for git and scripts */
  readonly createMyLibraryToken: {
    readonly request: {
      readonly headers?: {
        /** A request that repeats a key within 24 hours gets the stored response and is not run again */
        readonly "Idempotency-Key"?: string | undefined;
      } | undefined;
      readonly body: Schemas["CreateLibraryToken"];
    };
    readonly answer: {
      readonly data: {
        /** Identifies the token in the list */
        readonly id: string;
        /** Where the token is used */
        readonly name: string;
        /** The part of the token that is not secret */
        readonly prefix: string;
        /** When the token expires */
        readonly expires_at: string;
        /** When it was created */
        readonly created_at: string;
        /** The token. Omitted when an idempotent request is repeated */
        readonly token?: string | undefined;
      };
    };
  };
  /** Delete a token for git and scripts */
  readonly deleteMyLibraryToken: {
    readonly request: {
      readonly query: {
        /** The ID of the token, from the list of tokens */
        readonly id: string;
      };
    };
    readonly answer: Schemas["Message"];
  };
  /** List the caller's web sessions, newest first */
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
        /** The ID of one web session to end. Omitted: all web sessions, including the current one, and all MCP clients */
        readonly id?: string | undefined;
      } | undefined;
    };
    readonly answer: Schemas["Message"];
  };
  /** Get the email notices of the caller */
  readonly getMyEmailNotices: {
    readonly request: Readonly<Record<never, never>>;
    readonly answer: {
      readonly data: Schemas["EmailNotices"];
    };
  };
  /** Turn email notices of the caller on or off */
  readonly updateMyEmailNotices: {
    readonly request: {
      readonly body: Schemas["UpdateEmailNotices"];
    };
    readonly answer: {
      readonly data: Schemas["EmailNotices"];
    };
  };
  /** Change the caller's password */
  readonly changeMyPassword: {
    readonly request: {
      readonly body: Schemas["ChangePassword"];
    };
    readonly answer: Schemas["Message"];
  };
  /** Confirm the caller's password */
  readonly confirmMyPassword: {
    readonly request: {
      readonly body: Schemas["ConfirmPassword"];
    };
    readonly answer: Schemas["Message"];
  };
  /** Create a token for the playground */
  readonly createPlaygroundToken: {
    readonly request: {
      readonly headers?: {
        /** A request that repeats a key within 24 hours gets the stored response and is not run again */
        readonly "Idempotency-Key"?: string | undefined;
      } | undefined;
    };
    readonly answer: {
      /** The token. Omitted when an idempotent request is repeated */
      readonly token?: string | undefined;
      /** When the token expires */
      readonly expires_at: string;
    };
  };
  /** List the organization's active MCP servers, and whether the caller has access */
  readonly listMyCatalog: {
    readonly request: {
      readonly query?: {
        /** Only servers whose name or description contains this text, case-insensitive */
        readonly search?: string | undefined;
        /** Zero-based offset of the first entry */
        readonly cursor?: number | undefined;
        /** Maximum number of entries to return */
        readonly limit?: number | undefined;
      } | undefined;
    };
    readonly answer: {
      readonly data: ReadonlyArray<Schemas["CatalogServer"]>;
      readonly pagination: Schemas["CursorPagination"];
    };
  };
  /** List the tools of an MCP server in the organization's catalog */
  readonly listMyCatalogTools: {
    readonly request: {
      readonly query: {
        /** The server's slug */
        readonly server: string;
      };
    };
    readonly answer: {
      readonly data: ReadonlyArray<Schemas["CatalogTool"]>;
    };
  };
  /** Request access to an MCP server or to some of its tools */
  readonly createMyRequest: {
    readonly request: {
      readonly headers?: {
        /** A request that repeats a key within 24 hours gets the stored response and is not run again */
        readonly "Idempotency-Key"?: string | undefined;
      } | undefined;
      readonly body: Schemas["CreateAccessRequest"];
    };
    readonly answer: {
      readonly data: Schemas["AccessRequest"];
    };
  };
  /** List the caller's access requests and their decisions */
  readonly listMyRequests: {
    readonly request: {
      readonly query?: {
        /** Number of entries to skip */
        readonly skip?: number | undefined;
        /** Maximum number of entries to return */
        readonly limit?: number | undefined;
      } | undefined;
    };
    readonly answer: {
      readonly data: ReadonlyArray<Schemas["AccessRequest"]>;
      readonly pagination: Schemas["SkipPagination"];
    };
  };
  /** Withdraw a pending access request of the caller */
  readonly withdrawMyRequest: {
    readonly request: {
      readonly query: {
        /** The request's ID */
        readonly id: string;
      };
    };
    readonly answer: Schemas["Message"];
  };
  /** List the caller's calls that guards held, and the decisions */
  readonly listMyApprovals: {
    readonly request: {
      readonly query?: {
        /** Only the approval with this ID */
        readonly id?: string | undefined;
        /** Number of entries to skip */
        readonly skip?: number | undefined;
        /** Maximum number of entries to return */
        readonly limit?: number | undefined;
      } | undefined;
    };
    readonly answer: {
      readonly data: ReadonlyArray<Schemas["MyApproval"]>;
      readonly pagination: Schemas["SkipPagination"];
    };
  };
  /** List the caller's own calls at the gateway, newest first */
  readonly listMyLogs: {
    readonly request: {
      readonly query?: {
        /** Only calls to the server with this slug */
        readonly server?: string | undefined;
        /** Only calls of this tool, by its name at the MCP server */
        readonly tool?: string | undefined;
        /** Only calls with this outcome */
        readonly outcome?: "ok" | "tool_error" | "error" | "denied" | "upstream_failed" | "timeout" | "cancelled" | "interrupted" | "not_connected" | "blocked" | "pending_approval" | undefined;
        /** Only calls at or after this time */
        readonly from?: string | undefined;
        /** Only calls before this time */
        readonly to?: string | undefined;
        /** The `nextCursor` of the previous page */
        readonly cursor?: string | undefined;
        /** Maximum number of entries to return */
        readonly limit?: number | undefined;
      } | undefined;
    };
    readonly answer: {
      readonly data: ReadonlyArray<Schemas["LogEntry"]>;
      readonly pagination: Schemas["TimePagination"];
    };
  };
  /** Search servers, tools, users, groups, toolkits, skills, commands, plugins, agents, guards, approvals, webhooks, log destinations, trusted issuers, and discovered items and devices */
  readonly search: {
    readonly request: {
      readonly query: {
        /** Search text, at most 200 characters */
        readonly q: string;
        /** Maximum number of results per kind. Default: 5 */
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
        /** Only calls of the user with this email, case-insensitive */
        readonly user?: string | undefined;
        /** Only calls to the server with this slug */
        readonly server?: string | undefined;
        /** Only calls of this tool, by its name at the MCP server */
        readonly tool?: string | undefined;
        /** Only calls of this method */
        readonly method?: "other" | "tools/call" | "tools/list" | "prompts/get" | "resources/read" | "completion/complete" | "plugin.fetch" | undefined;
        /** `calls`: only requests that run something (tools/call, prompts/get, resources/read, completion/complete). `lists`: only the others. Ignored if `method` is set */
        readonly kind?: "calls" | "lists" | undefined;
        /** Only calls with this outcome */
        readonly outcome?: "ok" | "tool_error" | "error" | "denied" | "upstream_failed" | "timeout" | "cancelled" | "interrupted" | "not_connected" | "blocked" | "pending_approval" | undefined;
        /** Only calls at or after this time */
        readonly from?: string | undefined;
        /** Only calls before this time */
        readonly to?: string | undefined;
        /** Only calls with at least this duration in milliseconds */
        readonly min_duration_ms?: number | undefined;
        /** Only calls with at most this duration in milliseconds */
        readonly max_duration_ms?: number | undefined;
        /** Only calls authenticated with this method */
        readonly via?: "machine_key" | "oauth" | "exchange" | "agent" | "app" | "library" | undefined;
        /** Only calls of this OAuth client, or of the trusted issuer with this slug */
        readonly client_id?: string | undefined;
        /** Only calls with this error. `…` matches any text, as in error groups */
        readonly error?: string | undefined;
        /** Only the call with this `x-request-id` */
        readonly request_id?: string | undefined;
        /** Only calls with this W3C trace ID */
        readonly trace_id?: string | undefined;
        /** Only requests with `toolkit_slug` equal to this slug */
        readonly toolkit?: string | undefined;
        /** Only calls of the agent with this slug */
        readonly agent?: string | undefined;
        /** Only calls of this session of an agent */
        readonly agent_session?: string | undefined;
        /** Only calls on which the guard with this slug acted */
        readonly guard?: string | undefined;
        /** Only calls with this guard action */
        readonly guard_action?: "log" | "warn" | "redact" | "require_approval" | "block" | undefined;
        /** Only calls with this text in the error, the user's email, the server's slug, or the tool's name */
        readonly text?: string | undefined;
        /** The `nextCursor` of the previous page */
        readonly cursor?: string | undefined;
        /** Maximum number of entries to return */
        readonly limit?: number | undefined;
      } | undefined;
    };
    readonly answer: {
      readonly data: ReadonlyArray<Schemas["LogEntry"]>;
      readonly pagination: Schemas["LogPagination"];
    };
  };
  /** Follow calls at the gateway */
  readonly tailLogs: {
    readonly request: {
      readonly query?: {
        /** Only calls of the user with this email, case-insensitive */
        readonly user?: string | undefined;
        /** Only calls to the server with this slug */
        readonly server?: string | undefined;
        /** Only calls of this tool, by its name at the MCP server */
        readonly tool?: string | undefined;
        /** Only calls of this method */
        readonly method?: "other" | "tools/call" | "tools/list" | "prompts/get" | "resources/read" | "completion/complete" | "plugin.fetch" | undefined;
        /** `calls`: only requests that run something (tools/call, prompts/get, resources/read, completion/complete). `lists`: only the others. Ignored if `method` is set */
        readonly kind?: "calls" | "lists" | undefined;
        /** Only calls with this outcome */
        readonly outcome?: "ok" | "tool_error" | "error" | "denied" | "upstream_failed" | "timeout" | "cancelled" | "interrupted" | "not_connected" | "blocked" | "pending_approval" | undefined;
        /** Only calls at or after this time */
        readonly from?: string | undefined;
        /** Only calls before this time */
        readonly to?: string | undefined;
        /** Only calls with at least this duration in milliseconds */
        readonly min_duration_ms?: number | undefined;
        /** Only calls with at most this duration in milliseconds */
        readonly max_duration_ms?: number | undefined;
        /** Only calls authenticated with this method */
        readonly via?: "machine_key" | "oauth" | "exchange" | "agent" | "app" | "library" | undefined;
        /** Only calls of this OAuth client, or of the trusted issuer with this slug */
        readonly client_id?: string | undefined;
        /** Only calls with this error. `…` matches any text, as in error groups */
        readonly error?: string | undefined;
        /** Only the call with this `x-request-id` */
        readonly request_id?: string | undefined;
        /** Only calls with this W3C trace ID */
        readonly trace_id?: string | undefined;
        /** Only requests with `toolkit_slug` equal to this slug */
        readonly toolkit?: string | undefined;
        /** Only calls of the agent with this slug */
        readonly agent?: string | undefined;
        /** Only calls of this session of an agent */
        readonly agent_session?: string | undefined;
        /** Only calls on which the guard with this slug acted */
        readonly guard?: string | undefined;
        /** Only calls with this guard action */
        readonly guard_action?: "log" | "warn" | "redact" | "require_approval" | "block" | undefined;
        /** Only calls with this text in the error, the user's email, the server's slug, or the tool's name */
        readonly text?: string | undefined;
        /** The `tailCursor` of the previous response or of a list */
        readonly cursor?: string | undefined;
        /** Maximum number of entries to return */
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
        /** Only calls of the user with this email, case-insensitive */
        readonly user?: string | undefined;
        /** Only calls to the server with this slug */
        readonly server?: string | undefined;
        /** Only calls of this tool, by its name at the MCP server */
        readonly tool?: string | undefined;
        /** Only calls of this method */
        readonly method?: "other" | "tools/call" | "tools/list" | "prompts/get" | "resources/read" | "completion/complete" | "plugin.fetch" | undefined;
        /** `calls`: only requests that run something (tools/call, prompts/get, resources/read, completion/complete). `lists`: only the others. Ignored if `method` is set */
        readonly kind?: "calls" | "lists" | undefined;
        /** Only calls with this outcome */
        readonly outcome?: "ok" | "tool_error" | "error" | "denied" | "upstream_failed" | "timeout" | "cancelled" | "interrupted" | "not_connected" | "blocked" | "pending_approval" | undefined;
        /** Only calls at or after this time */
        readonly from?: string | undefined;
        /** Only calls before this time */
        readonly to?: string | undefined;
        /** The time span of one entry of `series`. The default depends on the time range */
        readonly bucket?: "minute" | "ten_minutes" | "hour" | "day" | undefined;
        /** Maximum number of servers, tools, and users to return. The default is 10 */
        readonly top?: number | undefined;
      } | undefined;
    };
    readonly answer: {
      readonly data: Schemas["CallStatistics"];
    };
  };
  /** List error groups */
  readonly listLogErrors: {
    readonly request: {
      readonly query?: {
        /** Only calls to the server with this slug */
        readonly server?: string | undefined;
        /** Only calls with this outcome */
        readonly outcome?: "ok" | "tool_error" | "error" | "denied" | "upstream_failed" | "timeout" | "cancelled" | "interrupted" | "not_connected" | "blocked" | "pending_approval" | undefined;
        /** Only calls at or after this time */
        readonly from?: string | undefined;
        /** Only calls before this time */
        readonly to?: string | undefined;
        /** Maximum number of groups to return. The default is 20 */
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
        /** Only calls of the user with this email, case-insensitive */
        readonly user?: string | undefined;
        /** Only calls to the server with this slug */
        readonly server?: string | undefined;
        /** Only calls of this tool, by its name at the MCP server */
        readonly tool?: string | undefined;
        /** Only calls of this method */
        readonly method?: "other" | "tools/call" | "tools/list" | "prompts/get" | "resources/read" | "completion/complete" | "plugin.fetch" | undefined;
        /** `calls`: only requests that run something (tools/call, prompts/get, resources/read, completion/complete). `lists`: only the others. Ignored if `method` is set */
        readonly kind?: "calls" | "lists" | undefined;
        /** Only calls with this outcome */
        readonly outcome?: "ok" | "tool_error" | "error" | "denied" | "upstream_failed" | "timeout" | "cancelled" | "interrupted" | "not_connected" | "blocked" | "pending_approval" | undefined;
        /** Only calls at or after this time */
        readonly from?: string | undefined;
        /** Only calls before this time */
        readonly to?: string | undefined;
        /** Only calls with at least this duration in milliseconds */
        readonly min_duration_ms?: number | undefined;
        /** Only calls with at most this duration in milliseconds */
        readonly max_duration_ms?: number | undefined;
        /** Only calls authenticated with this method */
        readonly via?: "machine_key" | "oauth" | "exchange" | "agent" | "app" | "library" | undefined;
        /** Only calls of this OAuth client, or of the trusted issuer with this slug */
        readonly client_id?: string | undefined;
        /** Only calls with this error. `…` matches any text, as in error groups */
        readonly error?: string | undefined;
        /** Only the call with this `x-request-id` */
        readonly request_id?: string | undefined;
        /** Only calls with this W3C trace ID */
        readonly trace_id?: string | undefined;
        /** Only requests with `toolkit_slug` equal to this slug */
        readonly toolkit?: string | undefined;
        /** Only calls of the agent with this slug */
        readonly agent?: string | undefined;
        /** Only calls of this session of an agent */
        readonly agent_session?: string | undefined;
        /** Only calls on which the guard with this slug acted */
        readonly guard?: string | undefined;
        /** Only calls with this guard action */
        readonly guard_action?: "log" | "warn" | "redact" | "require_approval" | "block" | undefined;
        /** Only calls with this text in the error, the user's email, the server's slug, or the tool's name */
        readonly text?: string | undefined;
        /** The file format. The default is `ndjson` */
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
  /** List log destinations */
  readonly listLogDestinations: {
    readonly request: {
      readonly query?: {
        /** Only destinations whose name contains this text, case-insensitive */
        readonly search?: string | undefined;
        /** Number of destinations to skip */
        readonly skip?: number | undefined;
        /** Maximum number of entries to return */
        readonly limit?: number | undefined;
      } | undefined;
    };
    readonly answer: {
      readonly data: ReadonlyArray<Schemas["LogDestination"]>;
      readonly pagination: Schemas["SkipPagination"];
    };
  };
  /** Create a log destination */
  readonly createLogDestination: {
    readonly request: {
      readonly headers?: {
        /** A request that repeats a key within 24 hours gets the stored response and is not run again */
        readonly "Idempotency-Key"?: string | undefined;
      } | undefined;
      readonly body: Schemas["CreateLogDestination"];
    };
    readonly answer: {
      readonly data: Schemas["LogDestination"];
      /** `webhook`: the generated signing secret, which cannot be retrieved later. Omitted if the request contains one, or when an idempotent request is repeated */
      readonly secret?: string | undefined;
    };
  };
  /** Update a log destination */
  readonly updateLogDestination: {
    readonly request: {
      readonly query: {
        /** The log destination's ID */
        readonly id: string;
      };
      readonly body: Schemas["UpdateLogDestination"];
    };
    readonly answer: {
      readonly data: Schemas["LogDestination"];
    };
  };
  /** Delete a log destination */
  readonly deleteLogDestination: {
    readonly request: {
      readonly query: {
        /** The log destination's ID */
        readonly id: string;
      };
    };
    readonly answer: Schemas["Message"];
  };
  /** Get a log destination */
  readonly getLogDestination: {
    readonly request: {
      readonly path: {
        /** The log destination's ID */
        readonly id: string;
      };
    };
    readonly answer: {
      readonly data: Schemas["LogDestination"];
    };
  };
  /** Send a test record */
  readonly testLogDestination: {
    readonly request: {
      readonly path: {
        /** The log destination's ID */
        readonly id: string;
      };
    };
    readonly answer: {
      readonly data: Schemas["LogDestinationTest"];
    };
  };
  /** Send records again */
  readonly rewindLogDestination: {
    readonly request: {
      readonly path: {
        /** The log destination's ID */
        readonly id: string;
      };
      readonly headers?: {
        /** A request that repeats a key within 24 hours gets the stored response and is not run again */
        readonly "Idempotency-Key"?: string | undefined;
      } | undefined;
      readonly body: Schemas["RewindLogDestination"];
    };
    readonly answer: {
      readonly data: Schemas["LogDestination"];
    };
  };
  /** List audit log entries, newest first */
  readonly listAudit: {
    readonly request: {
      readonly query?: {
        /** Only entries of this operation, by its ID */
        readonly operation?: string | undefined;
        /** Only entries of this actor, by ID or name */
        readonly actor?: string | undefined;
        /** Only entries with targets of this kind, such as group or mcp-server */
        readonly target_type?: string | undefined;
        /** Only entries with this target, by ID or by its name at that time */
        readonly target?: string | undefined;
        /** Only entries at or after this time */
        readonly from?: string | undefined;
        /** Only entries before this time */
        readonly to?: string | undefined;
        /** The `nextCursor` of the previous page */
        readonly cursor?: string | undefined;
        /** Maximum number of entries to return */
        readonly limit?: number | undefined;
      } | undefined;
    };
    readonly answer: {
      readonly data: ReadonlyArray<Schemas["AuditEntry"]>;
      readonly pagination: Schemas["TimePagination"];
    };
  };
  /** Export audit log entries */
  readonly exportAudit: {
    readonly request: {
      readonly query?: {
        /** Only entries of this operation, by its ID */
        readonly operation?: string | undefined;
        /** Only entries of this actor, by ID or name */
        readonly actor?: string | undefined;
        /** Only entries with targets of this kind, such as group or mcp-server */
        readonly target_type?: string | undefined;
        /** Only entries with this target, by ID or by its name at that time */
        readonly target?: string | undefined;
        /** Only entries at or after this time */
        readonly from?: string | undefined;
        /** Only entries before this time */
        readonly to?: string | undefined;
        /** `ndjson` (default) or `csv` */
        readonly format?: "ndjson" | "csv" | undefined;
      } | undefined;
    };
    readonly answer: undefined;
  };
  /** Verify the audit log */
  readonly verifyAudit: {
    readonly request: {
      readonly query?: {
        /** A checkpoint that was stored elsewhere, as JSON. Entries that were removed after it are then reported */
        readonly checkpoint?: string | undefined;
      } | undefined;
    };
    readonly answer: {
      readonly data: {
        /** Whether the verification found no problem */
        readonly ok: boolean;
        /** Number of verified entries */
        readonly entries: number;
        /** Position of the first entry; earlier ones were deleted by retention */
        readonly first_seq: number;
        /** Position of the last verified entry */
        readonly last_seq: number;
        /** ID of the last verified entry */
        readonly last_id: string | null;
        /** Time of the last verified entry; null: none */
        readonly verified_up_to: string | null;
        /** Number of verified checkpoints */
        readonly checkpoints: number;
        /** Entries of an earlier release that are not in the chain yet */
        readonly unchained: number;
        /** The first problem; null: none */
        readonly problem: {
          /** Position of the first invalid entry */
          readonly seq: number;
          /** The entry's ID; null if it is missing */
          readonly id: string | null;
          /** What is wrong with it */
          readonly reason: "changed" | "missing" | "moved" | "truncated" | "unexpected" | "rewritten" | "checkpoint";
          /** The problem as a sentence */
          readonly message: string;
        } | null;
      };
    };
  };
  /** Get the verification state of the audit log */
  readonly getAuditChain: {
    readonly request: Readonly<Record<never, never>>;
    readonly answer: {
      readonly data: {
        /** Position of the newest entry */
        readonly last_seq: number;
        /** Position of the last verified entry */
        readonly verified_seq: number;
        /** Time of the last verified entry; null: none yet */
        readonly verified_up_to: string | null;
        /** When the verification last ran without a problem; null: never */
        readonly verified_at: string | null;
        /** The first problem; null: none */
        readonly problem: {
          /** Position of the first invalid entry */
          readonly seq: number;
          /** The entry's ID; null if it is missing */
          readonly id: string | null;
          /** What is wrong with it */
          readonly reason: "changed" | "missing" | "moved" | "truncated" | "unexpected" | "rewritten" | "checkpoint";
          /** The problem as a sentence */
          readonly message: string;
        } | null;
        /** The newest signed checkpoint; null: none yet */
        readonly checkpoint: {
          /** `cut`: retention deleted this entry and all earlier ones */
          readonly kind: "periodic" | "cut";
          /** Position of the entry */
          readonly seq: number;
          /** Hash of the entry */
          readonly hash: string;
          /** When it was signed */
          readonly ts: string;
          /** Version of the data key that the signing key is derived from */
          readonly key_version: number;
          /** Ed25519 public key, base64url */
          readonly public_key: string;
          /** Ed25519 signature, base64url */
          readonly signature: string;
        } | null;
        /** How far entries were shipped to webhooks. Log destinations report their positions themselves */
        readonly shipping: ReadonlyArray<{
          /** `webhooks`: webhooks that subscribe to `audit.entry` */
          readonly receiver: string;
          /** Position of the last shipped entry */
          readonly seq: number;
          /** When it was shipped */
          readonly ts: string;
        }>;
      };
    };
  };
  /** Get the organization settings */
  readonly getSettings: {
    readonly request: Readonly<Record<never, never>>;
    readonly answer: {
      readonly data: Schemas["Settings"];
    };
  };
  /** Update the organization settings */
  readonly updateSettings: {
    readonly request: {
      readonly body: Schemas["UpdateSettings"];
    };
    readonly answer: {
      readonly data: Schemas["Settings"];
    };
  };
  /** Preview a sign-in with SSO */
  readonly previewSsoSignIn: {
    readonly request: {
      readonly body: Schemas["PreviewSso"];
    };
    readonly answer: {
      readonly data: Schemas["SsoPreview"];
    };
  };
  /** Export the configuration */
  readonly getConfig: {
    readonly request: Readonly<Record<never, never>>;
    readonly answer: {
      readonly data: {
        /** Objects by kind: settings, servers, groups, and so on */
        readonly config: Readonly<Record<string, ReadonlyArray<Readonly<Record<string, unknown>>>>>;
        /** Names of the environment variables that the references need */
        readonly secrets: ReadonlyArray<string>;
      };
    };
  };
  /** Compare a configuration with the installation */
  readonly planConfig: {
    readonly request: {
      readonly headers?: {
        /** A request that repeats a key within 24 hours gets the stored response and is not run again */
        readonly "Idempotency-Key"?: string | undefined;
      } | undefined;
      readonly body: Schemas["PlanConfig"];
    };
    readonly answer: {
      readonly data: ReadonlyArray<Schemas["ConfigStep"]>;
    };
  };
  /** Apply a configuration */
  readonly applyConfig: {
    readonly request: {
      readonly headers?: {
        /** A request that repeats a key within 24 hours gets the stored response and is not run again */
        readonly "Idempotency-Key"?: string | undefined;
      } | undefined;
      readonly body: Schemas["ApplyConfig"];
    };
    readonly answer: {
      readonly data: ReadonlyArray<Schemas["ConfigStep"]>;
    };
  };
  /** List the objects that files manage */
  readonly listManagedObjects: {
    readonly request: Readonly<Record<never, never>>;
    readonly answer: {
      readonly data: ReadonlyArray<{
        /** Kind of the object */
        readonly kind: string;
        /** Its name or slug */
        readonly key: string;
        /** The declared fields */
        readonly fields: ReadonlyArray<string>;
        /** Who applied it last */
        readonly applied_by: string;
        /** When it was applied last */
        readonly applied_at: string;
      }>;
    };
  };
  /** Release an object from files */
  readonly releaseFromFiles: {
    readonly request: {
      readonly headers?: {
        /** A request that repeats a key within 24 hours gets the stored response and is not run again */
        readonly "Idempotency-Key"?: string | undefined;
      } | undefined;
      readonly body: Schemas["ReleaseFromFiles"];
    };
    readonly answer: {
      /** Always true */
      readonly released: true;
    };
  };
  /** Get the version, runtime, and data keys */
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
  getToolDefinition: "GET /api/mcp-servers/{slug}/tools/definition",
  listMcpServerItems: "GET /api/mcp-servers/{slug}/items",
  acceptTools: "POST /api/mcp-servers/{slug}/tools/accept",
  rejectTools: "POST /api/mcp-servers/{slug}/tools/reject",
  syncMcpServer: "POST /api/mcp-servers/{slug}/sync",
  testMcpServer: "POST /api/mcp-servers/{slug}/test",
  listMcpServerConnections: "GET /api/mcp-servers/{slug}/connections",
  deleteMcpServerConnection: "DELETE /api/mcp-servers/{slug}/connections",
  discoverOAuth: "POST /api/mcp-servers/{slug}/discover-oauth",
  approveOAuthChange: "POST /api/mcp-servers/{slug}/oauth-change/approve",
  keepOAuthSettings: "POST /api/mcp-servers/{slug}/oauth-change/keep",
  listConnectors: "GET /api/connectors",
  listConnectorCategories: "GET /api/connectors/categories",
  getConnector: "GET /api/connectors/{connector_id}",
  getConnectorUsage: "GET /api/connectors/{connector_id}/usage",
  listGroups: "GET /api/groups",
  createGroup: "POST /api/groups",
  updateGroup: "PATCH /api/groups",
  deleteGroup: "DELETE /api/groups",
  getGroup: "GET /api/groups/{name}",
  listGroupIntegrations: "GET /api/groups/{name}/integrations",
  addIntegrationsToGroup: "POST /api/groups/{name}/integrations",
  removeIntegrationFromGroup: "DELETE /api/groups/{name}/integrations",
  updateGroupIntegration: "PATCH /api/groups/{name}/integrations",
  addPluginsToGroup: "POST /api/groups/{name}/plugins",
  removePluginFromGroup: "DELETE /api/groups/{name}/plugins",
  addSkillsToGroup: "POST /api/groups/{name}/skills",
  removeSkillFromGroup: "DELETE /api/groups/{name}/skills",
  addCommandsToGroup: "POST /api/groups/{name}/commands",
  removeCommandFromGroup: "DELETE /api/groups/{name}/commands",
  addToolkitsToGroup: "POST /api/groups/{name}/toolkits",
  removeToolkitFromGroup: "DELETE /api/groups/{name}/toolkits",
  addUsersToGroup: "POST /api/groups/{name}/users",
  removeUserFromGroup: "DELETE /api/groups/{name}/users",
  listToolkits: "GET /api/toolkits",
  createToolkit: "POST /api/toolkits",
  updateToolkit: "PATCH /api/toolkits",
  deleteToolkit: "DELETE /api/toolkits",
  getToolkit: "GET /api/toolkits/{slug}",
  addToolkitTools: "POST /api/toolkits/{slug}/tools",
  removeToolkitTool: "DELETE /api/toolkits/{slug}/tools",
  previewToolkit: "GET /api/toolkits/{slug}/preview",
  previewUnsavedToolkit: "POST /api/toolkits/preview",
  listSkills: "GET /api/skills",
  createSkill: "POST /api/skills",
  updateSkill: "PATCH /api/skills",
  deleteSkill: "DELETE /api/skills",
  importSkill: "POST /api/skills/import",
  validateSkill: "POST /api/skills/validate",
  getSkill: "GET /api/skills/{slug}",
  getSkillFile: "GET /api/skills/{slug}/files",
  listSkillVersions: "GET /api/skills/{slug}/versions",
  rollbackSkill: "POST /api/skills/{slug}/rollback",
  downloadSkill: "GET /api/skills/{slug}/download",
  listCommands: "GET /api/commands",
  createCommand: "POST /api/commands",
  updateCommand: "PATCH /api/commands",
  deleteCommand: "DELETE /api/commands",
  importCommand: "POST /api/commands/import",
  getCommand: "GET /api/commands/{slug}",
  renderCommand: "POST /api/commands/{slug}/render",
  exportCommand: "GET /api/commands/{slug}/export",
  listPlugins: "GET /api/plugins",
  createPlugin: "POST /api/plugins",
  updatePlugin: "PATCH /api/plugins",
  deletePlugin: "DELETE /api/plugins",
  getPluginMarketplace: "GET /api/plugins/marketplace",
  getPlugin: "GET /api/plugins/{slug}",
  publishPlugin: "POST /api/plugins/{slug}/publish",
  unpublishPlugin: "POST /api/plugins/{slug}/unpublish",
  listPluginReleases: "GET /api/plugins/{slug}/releases",
  listPluginChanges: "GET /api/plugins/{slug}/changes",
  downloadPlugin: "GET /api/plugins/{slug}/download",
  listBackgroundAgents: "GET /api/background-agents",
  createBackgroundAgent: "POST /api/background-agents",
  updateBackgroundAgent: "PATCH /api/background-agents",
  deleteBackgroundAgent: "DELETE /api/background-agents",
  getBackgroundAgent: "GET /api/background-agents/{slug}",
  getDefaultProvider: "GET /api/agent-provider",
  rotateAgentSecret: "POST /api/background-agents/{slug}/rotate-secret",
  syncBackgroundAgent: "POST /api/background-agents/{slug}/sync",
  importBackgroundAgents: "POST /api/background-agents/sync",
  invokeBackgroundAgent: "POST /api/background-agents/{slug}/invoke",
  listAgentSessions: "GET /api/background-agents/{slug}/sessions",
  getAgentSession: "GET /api/background-agents/{slug}/sessions/{id}",
  listAgentSteps: "GET /api/background-agents/{slug}/sessions/{id}/steps",
  streamAgentSession: "GET /api/background-agents/{slug}/sessions/{id}/events",
  cancelAgentSession: "POST /api/background-agents/{slug}/sessions/{id}/cancel",
  sendAgentMessage: "POST /api/background-agents/{slug}/sessions/{id}/messages",
  reportAgentSession: "POST /api/background-agents/{slug}/sessions/{id}/report",
  listGuards: "GET /api/guards",
  createGuard: "POST /api/guards",
  updateGuard: "PATCH /api/guards",
  deleteGuard: "DELETE /api/guards",
  getGuard: "GET /api/guards/{slug}",
  listGuardCheckTypes: "GET /api/guards/check-types",
  evaluateGuards: "POST /api/guards/evaluate",
  dryRunGuard: "POST /api/guards/dry-run",
  listApprovals: "GET /api/guards/approvals",
  getApproval: "GET /api/guards/approvals/{id}",
  decideApproval: "POST /api/guards/approvals/{id}/decision",
  exchangeAuth: "POST /api/auth-exchange",
  refreshExchange: "POST /api/auth-exchange/refresh",
  revokeExchange: "POST /api/auth-exchange/revoke",
  listExchangeProviders: "GET /api/auth-exchange/providers",
  createExchangeProvider: "POST /api/auth-exchange/providers",
  updateExchangeProvider: "PATCH /api/auth-exchange/providers",
  deleteExchangeProvider: "DELETE /api/auth-exchange/providers",
  getExchangeProvider: "GET /api/auth-exchange/providers/{slug}",
  testExchangeProvider: "POST /api/auth-exchange/providers/{slug}/test",
  listExchangeCredentials: "GET /api/auth-exchange/credentials",
  endExchangeCredential: "DELETE /api/auth-exchange/credentials",
  reportDiscovery: "POST /api/ai-discovery/reports",
  getDiscoverySummary: "GET /api/ai-discovery/summary",
  listDiscoveredMcpServers: "GET /api/ai-discovery/mcp-servers",
  updateDiscoveredMcpServer: "PATCH /api/ai-discovery/mcp-servers",
  getDiscoveredMcpServer: "GET /api/ai-discovery/mcp-servers/{fingerprint}",
  importDiscoveredMcpServer: "POST /api/ai-discovery/mcp-servers/{fingerprint}/import",
  listDiscoveredSkills: "GET /api/ai-discovery/skills",
  updateDiscoveredSkill: "PATCH /api/ai-discovery/skills",
  getDiscoveredSkill: "GET /api/ai-discovery/skills/{digest}",
  importDiscoveredSkill: "POST /api/ai-discovery/skills/{digest}/import",
  listDiscoveredAgentMemory: "GET /api/ai-discovery/agent-memory",
  updateDiscoveredMemory: "PATCH /api/ai-discovery/agent-memory",
  getDiscoveredMemory: "GET /api/ai-discovery/agent-memory/{id}",
  listDiscoveredAgents: "GET /api/ai-discovery/agents",
  updateDiscoveredAgent: "PATCH /api/ai-discovery/agents",
  getDiscoveredAgent: "GET /api/ai-discovery/agents/{id}",
  listDiscoveryDevices: "GET /api/ai-discovery/devices",
  updateDiscoveryDevice: "PATCH /api/ai-discovery/devices",
  deleteDiscoveryDevice: "DELETE /api/ai-discovery/devices",
  getDiscoveryDevice: "GET /api/ai-discovery/devices/{id}",
  listDiscoveryViolations: "GET /api/ai-discovery/violations",
  exportDiscovery: "GET /api/ai-discovery/export",
  getDiscoveryPolicy: "GET /api/ai-discovery-policy",
  updateDiscoveryPolicy: "PATCH /api/ai-discovery-policy",
  listDiscoveryRules: "GET /api/ai-discovery-policy/rules",
  createDiscoveryRule: "POST /api/ai-discovery-policy/rules",
  updateDiscoveryRule: "PATCH /api/ai-discovery-policy/rules",
  deleteDiscoveryRule: "DELETE /api/ai-discovery-policy/rules",
  orderDiscoveryRules: "PUT /api/ai-discovery-policy/rules/order",
  evaluateDiscoveryPolicy: "POST /api/ai-discovery-policy/evaluate",
  dryRunDiscoveryPolicy: "POST /api/ai-discovery-policy/dry-run",
  getEffectiveDiscoveryPolicy: "GET /api/ai-discovery-policy/effective",
  exportDiscoveryPolicy: "GET /api/ai-discovery-policy/export",
  listDiscoveryPolicyHistory: "GET /api/ai-discovery-policy/history",
  listUsers: "GET /api/users",
  createUser: "POST /api/users",
  updateUser: "PATCH /api/users",
  deleteUser: "DELETE /api/users",
  getUser: "GET /api/users/{email}",
  rotateUserSecret: "POST /api/users/rotate-secret",
  revokeOldSecret: "POST /api/users/revoke-old-secret",
  setClientCredentials: "PUT /api/users/client-credentials",
  revealUserSecret: "POST /api/users/reveal-secret",
  inviteUser: "POST /api/users/invite",
  listUserClients: "GET /api/users/clients",
  endUserClient: "DELETE /api/users/clients",
  listUserSessions: "GET /api/users/sessions",
  endUserSessions: "DELETE /api/users/sessions",
  getProvisioning: "GET /api/provisioning",
  detachFromScim: "POST /api/provisioning/detach",
  listAccess: "GET /api/access",
  listCallers: "GET /api/access/callers",
  listGrants: "GET /api/access/grants",
  explainAccess: "GET /api/access/explain",
  listAccessRequests: "GET /api/access-requests",
  approveAccessRequest: "POST /api/access-requests/{id}/approve",
  denyAccessRequest: "POST /api/access-requests/{id}/deny",
  listUserMcpServers: "GET /api/user/mcp-servers",
  listUserSkills: "GET /api/user/skills",
  listUserCommands: "GET /api/user/commands",
  listUserPlugins: "GET /api/user/plugins",
  listUserToolkits: "GET /api/user/toolkits",
  createUserToolkit: "POST /api/user/toolkits",
  updateUserToolkit: "PATCH /api/user/toolkits",
  deleteUserToolkit: "DELETE /api/user/toolkits",
  getUserToolkit: "GET /api/user/toolkits/{slug}",
  getUserConnection: "GET /api/user/connection",
  deleteUserConnection: "DELETE /api/user/connection",
  setUserApiKey: "PUT /api/user/api-key",
  getUserAuthUrl: "GET /api/user/auth-url",
  listApiTokens: "GET /api/api-tokens",
  createApiToken: "POST /api/api-tokens",
  deleteApiToken: "DELETE /api/api-tokens",
  listWebhooks: "GET /api/webhooks",
  createWebhook: "POST /api/webhooks",
  updateWebhook: "PATCH /api/webhooks",
  deleteWebhook: "DELETE /api/webhooks",
  getWebhook: "GET /api/webhooks/{id}",
  rotateWebhookSecret: "POST /api/webhooks/{id}/rotate-secret",
  testWebhook: "POST /api/webhooks/{id}/test",
  listWebhookDeliveries: "GET /api/webhooks/{id}/deliveries",
  getWebhookDelivery: "GET /api/webhooks/{id}/deliveries/{delivery_id}",
  redeliverWebhookDelivery: "POST /api/webhooks/{id}/deliveries/{delivery_id}/redeliver",
  listWebhookEvents: "GET /api/webhook-events",
  getEmailStatus: "GET /api/email",
  listEmails: "GET /api/email/messages",
  sendTestEmail: "POST /api/email/test",
  getMe: "GET /api/me",
  listMyMcpServers: "GET /api/me/mcp-servers",
  listMySkills: "GET /api/me/skills",
  listMyCommands: "GET /api/me/commands",
  listMyPlugins: "GET /api/me/plugins",
  listMyToolkits: "GET /api/me/toolkits",
  createMyToolkit: "POST /api/me/toolkits",
  updateMyToolkit: "PATCH /api/me/toolkits",
  deleteMyToolkit: "DELETE /api/me/toolkits",
  getMyToolkit: "GET /api/me/toolkits/{slug}",
  setMyApiKey: "PUT /api/me/api-key",
  testMyConnection: "POST /api/me/test-connection",
  deleteMyConnection: "DELETE /api/me/connection",
  listMyClients: "GET /api/me/clients",
  endMyClient: "DELETE /api/me/clients",
  listMyLibraryTokens: "GET /api/me/library-tokens",
  createMyLibraryToken: "POST /api/me/library-tokens",
  deleteMyLibraryToken: "DELETE /api/me/library-tokens",
  listMySessions: "GET /api/me/sessions",
  endMySessions: "DELETE /api/me/sessions",
  getMyEmailNotices: "GET /api/me/email-notices",
  updateMyEmailNotices: "PATCH /api/me/email-notices",
  changeMyPassword: "POST /api/me/password",
  confirmMyPassword: "POST /api/me/confirm-password",
  createPlaygroundToken: "POST /api/me/playground-token",
  listMyCatalog: "GET /api/me/catalog",
  listMyCatalogTools: "GET /api/me/catalog/tools",
  createMyRequest: "POST /api/me/requests",
  listMyRequests: "GET /api/me/requests",
  withdrawMyRequest: "DELETE /api/me/requests",
  listMyApprovals: "GET /api/me/approvals",
  listMyLogs: "GET /api/me/logs",
  search: "GET /api/search",
  listLogs: "GET /api/logs",
  tailLogs: "GET /api/logs/tail",
  getLogStats: "GET /api/logs/stats",
  listLogErrors: "GET /api/logs/errors",
  exportLogs: "GET /api/logs/export",
  getLog: "GET /api/logs/{id}",
  listLogDestinations: "GET /api/log-destinations",
  createLogDestination: "POST /api/log-destinations",
  updateLogDestination: "PATCH /api/log-destinations",
  deleteLogDestination: "DELETE /api/log-destinations",
  getLogDestination: "GET /api/log-destinations/{id}",
  testLogDestination: "POST /api/log-destinations/{id}/test",
  rewindLogDestination: "POST /api/log-destinations/{id}/rewind",
  listAudit: "GET /api/audit",
  exportAudit: "GET /api/audit/export",
  verifyAudit: "GET /api/audit/verify",
  getAuditChain: "GET /api/audit/chain",
  getSettings: "GET /api/settings",
  updateSettings: "PATCH /api/settings",
  previewSsoSignIn: "POST /api/settings/sso/preview",
  getConfig: "GET /api/config",
  planConfig: "POST /api/config/plan",
  applyConfig: "POST /api/config/apply",
  listManagedObjects: "GET /api/config/managed",
  releaseFromFiles: "POST /api/config/release",
  getAbout: "GET /api/about",
} as const satisfies Readonly<Record<keyof Operations, string>>;
