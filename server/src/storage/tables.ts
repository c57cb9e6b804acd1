import type { AgentTables } from "./agent-tables.ts";
import type { ApprovalTables } from "./approval-tables.ts";
import type { AuditTables } from "./audit-tables.ts";
import type { CommandTables } from "./command-tables.ts";
import type { DiscoveryTables } from "./discovery-tables.ts";
import type { EmailTables } from "./email-tables.ts";
import type { ExchangeTables } from "./exchange-tables.ts";
import type { GuardTables } from "./guard-tables.ts";
import type { LimitTables } from "./limit-tables.ts";
import type { LogDestinationTables } from "./log-destination-tables.ts";
import type { OAuthServerTables } from "./oauth-server-tables.ts";
import type { OAuthClientRow, OAuthFlowRow } from "./oauth-tables.ts";
import type { PluginTables } from "./plugin-tables.ts";
import type { RequestTables } from "./request-tables.ts";
import type { ServerTables } from "./server-tables.ts";
import type { SessionTables } from "./session-tables.ts";
import type { SignInTables } from "./sign-in-tables.ts";
import type { SkillTables } from "./skill-tables.ts";
import type { StoredResultTables } from "./stored-result-tables.ts";
import type { ToolkitTables } from "./toolkit-tables.ts";
import type { UserTables } from "./user-tables.ts";
import type { WebhookTables } from "./webhook-tables.ts";

export type { AuditRow } from "./audit-tables.ts";

/** The rows of every table of the main database. The drivers have already mapped booleans, JSON and 64-bit integers. */

/**
 * The kinds of records that the gateway follows. `publish/published-kinds.ts` has an entry for each. A `connection` is
 * identified by `connectionKey` instead of its id, so that a process that cached its absence is notified of a new one.
 */
export const CHANGE_KINDS = [
  "server",
  "group",
  "user",
  "credential",
  "connection",
  "settings",
  "session",
  "toolkit",
  "guard",
  "approval",
  "skill",
  "command",
] as const;
export type ChangeKind = (typeof CHANGE_KINDS)[number];

export interface MainTables
  extends ServerTables,
    UserTables,
    SignInTables,
    SessionTables,
    OAuthServerTables,
    LimitTables,
    RequestTables,
    ToolkitTables,
    GuardTables,
    ApprovalTables,
    AuditTables,
    StoredResultTables,
    SkillTables,
    CommandTables,
    PluginTables,
    AgentTables,
    DiscoveryTables,
    EmailTables,
    ExchangeTables,
    LogDestinationTables,
    WebhookTables {
  change_counter: { id: number; revision: number };
  changes: { revision: number; kind: ChangeKind; target_id: string };
  idempotency: {
    actor_id: string;
    key_hash: string;
    operation: string;
    request_hash: string;
    status: number;
    answer: string;
    created_at: number;
  };
  vault_keys: {
    purpose: string;
    version: number;
    wrapping_key_id: string;
    wrapped_key: string;
    created_at: number;
  };
  leases: { name: string; holder: string; expires_at: number };
  settings: { name: string; value: object; updated_at: number };
  oauth_clients: OAuthClientRow;
  oauth_flows: OAuthFlowRow;
  connect_links: { token_hash: string; user_id: string; server_id: string; expires_at: number };
}
