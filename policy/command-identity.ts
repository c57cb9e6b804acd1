/** What a command line runs: a package, an image, a script or a program. */
import { fromInitializer } from "./initializers.ts";
import { fromDocker, fromNpx, fromPipx, fromUvx, installedWith, NPX, PIPX, readUv } from "./package-runners.ts";
import { type CommandIdentity, npmPackage, pypiPackage, type ReadCommand } from "./package-spec.ts";
import { type Options, positional } from "./positional.ts";
import { matchesOption } from "./powershell-option.ts";
import { programName } from "./program-name.ts";
import { normalizeUrl } from "./urls.ts";
import { isWrapper, unwrapOnce } from "./wrappers.ts";

const RUNTIME: Options = {
  values: [
    "-r",
    "--require",
    "--import",
    "--loader",
    "--experimental-loader",
    "--env-file",
    "--conditions",
    "-C",
    "--title",
    "-W",
    "-X",
    "--config",
    "-c",
    "--import-map",
    "--cwd",
    "--tsconfig",
    "--project",
  ],
};
/** Without `cmd`, because `cmd /c npx` is how Windows starts every script. */
const SHELLS = new Set(["sh", "bash", "zsh", "dash", "fish", "ksh", "powershell", "pwsh"]);
const RUNTIMES = new Set(["node", "bun", "tsx", "ts-node", "ruby", "php", "perl", "java"]);

/** As many wrappers as a report has arguments. */
const MAX_DEPTH = 256;

type Read = (args: readonly string[]) => ReadCommand | undefined;

/** A command line without its wrappers. */
export interface ResolvedCommand extends ReadCommand {
  readonly main: CommandIdentity;
  /** What the command line starts, beginning with the first wrapper. */
  readonly programs: readonly string[];
  readonly args: readonly string[];
  /** It starts other commands, but it is not known which. */
  readonly isUnknown: boolean;
  /** Programs at a relative path, which a project can contain. */
  readonly relative: readonly string[];
}

/** A map, because the name of a program can be that of a property of every object. */
const RUNNERS: ReadonlyMap<string, Read> = new Map(
  Object.entries<Read>({
    npx: fromNpx,
    pnpx: fromNpx,
    bunx: fromNpx,
    npm: (args) =>
      afterWord(args, ["exec", "x"], NPX, fromNpx) ??
      afterWord(args, ["init", "innit", "create"], NPX, fromInitializer),
    pnpm: (args) =>
      afterWord(args, ["dlx", "exec"], NPX, fromNpx) ??
      afterWord(args, ["create"], NPX, (rest) => fromInitializer(rest, { keepsPrefix: true })),
    yarn: (args) => afterWord(args, ["dlx"], NPX, fromNpx) ?? afterWord(args, ["create"], NPX, fromInitializer),
    bun: (args) => afterWord(args, ["x"], NPX, fromNpx) ?? afterWord(args, ["create", "c"], NPX, fromInitializer),
    uvx: fromUvx,
    uv: fromUv,
    pipx: (args) => afterWord(args, ["run"], PIPX, fromPipx),
    docker: fromDocker,
    podman: fromDocker,
    nerdctl: fromDocker,
    finch: fromDocker,
    deno: fromDeno,
  }),
);

/** `command` and `args` as a client would start them. Wrappers such as `cmd /c` and `env` are skipped. */
export function resolveCommand(command: string, args: readonly string[]): ResolvedCommand {
  const { line, programs, relative } = unwrap(splitCommand(command, args));
  const program = programs.at(-1) ?? "";
  const rest = line.slice(1);
  const read = RUNNERS.get(program)?.(rest) ?? (isRuntime(program) ? fromRuntime(program, rest) : {});
  const main = read.main ?? { identity: `bin:${program}`, package: { type: "binary", name: program } };
  const isUnknown = read.main === undefined && startsCommands(program);
  return { ...read, main, programs, args: rest, isUnknown, relative };
}

/**
 * Some clients accept the entire command line as the command, also with further arguments. A path can contain spaces, so it
 * is kept unless its first word is a program that starts commands.
 */
export function splitCommand(command: string, args: readonly string[]): readonly string[] {
  const words = command.trim().split(/\s+/);
  const isPath = /[/\\]/.test(words[0] ?? "");
  if ((args.length > 0 || isPath) && !startsCommands(programName(words[0] ?? ""))) return [command.trim(), ...args];
  return [...words, ...args];
}

export function startsCommands(program: string): boolean {
  return RUNNERS.has(program) || isRuntime(program) || isShell(program) || isWrapper(program);
}

/** An option of a shell that is followed by a script. */
export function isScriptOption(option: string): boolean {
  return /^-[a-z]*c$/i.test(option) || matchesOption(option, ["command", "encodedcommand", "ec"]);
}

export function isShell(program: string): boolean {
  return SHELLS.has(program);
}

function isRuntime(program: string): boolean {
  return RUNTIMES.has(program) || isPython(program);
}

function isPython(program: string): boolean {
  return /^(?:py|pythonw?|python\d(?:\.\d+)?)$/.test(program);
}

function unwrap(line: readonly string[]) {
  const programs: string[] = [];
  const relative: string[] = [];
  let rest = line;
  for (let depth = 0; depth <= MAX_DEPTH; depth++) {
    const program = programName(rest[0] ?? "");
    programs.push(program);
    if (isRelative(rest[0] ?? "")) relative.push(program);
    const next = depth === MAX_DEPTH ? undefined : unwrapOnce(program, rest.slice(1), splitCommand);
    if (next === undefined) break;
    rest = splitCommand(next[0] ?? "", next.slice(1));
  }
  return { line: rest, programs, relative };
}

/** Not absolute, below the home folder, or below the folder in a variable. */
function isRelative(command: string): boolean {
  return /[/\\]/.test(command) && !/^(?:[/\\~$%{<]|[A-Za-z]:)/.test(command.trim());
}

/** Options before the word count as those after it. */
function afterWord(args: readonly string[], words: readonly string[], options: Options, read: Read) {
  const { first, at } = positional(args, options);
  return words.includes(first ?? "") ? read([...args.slice(0, at), ...args.slice(at + 1)]) : undefined;
}

/** `uv tool run`, and `uv run` of a script or a program. */
function fromUv(args: readonly string[]): ReadCommand | undefined {
  const outer = readUv(args);
  const rest = args.slice(outer.at + 1);
  const before = args.slice(0, Math.max(0, outer.at));
  if (outer.first === "tool" && rest[0] === "run") return fromUvx([...before, ...rest.slice(1)]);
  if (outer.first !== "run") return undefined;
  const inner = readUv([...before, ...rest]);
  const also = installedWith(inner);
  if (inner.first === undefined || inner.isAmbiguous) return { also };
  const program = programName(inner.first);
  if (isRuntime(program)) return { also, ...fromRuntime(program, [...before, ...rest].slice(inner.at + 1)) };
  return { also, main: isFile(inner.first) ? script(inner.first) : { identity: `bin:${program}` } };
}

function fromDeno(args: readonly string[]): ReadCommand | undefined {
  if (args[0] === "eval") return undefined;
  const rest = /^(?:run|serve|x)$/.test(args[0] ?? "") ? args.slice(1) : args;
  const { first } = positional(rest, RUNTIME);
  const specs = rest.flatMap((arg) => /^(?:--[a-z]+=)?npm:([\s\S]+)$/.exec(arg)?.[1] ?? []);
  const also = specs.flatMap((spec) => npmPackage(spec) ?? []);
  if (first?.startsWith("npm:")) return { main: npmPackage(first.slice(4)), also };
  return { also, main: first === undefined ? undefined : script(first) };
}

function fromRuntime(program: string, args: readonly string[]): ReadCommand {
  const rest = args[0] === "run" ? args.slice(1) : args;
  const { first, at } = positional(rest, RUNTIME);
  const options = at === -1 ? rest : rest.slice(0, at);
  if (isPython(program)) {
    const module = moduleOf(rest);
    if (module !== undefined) return { main: pypiPackage(module.split(".")[0] ?? "") };
  }
  return { main: first === undefined || options.some(isCodeOf(program)) ? undefined : script(first) };
}

/** `-m module`, `-mmodule` and `-Im module`. What follows it are arguments of the module. */
function moduleOf(args: readonly string[]): string | undefined {
  const { at } = positional(args, RUNTIME);
  const options = at === -1 ? args : args.slice(0, at);
  const found = options.findIndex((option) => /^-[bBdEiIOPqsSuvx]*[cm]/.test(option));
  const [, kind, joined = ""] = /^-[bBdEiIOPqsSuvx]*([cm])([\s\S]*)$/.exec(options[found] ?? "") ?? [];
  return kind === "m" ? joined || args[found + 1] : undefined;
}

/** A shell with a script, or a runtime with code, in its arguments. */
export function runsCode(program: string, args: readonly string[]): boolean {
  const end = args.findIndex((arg) => !arg.startsWith("-"));
  const options = end === -1 ? args : args.slice(0, end);
  if (isShell(program)) return options.some(isScriptOption);
  if (program === "deno") return args[0] === "eval";
  return isRuntime(program) && fromRuntime(program, args).main === undefined && options.some(isCodeOf(program));
}

function isCodeOf(program: string): (option: string) => boolean {
  const code = codeOption(program);
  return (option) => code.test(option);
}

/** With code in the arguments, neither the script nor the module after it is what runs (decision 0206). */
function codeOption(program: string): RegExp {
  if (isPython(program)) return /^-[bBdEiIOPqsSuvx]*c/;
  if (program === "perl") return /^-[acflnpstwSTUWX]*[eE]/;
  if (program === "ruby") return /^-[aclnpsw]*e/;
  return program === "php" ? /^-(?:[rBRE]|-run|-process)/ : /^(?:-e|-p|-pe|--eval|--print)(?:=|$)/;
}

function script(file: string): CommandIdentity {
  if (/^(?:https?|jsr):/i.test(file)) return { identity: `script:${normalizeUrl(file)}` };
  return { identity: `script:${file.split(/[/\\]/).findLast((part) => part !== "") ?? file}` };
}

function isFile(text: string): boolean {
  return /[/\\]/.test(text) || /\.(?:py|js|mjs|cjs|ts|sh)$/.test(text);
}
