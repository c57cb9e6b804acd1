/**
 * The process of one local server, as a pipe of lines: the stdio transport. The only file of the service that starts
 * processes, and only those that the operator's own file names (GW-18).
 */
import { type ChildProcessByStdio, spawn } from "node:child_process";
import type { Readable, Writable } from "node:stream";
import type { Clock } from "#lib/clock";
import type { Logger } from "#lib/logger";
import { UpstreamFault } from "../failure.ts";
import type { Channel, Pipe } from "./channel.ts";
import { LineReader, type LongLine } from "./line-reader.ts";
import { LoggedLines } from "./logged-lines.ts";

export interface LocalServer {
  /** The part of its tools' names before `__`, and how its record is found. */
  readonly slug: string;
  readonly name: string;
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string | undefined;
}

export interface LocalProcessOptions {
  readonly clock: Clock;
  readonly logger: Logger;
  /** What every local server gets of our environment. */
  readonly environment: Readonly<Record<string, string>>;
  /** Of one line (GW-10). */
  readonly maxBytes: number;
}

/**
 * Leads the process group, and ends it when our end of descriptor 3 closes, however we ended: SIGTERM, then SIGKILL. When
 * the server ends, what it started ends too. A shell, because it costs a hundredth of a second process of ours.
 */
const SUPERVISOR = `(trap "" TERM; cat; kill -TERM 0; sleep 2; kill -KILL 0) <&3 >/dev/null 2>&1 &
exec 4<&0
"$@" <&4 3<&- 4<&- &
server=$!
exec </dev/null >/dev/null 3<&- 4<&-
wait $server
echo "ended with status $?" >&2
kill -KILL 0`;
/** How long a server may take to end by itself once its input is closed. */
const ENDS_ITSELF_MS = 1000;
/** After the supervisor's own SIGKILL. */
const KILL_MS = 4000;
const MAX_WAITING_BYTES = 32 << 20;
/** Where the libraries of the field write the id of an answer. */
const ID_FIRST = /^\s*\{\s*(?:"jsonrpc"\s*:\s*"2\.0"\s*,\s*)?"id"\s*:\s*(-?\d+)\s*[,}]/;
const ID_LAST = /,\s*"id"\s*:\s*(-?\d+)\s*(?:,\s*"jsonrpc"\s*:\s*"2\.0"\s*)?\}\s*$/;
const TOO_LARGE = new UpstreamFault("too-large", "sent an answer that is too large");
const LF = 0x0a;
const CR = 0x0d;
const SPACE = 0x20;

export class LocalProcess implements Pipe {
  readonly diesOfSilence = false;
  /** Resolves when the process and what it started are gone. */
  readonly gone: Promise<void>;
  readonly #child: ChildProcessByStdio<Writable, Readable, Readable>;
  readonly #lifeline: Writable;
  readonly #clock: Clock;
  #stopping = false;

  constructor(server: LocalServer, channel: Channel, { clock, logger, environment, maxBytes }: LocalProcessOptions) {
    this.#clock = clock;
    const child = spawn("/bin/sh", ["-c", SUPERVISOR, "sh", server.command, ...server.args], {
      cwd: server.cwd,
      env: { ...environment, ...server.env },
      stdio: ["pipe", "pipe", "pipe", "pipe"],
      detached: true,
    });
    this.#child = child;
    // The fourth of the pipes asked for above: we write to it, though never anything.
    this.#lifeline = child.stdio[3] as Writable;
    for (const stream of [child.stdin, child.stdout, child.stderr, this.#lifeline]) stream.on("error", () => {});
    const told = new LoggedLines(clock, logger.child({ server: server.slug }));
    const answers = new LineReader(
      maxBytes,
      (line) => {
        if (line[0] === 0x7b) channel.received(line);
        else told.line("stdout", line);
      },
      (line) => {
        if (line.tail === undefined) told.line("stdout", Buffer.from("a line that is too long was left out"));
        this.#failTooLong(line, channel);
      },
    );
    const words = new LineReader(LoggedLines.LONGEST, (line) => told.line("stderr", line));
    child.stdout.on("data", (chunk: Buffer) => answers.push(chunk));
    child.stderr.on("data", (chunk: Buffer) => words.push(chunk));
    this.gone = new Promise((resolve) => {
      const over = (cause?: Error) => {
        channel.ended(new UpstreamFault("unreachable", "ended before it answered", { cause }));
        resolve();
      };
      child.on("error", over);
      child.on("close", () => over());
    });
  }

  get pid(): number | undefined {
    return this.#child.pid;
  }

  send(message: Buffer, done: (fault: UpstreamFault | undefined) => void): () => void {
    const { stdin } = this.#child;
    if (stdin.writableLength > MAX_WAITING_BYTES) {
      done(new UpstreamFault("unreachable", "does not read what it is sent", { nothingSent: true }));
      return () => {};
    }
    stdin.write(asLine(message), (error) => {
      done(error ? new UpstreamFault("unreachable", "ended before it answered", { cause: error }) : undefined);
    });
    return () => {};
  }

  /** Its input ends first, which is how a server is asked to end; then the supervisor sees to it. */
  close(): void {
    if (this.#stopping) return;
    this.#stopping = true;
    this.#child.stdin.end();
    const ask = this.#clock.after(ENDS_ITSELF_MS, () => this.#lifeline.destroy());
    const kill = this.#clock.after(KILL_MS, () => this.#kill());
    void this.gone.then(() => {
      ask.cancel();
      kill.cancel();
      this.#lifeline.destroy();
    });
  }

  /** Whoever waits for that answer hears so at once; when nobody can tell who that is, all hear it, and the server ends. */
  #failTooLong({ head, tail, endless }: LongLine, channel: Channel): void {
    const [, id] = ID_FIRST.exec(head.toString("latin1")) ?? ID_LAST.exec(tail?.toString("latin1") ?? "") ?? [];
    if (id !== undefined && !endless) channel.failed(id, TOO_LARGE);
    else if (tail !== undefined) {
      channel.ended(TOO_LARGE);
      this.close();
    }
  }

  #kill(): void {
    try {
      if (this.#child.pid !== undefined) process.kill(-this.#child.pid, "SIGKILL");
    } catch {
      // It is gone.
    }
  }
}

/** A line break can only stand between the tokens of a JSON text, where a space means the same. */
function asLine(message: Buffer): Buffer {
  const line = Buffer.allocUnsafe(message.length + 1);
  message.copy(line);
  for (let at = 0; at < message.length; at++) if (line[at] === LF || line[at] === CR) line[at] = SPACE;
  line[message.length] = LF;
  return line;
}
