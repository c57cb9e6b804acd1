import { type ConnectionEnds, deleteConnection } from "#records/connections";
import type { McpServerRow } from "#storage/server-tables";
import { type WriteAuthor, writeAndPublish } from "#storage/transaction";
import type { ConnectionRow } from "#storage/user-tables";
import { type GivenKey, type KeyOutcome, keepApiKey } from "./api-key.ts";
import { beginFlow, type Flow } from "./authorize.ts";
import { type Again, type Answered, type Finished, finishFlow } from "./callback.ts";
import { grantToMachine, type MachineGrant } from "./machine-grant.ts";
import type { ConnectNeeds } from "./needs.ts";
import { type Prepared, prepare } from "./prepare.ts";
import { renew } from "./renew.ts";
import { revoke } from "./revoke.ts";

export type { KeyOutcome } from "./api-key.ts";
export type { Connected } from "./callback.ts";
export { changeClientCredentials } from "./change-client-credentials.ts";
export { clientDocument, NO_CLIENT, sharedClientDocument } from "./client.ts";
export { connectsAutomatically, openClientCredentials, sealClientCredentials } from "./client-credentials.ts";
export { ConnectRefused, DiscoveryFailed, type Step } from "./fault.ts";
export { type ConnectNeeds, type FailedTrial, rejectedKey, type Trial } from "./needs.ts";
export type { Prepared } from "./prepare.ts";
export type { ConnectionTrial } from "./try-connection.ts";

/** The public interface of this folder: connections of users to MCP servers (Spec 4.6). */
export interface Connect {
  /** Discovers the OAuth settings of a server for an admin. Throws `DiscoveryFailed`. */
  discover(server: McpServerRow, author: WriteAuthor, registerAgain?: boolean): Promise<Prepared>;
  /** Returns the URL at which the user signs in. Throws `DiscoveryFailed`. */
  begin(flow: Flow, author: WriteAuthor): Promise<string>;
  /** Handles the callback. Throws `ConnectRefused`. */
  finish(answered: Answered): Promise<Finished | Again>;
  /** Tries a user's API key for a server, and stores it. */
  keepKey(given: GivenKey, author: WriteAuthor): Promise<KeyOutcome>;
  /** Deletes a user's connection and revokes its tokens. Succeeds if there is none. */
  disconnect(ends: ConnectionEnds, author: WriteAuthor): Promise<void>;
  /** Stores a new token, or marks that the user must reconnect. Rejects if the outcome is unknown. */
  renew(connection: ConnectionRow): Promise<void>;
  /** D24: connects a machine user with its client credentials. Rejects if the outcome is unknown. */
  grant(userId: string, serverId: string): Promise<MachineGrant>;
  /** Revokes the tokens of a deleted connection at the authorization server. */
  revoke(connection: ConnectionRow): Promise<void>;
  /** Like `revoke`, in the background. */
  revokeSoon(connection: ConnectionRow): void;
}

export function createConnect(needs: ConnectNeeds): Connect {
  const revokeSoon = (connection: ConnectionRow) => {
    revoke(needs, connection).catch((error: unknown) =>
      needs.logger.warn({ err: error }, "tokens could not be revoked"),
    );
  };
  return {
    discover: (server, author, registerAgain = false) =>
      prepare(needs, server, author, registerAgain ? "admin-again" : "admin"),
    begin: (flow, author) => beginFlow(needs, flow, author),
    finish: (answered) => finishFlow(needs, answered),
    keepKey: (given, author) => keepApiKey(needs, given, author),
    renew: (connection) => renew(needs, connection),
    grant: (userId, serverId) => grantToMachine(needs, userId, serverId),
    revoke: (connection) => revoke(needs, connection),
    revokeSoon,
    async disconnect(ends, author) {
      const deleted = await writeAndPublish(needs, author, (tx, trail) =>
        deleteConnection(tx, trail, ends, "disconnect"),
      );
      if (deleted) revokeSoon(deleted);
    },
  };
}
