/**
 * Sends texts to the process that has opened a mailbox: directly within a process, and through the database between
 * processes (decision 0048). Only for what is rare, because a text to another process needs up to half a second.
 */
import type { Clock } from "#lib/clock";
import type { Logger } from "#lib/logger";
import type { MailRecords, Replicas } from "../session-ports.ts";

export interface ReplicaMailboxesNeeds {
  readonly records: MailRecords;
  /** Undefined if there are no other processes. */
  readonly replicas: Replicas | undefined;
  readonly newId: () => string;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** The texts of one sender to one mailbox arrive in their order. */
export interface MailSender {
  /** Resolves to false if the text could not be stored. */
  send(text: string): Promise<boolean>;
}

type Receive = (text: string) => void;

interface Mailbox {
  readonly receive: Receive;
  /** By sender at another process. */
  readonly arriving: Map<string, Arriving>;
  /** Whether anything was stored for it. */
  hasRows: boolean;
}

interface Arriving {
  next: number;
  readonly pieces: Map<number, Piece>;
  text: string;
}

/** A row: a large text has several. After `done`, the sender sends nothing more. */
type Piece = [sender: string, number: number, end: "more" | "text" | "done", text: string];

const PIECE_LENGTH = 512 * 1024;
/** A response must survive a short outage of the database, because the call is not repeated. */
const MAX_ATTEMPTS = 30;
const RETRY_MS = 1_000;

export class ReplicaMailboxes {
  readonly #needs: ReplicaMailboxesNeeds;
  readonly #mailboxes = new Map<string, Mailbox>();

  constructor(needs: ReplicaMailboxesNeeds) {
    this.#needs = needs;
  }

  /** Until the returned function is called. */
  open(id: string, receive: Receive): () => void {
    this.#mailboxes.set(id, { receive, arriving: new Map(), hasRows: false });
    return () => this.#close(id);
  }

  #close(id: string): void {
    const { records, logger } = this.#needs;
    const mailbox = this.#mailboxes.get(id);
    this.#mailboxes.delete(id);
    if (!mailbox?.hasRows) return;
    records.dropMail(id).catch((error: unknown) => {
      logger.warn({ err: error }, "messages of another process could not be deleted");
    });
  }

  /** To the mailbox with this id, at whichever process it is open. */
  sender(id: string): MailSender {
    const sender = this.#needs.newId();
    let sent = 0;
    let last: Promise<boolean> = Promise.resolve(true);
    return {
      send: (text) => {
        const delivered = this.#deliver(id, text);
        if (delivered !== undefined) return Promise.resolve(delivered);
        const pieces = piecesOf(sender, sent, text, "text");
        sent += pieces.length;
        last = last.then((stored) => stored && this.#store(id, pieces, MAX_ATTEMPTS));
        return last;
      },
    };
  }

  /** Like a sender for a single text. */
  async sendOnce(id: string, text: string): Promise<boolean> {
    return this.#deliver(id, text) ?? this.#store(id, piecesOf(this.#needs.newId(), 0, text, "done"), 1);
  }

  /** Undefined if the text must be stored, because the mailbox may be open at another process. */
  #deliver(id: string, text: string): boolean | undefined {
    const local = this.#mailboxes.get(id);
    local?.receive(text);
    if (local) return true;
    return this.#needs.replicas?.others() ? undefined : false;
  }

  /** Rows of these mailboxes may have been stored. */
  async changed(ids: Iterable<string>): Promise<void> {
    const here = [...ids].filter((id) => this.#mailboxes.has(id));
    if (here.length === 0) return;
    try {
      for (const { mailbox, text } of await this.#needs.records.takeMail(here)) {
        const found = this.#mailboxes.get(mailbox);
        if (!found) continue;
        found.hasRows = true;
        receivePiece(found, JSON.parse(text) as Piece); // only senders store rows
      }
    } catch (error) {
      this.#needs.logger.warn({ err: error }, "messages of another process could not be taken");
    }
  }

  async #store(id: string, pieces: readonly Piece[], attempts: number): Promise<boolean> {
    for (const piece of pieces) if (!(await this.#storePiece(id, piece, attempts))) return false;
    return true;
  }

  /** A row that is stored twice is the same piece. */
  async #storePiece(id: string, piece: Piece, attempts: number): Promise<boolean> {
    const { records, clock, logger } = this.#needs;
    for (let attempt = 1; attempt <= attempts; attempt++) {
      try {
        await records.sendMail(id, JSON.stringify(piece));
        return true;
      } catch (error) {
        logger.warn({ err: error, attempt }, "a message could not be passed to another process");
        if (attempt < attempts) await new Promise<void>((resolve) => clock.after(RETRY_MS, resolve));
      }
    }
    return false;
  }
}

function piecesOf(sender: string, first: number, text: string, end: "text" | "done"): Piece[] {
  const pieces: Piece[] = [];
  for (let at = 0; at === 0 || at < text.length; at += PIECE_LENGTH) {
    const isLast = at + PIECE_LENGTH >= text.length;
    pieces.push([sender, first + pieces.length, isLast ? end : "more", text.slice(at, at + PIECE_LENGTH)]);
  }
  return pieces;
}

/** Rows of one millisecond may be read in any order. */
function receivePiece({ receive, arriving }: Mailbox, piece: Piece): void {
  const [sender, number] = piece;
  const from = arriving.get(sender) ?? { next: 0, pieces: new Map(), text: "" };
  arriving.set(sender, from);
  if (number >= from.next) from.pieces.set(number, piece);
  for (let next = from.pieces.get(from.next); next; next = from.pieces.get(from.next)) {
    const [, , end, text] = next;
    from.pieces.delete(from.next++);
    from.text += text;
    if (end === "more") continue;
    if (end === "done") arriving.delete(sender);
    const complete = from.text;
    from.text = "";
    receive(complete);
  }
}
