import { readFile } from "node:fs/promises";
import { text as readAll } from "node:stream/consumers";
import { createClient, openDownload } from "#openapi/client";
import { COMMANDS } from "./commands.ts";
import { confirm, type Prompt } from "./confirm.ts";
import { badUsage, EXIT, type ExitCode, failureOf } from "./failure.ts";
import { inCliWords } from "./field-names.ts";
import { Gateway, type Send } from "./gateway.ts";
import { nounHelp, verbHelp } from "./help.ts";
import { didYouMean } from "./nearest.ts";
import { Output, type Streams } from "./output.ts";
import { COMMON, nameWords, readArguments } from "./read-arguments.ts";
import { resolveVerb } from "./resolve-name.ts";
import { Settings } from "./settings.ts";
import { oneLine } from "./terminal-text.ts";
import type { Call, Command, Values, Verb } from "./verb.ts";
import { watchOutput } from "./watch-output.ts";

const TIMEOUT_SECONDS = 30;

type Terminal = Streams & Prompt;

/** Runs one command and sets `process.exitCode`. */
export async function runClient([name = "", ...argv]: readonly string[], terminal: Terminal = process): Promise<void> {
  // `gatehouse logs --follow | head` must end.
  watchOutput(terminal, () => process.exit(EXIT.ok));
  const command = await COMMANDS[name]?.load();
  if (!command) throw new Error(`bin/gatehouse.mjs passed "${name}", which is not a command`);
  process.exitCode = await run(`gatehouse ${name}`, command, argv, terminal);
}

async function run(path: string, command: Command, argv: readonly string[], terminal: Terminal): Promise<ExitCode> {
  const help = requestedHelp(path, command, argv);
  if (help !== undefined) {
    terminal.stdout.write(`${help}\n`);
    return EXIT.ok;
  }
  let url = "";
  let fullPath = path;
  let verb: Verb | undefined;
  try {
    const { name, rest, ...chosen } = chosenVerb(command, argv);
    verb = chosen.verb;
    fullPath = [path, ...name].join(" ");
    const { words, values } = readArguments(rest, { ...COMMON, ...verb.options });
    // Each value was validated against the declarations of COMMON.
    const common = values as Values<typeof COMMON>;
    const settings = new Settings(common.url);
    url = settings.url;
    const environment = environmentFor(settings, terminal, common, verb.timeoutSeconds);
    const confirmed = (question: string) => (values.yes ? Promise.resolve() : confirm(terminal, question));
    await verb.run({ ...nameWords(verb, words), ...environment, options: values, confirm: confirmed });
    return EXIT.ok;
  } catch (error) {
    const failure = failureOf(error, url, (message) => (verb ? inCliWords(message, verb) : message));
    if (!failure) throw error;
    if (failure.message !== "") terminal.stderr.write(`gatehouse: ${oneLine(failure.message)}\n`);
    if (failure.exitCode === EXIT.usage) terminal.stderr.write(`Run "${fullPath} --help" for usage.\n`);
    return failure.exitCode;
  }
}

function requestedHelp(path: string, command: Command, argv: readonly string[]): string | undefined {
  const end = argv.indexOf("--");
  const beforeEnd = argv.slice(0, end < 0 ? undefined : end);
  if (!beforeEnd.some((word) => word === "--help" || word === "-h")) return undefined;
  if (!("verbs" in command)) return verbHelp(path, command);
  const name = resolveVerb(beforeEnd[0] ?? "", command.verbs) ?? "";
  const verb = command.verbs[name];
  return verb ? verbHelp(`${path} ${name}`, verb) : nounHelp(path, command);
}

interface Chosen {
  /** Empty for a command without verbs, and for the default verb. */
  readonly name: readonly string[];
  readonly verb: Verb;
  readonly rest: readonly string[];
}

function chosenVerb(command: Command, argv: readonly string[]): Chosen {
  if (!("verbs" in command)) return { name: [], verb: command, rest: argv };
  const [name, ...rest] = argv;
  if (command.default && (name === undefined || name.startsWith("-"))) {
    return { name: [], verb: command.default, rest: argv };
  }
  const known = Object.keys(command.verbs);
  if (name === undefined || name.startsWith("-")) throw badUsage(`Missing verb: ${known.join(", ")}`);
  const resolved = resolveVerb(name, command.verbs) ?? "";
  const verb = command.verbs[resolved];
  if (!verb) throw badUsage(`Unknown verb "${name}"${didYouMean(name, known)}`);
  return { name: [resolved], verb, rest };
}

function environmentFor(
  settings: Settings,
  terminal: Terminal,
  { output, timeout }: Values<typeof COMMON>,
  timeoutSeconds = TIMEOUT_SECONDS,
): Pick<Call, "url" | "out" | "api" | "download" | "gateway" | "readText" | "readBytes" | "now" | "variable"> {
  const { url } = settings;
  const ms = (timeout ?? timeoutSeconds) * 1000;
  const send: Send = (to, init) => fetch(to, { ...init, signal: AbortSignal.timeout(ms) });
  const client = () => ({
    baseUrl: url,
    token: settings.apiToken(),
    fetch: (to: string | URL | Request, init?: RequestInit) => send(String(to), init ?? {}),
  });
  return {
    url,
    out: new Output(terminal, output === "json"),
    api: () => createClient(client()),
    download: (id, request) => openDownload(client(), id, request),
    gateway: () => new Gateway(url, settings.accessKey(), send),
    readText: (file) => (file === "-" ? readAll(terminal.stdin) : readNamed(file)),
    readBytes: (file) => readNamedBytes(file),
    now: Date.now,
    variable: (name) => settings.variable(name),
  };
}

async function readNamed(file: string): Promise<string> {
  return (await readNamedBytes(file)).toString("utf8");
}

async function readNamedBytes(file: string): Promise<Buffer> {
  try {
    return await readFile(file);
  } catch {
    throw badUsage(`Cannot read ${file}`);
  }
}
