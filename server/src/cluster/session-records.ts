/** Stores the MCP sessions that the gateway shares with other processes. */
import type { MailRecords, ReplicaMessage, SessionRecords, SessionSeal } from "#gateway/session-ports";
import {
  deleteMailbox,
  deleteMcpSubscription,
  deleteReplicaMessage,
  endMcpSession,
  handOverMcpSubscription,
  insertMcpSubscription,
  insertReplicaMessages,
  mcpSubscriptionsOf,
  rememberMcpSession,
  sessionsWithReplicaMessages,
  setMcpLogLevel,
  takeCancelledCalls,
  takeMail,
  takeMcpSubscription,
  takeReplicaMessages,
  touchMcpSubscriptions,
  trimMcpSessions,
  trimMcpSubscriptions,
} from "#records/mcp-sessions";
import { type WriteContext, writeTransaction } from "#storage/transaction";
import type { Vault } from "#storage/vault";

const GATEWAY = { actor: { kind: "system", id: "gateway", name: "gateway" }, requestId: "gateway" } as const;

/** After this many writes, a process deletes surplus rows, because callers can create any number of sessions. */
const TRIMMED_EVERY = 1_000;

type Write = (work: Parameters<typeof writeTransaction<void>>[2]) => Promise<void>;

/** Shares session events with all processes. `processId` identifies this process. */
export function createSessionRecords(context: WriteContext, vault: Vault, processId: string): SessionRecords {
  const { clock, db, newId } = context;
  const seal = presentedSeal(vault, "passed-messages");
  let writes = 0;
  const write: Write = async (work) => {
    await writeTransaction(context, GATEWAY, work);
    if (++writes % TRIMMED_EVERY !== 0) return;
    await trimMcpSessions(db);
    await trimMcpSubscriptions(db);
  };
  return {
    async ended(id) {
      await write((tx, trail) => endMcpSession(tx, trail, id, clock.now()));
    },
    async setLogLevel(id, level, at) {
      await write((tx, trail) => setMcpLogLevel(tx, trail, id, level, at));
    },
    async subscribed(id, { serverId, uri, asked }) {
      const row = { mcp_session_id: id, server_id: serverId, uri, asked_uri: asked, held_by: processId };
      await write((tx, trail) => insertMcpSubscription(tx, trail, row, clock.now()));
    },
    async unsubscribed(id, { serverId, uri }) {
      const place = { mcp_session_id: id, server_id: serverId, uri };
      await write((tx, trail) => deleteMcpSubscription(tx, trail, place, clock.now()));
    },
    async subscriptionsOf(id) {
      const rows = await mcpSubscriptionsOf(db, id);
      return rows.map(({ server_id: serverId, uri, asked_uri: asked, held_by: holder, handed_over: handedOver }) => ({
        serverId,
        uri,
        asked,
        handedOver: handedOver ?? undefined,
        heldBy: holder === null || holder === processId ? undefined : holder,
      }));
    },
    async tookOver(id, { serverId, uri }) {
      const place = { mcp_session_id: id, server_id: serverId, uri };
      await write((tx, trail) => takeMcpSubscription(tx, trail, place, processId, clock.now()));
    },
    async handedOver(id, { serverId, uri }, word) {
      const place = { mcp_session_id: id, server_id: serverId, uri };
      await write((tx, trail) => handOverMcpSubscription(tx, trail, place, { by: processId, word }, clock.now()));
    },
    async pass(sessionId, to, messages) {
      const id = newId("msg");
      const row = {
        id,
        mcp_session_id: sessionId,
        kind: to.kind,
        call_id: "callId" in to ? to.callId : null,
        messages: seal.seal(JSON.stringify(messages)),
        created_at: clock.now(),
      };
      await write((tx, trail) => insertReplicaMessages(tx, trail, row));
      return id;
    },
    ...createMailRecords(context, seal, write),
    waiting: (sessionIds) => sessionsWithReplicaMessages(db, sessionIds),
    async take(sessionId, taker) {
      const taken = await takeReplicaMessages(db, sessionId, taker);
      // Only `pass` can have sealed these.
      return taken.flatMap((sealed) => JSON.parse(seal.open(sealed) ?? "[]") as ReplicaMessage[]);
    },
    takeCancelled: (sessionId, rawIds) => takeCancelledCalls(db, sessionId, rawIds),
    takeBack: (id) => deleteReplicaMessage(db, id),
    async announce(id) {
      await write((tx, trail) => rememberMcpSession(tx, trail, id, clock.now()));
    },
    touchSubscriptions: (ids) => touchMcpSubscriptions(db, ids, clock.now()),
  };
}

/** Texts between processes, sealed. */
function createMailRecords({ clock, db, newId }: WriteContext, seal: SessionSeal, write: Write): MailRecords {
  return {
    async sendMail(mailbox, text) {
      const [id, created_at] = [newId("msg"), clock.now()];
      const row = { id, mcp_session_id: mailbox, call_id: null, messages: seal.seal(text), created_at };
      await write((tx, trail) => insertReplicaMessages(tx, trail, { ...row, kind: "mail" }));
    },
    async takeMail(mailboxes) {
      const taken = await takeMail(db, mailboxes);
      // Only `sendMail` can have sealed these.
      return taken.map(({ mcp_session_id: mailbox, messages }) => ({ mailbox, text: seal.open(messages) ?? "" }));
    },
    dropMail: (mailbox) => deleteMailbox(db, mailbox),
  };
}

type PresentedColumn = "mcp-session-id" | "question-id" | "request-state" | "passed-messages";

/** Seals values that are not stored in a table, or only for seconds: clients keep and present them. */
export function presentedSeal(vault: Vault, column: PresentedColumn): SessionSeal {
  const place = { table: "", row: "", column };
  return {
    seal: (text) => vault.seal("mcp-session", place, text),
    open: (sealed) => vault.openPresented("mcp-session", place, sealed),
  };
}
