import type { MainDb, MainTransaction } from "#storage/database";
import { idList } from "#storage/id-list";
import type { ReplicaMessagesRow } from "#storage/session-tables";
import type { WriteTrail } from "#storage/transaction";
import { rememberMcpSession } from "./store.ts";

/** What a process can handle for a session. */
export interface ReplicaMessagesTaker {
  readonly canAsk: boolean;
  readonly hasStream: boolean;
  readonly callIds: readonly string[];
}

/** Much longer than any process waits for them. */
const KEPT_MS = 60_000;

/** Stores messages and notifies every process. Also deletes messages that no process took. */
export async function insertReplicaMessages(
  tx: MainTransaction,
  trail: WriteTrail,
  row: ReplicaMessagesRow,
): Promise<void> {
  await deleteReplicaMessagesBefore(tx, row.created_at - KEPT_MS);
  await tx.insertInto("passed_messages").values(row).execute();
  await rememberMcpSession(tx, trail, row.mcp_session_id, row.created_at);
}

/** The sessions that have messages. */
export async function sessionsWithReplicaMessages(db: MainDb, mcpSessionIds: readonly string[]): Promise<string[]> {
  const rows = await db
    .selectFrom("passed_messages")
    .select("mcp_session_id")
    .distinct()
    .where("mcp_session_id", "in", idList(db, mcpSessionIds))
    .execute();
  return rows.map(({ mcp_session_id }) => mcp_session_id);
}

/** Gives each message to only one process, oldest first. */
export async function takeReplicaMessages(
  db: MainDb,
  mcpSessionId: string,
  { canAsk, hasStream, callIds }: ReplicaMessagesTaker,
): Promise<string[]> {
  const taken = await db
    .deleteFrom("passed_messages")
    .where("mcp_session_id", "=", mcpSessionId)
    .where((where) =>
      where.or([
        ...(canAsk ? [where("kind", "=", "question")] : []),
        ...(hasStream ? [where("kind", "=", "stream")] : []),
        where.and([where("kind", "=", "call"), where("call_id", "in", idList(db, callIds))]),
      ]),
    )
    .returning(["id", "messages"])
    .execute();
  return taken.sort((one, other) => (one.id < other.id ? -1 : 1)).map(({ messages }) => messages);
}

/** The cancelled calls among these calls of the session; each is returned once. */
export async function takeCancelledCalls(
  db: MainDb,
  mcpSessionId: string,
  rawIds: readonly string[],
): Promise<string[]> {
  const taken = await db
    .deleteFrom("passed_messages")
    .where("mcp_session_id", "=", mcpSessionId)
    .where("kind", "=", "cancel")
    .where("call_id", "in", idList(db, rawIds))
    .returning("call_id")
    .execute();
  return taken.flatMap(({ call_id }) => call_id ?? []);
}

/** Gives each text to only one process, oldest first. */
export async function takeMail(
  db: MainDb,
  mailboxes: readonly string[],
): Promise<Pick<ReplicaMessagesRow, "mcp_session_id" | "messages">[]> {
  const taken = await db
    .deleteFrom("passed_messages")
    .where("mcp_session_id", "in", idList(db, mailboxes))
    .where("kind", "=", "mail")
    .returning(["id", "mcp_session_id", "messages"])
    .execute();
  return taken.sort((one, other) => (one.id < other.id ? -1 : 1));
}

/** Also the row that announces its texts, which would otherwise stay for as long as those of sessions. */
export async function deleteMailbox(db: MainDb, mailbox: string): Promise<void> {
  await db.deleteFrom("passed_messages").where("mcp_session_id", "=", mailbox).execute();
  await db.deleteFrom("mcp_sessions").where("id", "=", mailbox).execute();
}

/** Returns whether it still existed. */
export async function deleteReplicaMessage(db: MainDb, id: string): Promise<boolean> {
  const deleted = await db.deleteFrom("passed_messages").where("id", "=", id).returning("id").executeTakeFirst();
  return deleted !== undefined;
}

export async function deleteReplicaMessagesBefore(db: MainDb | MainTransaction, before: number): Promise<void> {
  await db.deleteFrom("passed_messages").where("created_at", "<", before).execute();
}
