/**
 * The process of one local server as a pipe of lines. This is the only file that starts processes, and it starts only
 * those in the operator's file (GW-18).
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
  /** The prefix of its tool names before `__`, and the key of its record. */
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
  /** The part of our environment that every local server gets. */
  readonly environment: Readonly<Record<string, string>>;
  /** Of one line (GW-10). */
  readonly maxBytes: number;
}

/**
 * Leads the process group and ends it with SIGTERM, then SIGKILL, when our end of descriptor 3 closes, even if this
 * process was killed. When the server ends, its child processes end too. A shell is far cheaper than a Node process.
 */
const SUPERVISOR = `(trap "" TERM; cat; kill -TERM 0; sleep 2; kill -KILL 0) <&3 >/dev/null 2>&1 &
exec 4<&0
"$@" <&4 3<&- 4<&- &
server=$!
exec </dev/null >/dev/null 3<&- 4<&-
wait $server
echo "ended with status $?" >&2
kill -KILL 0`;
/** How long a server may take to exit after its input is closed. */
const EXIT_MS = 1000;
/** Later than the SIGKILL of the supervisor. */
const KILL_MS = 4000;
const MAX_WAITING_BYTES = 32 << 20;
/** Where the common libraries write the id of a response. */
const ID_FIRST = /^\s*\{\s*(?:"jsonrpc"\s*:\s*"2\.0"\s*,\s*)?"id"\s*:\s*(-?\d+)\s*[,}]/;
const ID_LAST = /,\s*"id"\s*:\s*(-?\d+)\s*(?:,\s*"jsonrpc"\s*:\s*"2\.0"\s*)?\}\s*$/;
const TOO_LARGE = new UpstreamFault("too-large", "sent a response that is too large");
const LF = 0x0a;
const CR = 0x0d;
const SPACE = 0x20;

export class LocalProcess implements Pipe {
  readonly diesOfSilence = false;
  /** Resolves when the process and its child processes are gone. */
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
    // The fourth pipe of `stdio` above; nothing is ever written to it.
    this.#lifeline = child.stdio[3] as Writable;
    for (const stream of [child.stdin, child.stdout, child.stderr, this.#lifeline]) stream.on("error", () => {});
    const log = new LoggedLines(clock, logger.child({ server: server.slug }));
    const messages = new LineReader(
      maxBytes,
      (line) => {
        if (line[0] === 0x7b) channel.received(line);
        else log.line("stdout", line);
      },
      (line) => {
        if (line.tail === undefined) log.line("stdout", Buffer.from("a line that is too long was skipped"));
        this.#failTooLong(line, channel);
      },
    );
    const errors = new LineReader(LoggedLines.MAX_LENGTH, (line) => log.line("stderr", line));
    child.stdout.on("data", (chunk: Buffer) => messages.push(chunk));
    child.stderr.on("data", (chunk: Buffer) => errors.push(chunk));
    this.gone = new Promise((resolve) => {
      const over = (cause?: Error) => {
        channel.ended(new UpstreamFault("unreachable", "exited before it responded", { cause }));
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
      done(new UpstreamFault("unreachable", "does not read its input", { nothingSent: true }));
      return () => {};
    }
    stdin.write(asLine(message), (error) => {
      done(error ? new UpstreamFault("unreachable", "exited before it responded", { cause: error }) : undefined);
    });
    return () => {};
  }

  setPaused(isPaused: boolean): void {
    if (isPaused) this.#child.stdout.pause();
    else this.#child.stdout.resume();
  }

  /** Closes its input, which asks the server to exit; then the supervisor ends it. */
  close(): void {
    if (this.#stopping) return;
    this.#stopping = true;
    this.#child.stdin.end();
    const terminate = this.#clock.after(EXIT_MS, () => this.#lifeline.destroy());
    const kill = this.#clock.after(KILL_MS, () => this.#kill());
    void this.gone.then(() => {
      terminate.cancel();
      kill.cancel();
      this.#lifeline.destroy();
    });
  }

  /** Fails the request that the line responds to. If that is unknown, all requests fail and the server is stopped. */
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
      // The process is already gone.
    }
  }
}

/** Replaces line breaks with spaces: in JSON text they occur only between tokens, where both mean the same. */
function asLine(message: Buffer): Buffer {
  const line = Buffer.allocUnsafe(message.length + 1);
  message.copy(line);
  for (let at = 0; at < message.length; at++) if (line[at] === LF || line[at] === CR) line[at] = SPACE;
  line[message.length] = LF;
  return line;
}
