/** What a command line runs: a package, an image, a script or a program. */
import { fromDocker, fromNpx, fromPipx, fromUvx, readUv } from "./package-runners.ts";
import { type CommandIdentity, npmPackage, pypiPackage } from "./package-spec.ts";
import { type Options, positional } from "./positional.ts";
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

type Identify = (args: readonly string[]) => CommandIdentity | undefined;

/** A map, because the name of a program can be that of a property of every object. */
const RUNNERS: ReadonlyMap<string, Identify> = new Map(
  Object.entries<Identify>({
    npx: fromNpx,
    pnpx: fromNpx,
    bunx: fromNpx,
    npm: (args) => afterWord(args, ["exec", "x"], fromNpx),
    pnpm: (args) => afterWord(args, ["dlx", "exec"], fromNpx),
    yarn: (args) => afterWord(args, ["dlx"], fromNpx),
    bun: (args) => afterWord(args, ["x"], fromNpx),
    uvx: fromUvx,
    uv: fromUv,
    pipx: (args) => afterWord(args, ["run"], fromPipx),
    docker: fromDocker,
    podman: fromDocker,
    nerdctl: fromDocker,
    finch: fromDocker,
    deno: fromDeno,
  }),
);

/** `command` and `args` as a client would start them. Wrappers such as `cmd /c` and `env` are skipped. */
export function identifyCommand(command: string, args: readonly string[]): CommandIdentity {
  const line = unwrap(splitCommand(command, args));
  const program = programName(line[0] ?? "");
  const rest = line.slice(1);
  const found = RUNNERS.get(program)?.(rest) ?? (isRuntime(program) ? fromRuntime(program, rest) : undefined);
  return found ?? { identity: `bin:${program}`, package: { type: "binary", name: program } };
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

/** The base name of a program in lower case, without the extensions that Windows adds. */
export function programName(command: string): string {
  const base =
    command
      .trim()
      .split(/[/\\]/)
      .findLast((part) => part !== "") ?? "";
  return base.toLowerCase().replace(/\.(?:exe|cmd|bat|ps1|com)$/, "");
}

function startsCommands(program: string): boolean {
  return RUNNERS.has(program) || isRuntime(program) || isShell(program) || isWrapper(program);
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

function unwrap(line: readonly string[]): readonly string[] {
  let rest = line;
  for (let depth = 0; depth < MAX_DEPTH; depth++) {
    const next = unwrapOnce(programName(rest[0] ?? ""), rest.slice(1), splitCommand);
    if (next === undefined) return rest;
    rest = splitCommand(next[0] ?? "", next.slice(1));
  }
  return rest;
}

function afterWord(args: readonly string[], words: readonly string[], identify: Identify): CommandIdentity | undefined {
  const at = args.findIndex((arg) => !arg.startsWith("-"));
  return words.includes(args[at] ?? "") ? identify(args.slice(at + 1)) : undefined;
}

/** `uv tool run`, and `uv run` of a script or a program. */
function fromUv(args: readonly string[]): CommandIdentity | undefined {
  const outer = readUv(args);
  const rest = args.slice(outer.at + 1);
  if (outer.isAmbiguous) return undefined;
  if (outer.first === "tool" && rest[0] === "run") return fromUvx(rest.slice(1));
  if (outer.first !== "run") return undefined;
  const { first, at, isAmbiguous } = readUv(rest);
  if (first === undefined || isAmbiguous) return undefined;
  const program = programName(first);
  if (isRuntime(program)) return fromRuntime(program, rest.slice(at + 1));
  return isFile(first) ? script(first) : { identity: `bin:${program}` };
}

function fromDeno(args: readonly string[]): CommandIdentity | undefined {
  const rest = args[0] === "run" ? args.slice(1) : args;
  const { first } = positional(rest, RUNTIME);
  if (first?.startsWith("npm:")) return npmPackage(first.slice(4));
  return first === undefined ? undefined : script(first);
}

function fromRuntime(program: string, args: readonly string[]): CommandIdentity | undefined {
  const rest = args[0] === "run" ? args.slice(1) : args;
  const { first, at } = positional(rest, RUNTIME);
  const options = rest.slice(0, at);
  if (isPython(program)) {
    const module = moduleOf(rest);
    if (module !== undefined) return pypiPackage(module.split(".")[0] ?? "");
  }
  if (first === undefined || options.some((option) => codeOption(program).test(option))) return undefined;
  return script(first);
}

/** `-m module`, `-mmodule` and `-Im module`. What follows it are arguments of the module. */
function moduleOf(args: readonly string[]): string | undefined {
  const { at } = positional(args, RUNTIME);
  const options = at === -1 ? args : args.slice(0, at);
  const found = options.findIndex((option) => /^-[bBdEiIOPqsSuvx]*[cm]/.test(option));
  const [, kind, joined = ""] = /^-[bBdEiIOPqsSuvx]*([cm])([\s\S]*)$/.exec(options[found] ?? "") ?? [];
  return kind === "m" ? joined || args[found + 1] : undefined;
}

/** With code in the arguments, neither the script nor the module after it is what runs (decision 0206). */
function codeOption(program: string): RegExp {
  if (isPython(program)) return /^-[bBdEiIOPqsSuvx]*c/;
  if (program === "perl") return /^-[acflnpstwSTUWX]*[eE]/;
  if (program === "ruby") return /^-[aclnpsw]*e/;
  return program === "php" ? /^-(?:[rBRE]|-run|-process)/ : /^(?:-e|-p|-pe|--eval|--print)(?:=|$)/;
}

function script(file: string): CommandIdentity {
  return { identity: `script:${file.split(/[/\\]/).findLast((part) => part !== "") ?? file}` };
}

function isFile(text: string): boolean {
  return /[/\\]/.test(text) || /\.(?:py|js|mjs|cjs|ts|sh)$/.test(text);
}
