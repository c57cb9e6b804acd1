/** What a command line runs: a package, an image, a script or a program. */
import { type CommandIdentity, npmPackage, ociPackage, pypiPackage } from "./package-spec.ts";
import { type Options, positional } from "./positional.ts";

const NPX: Options = {
  values: [
    "-p",
    "--package",
    "-c",
    "--call",
    "--registry",
    "--userconfig",
    "--cache",
    "--prefix",
    "-w",
    "--workspace",
    "--loglevel",
    "--node-options",
    "--shell",
  ],
};
const UVX: Options = {
  values: [
    "--from",
    "--with",
    "--with-editable",
    "-p",
    "--python",
    "-i",
    "--index",
    "--index-url",
    "--default-index",
    "--extra-index-url",
    "-f",
    "--find-links",
    "--directory",
    "--project",
    "--config-file",
    "--cache-dir",
    "--env-file",
    "-c",
    "--constraints",
    "--overrides",
    "--refresh-package",
    "--exclude-newer",
    "--keyring-provider",
  ],
};
const PIPX: Options = { values: ["--spec", "--python", "--index-url", "-i", "--pip-args"] };
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
const DOCKER_FLAGS =
  "-i -t -d -P -q -it -ti -dit --interactive --tty --detach --rm --init --privileged --read-only --quiet --publish-all --no-healthcheck --oom-kill-disable --sig-proxy --use-api-socket".split(
    " ",
  );

const SHELLS = new Set(["sh", "bash", "zsh", "dash", "fish", "ksh", "cmd", "powershell", "pwsh"]);
const RUNTIMES = new Set([
  "node",
  "python",
  "python3",
  "py",
  "pythonw",
  "deno",
  "bun",
  "tsx",
  "ts-node",
  "ruby",
  "php",
  "perl",
  "java",
]);

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
    bun: (args) => afterWord(args, ["x"], fromNpx) ?? fromRuntime(args),
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
  const found = RUNNERS.get(program)?.(rest) ?? (isRuntime(program) ? fromRuntime(rest) : undefined);
  return found ?? { identity: `bin:${program}`, package: { type: "binary", name: program } };
}

/** Some clients accept the entire command line as the command. A path can contain spaces, so it is kept. */
export function splitCommand(command: string, args: readonly string[]): readonly string[] {
  const words = command.trim().split(/\s+/);
  if (words.length < 2 || args.length > 0 || /[/\\]/.test(words[0] ?? "")) return [command.trim(), ...args];
  return words;
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

export function isShell(program: string): boolean {
  return SHELLS.has(program);
}

function isRuntime(program: string): boolean {
  return RUNTIMES.has(program) || /^python\d(?:\.\d+)?$/.test(program);
}

function unwrap(line: readonly string[]): readonly string[] {
  let rest = line;
  for (let depth = 0; depth < 4; depth++) {
    const next = unwrapOnce(rest);
    if (next === undefined || next.length === 0) return rest;
    rest = next;
  }
  return rest;
}

function unwrapOnce(line: readonly string[]): readonly string[] | undefined {
  const program = programName(line[0] ?? "");
  const args = line.slice(1);
  if (program === "cmd")
    return /^\/[ck]$/i.test(args[0] ?? "") ? splitCommand(args[1] ?? "", args.slice(2)) : undefined;
  if (program === "env") {
    const at = args.findIndex((arg) => !/^[A-Za-z_]\w*=/.test(arg) && !arg.startsWith("-"));
    return at === -1 ? undefined : args.slice(at);
  }
  if (program === "sudo" || program === "nohup" || program === "nice") {
    const at = args.findIndex((arg) => !arg.startsWith("-"));
    return at === -1 ? undefined : args.slice(at);
  }
  return undefined;
}

function afterWord(args: readonly string[], words: readonly string[], identify: Identify): CommandIdentity | undefined {
  const at = args.findIndex((arg) => !arg.startsWith("-"));
  return at !== -1 && words.includes(args[at] ?? "") ? identify(args.slice(at + 1)) : undefined;
}

function fromNpx(args: readonly string[]): CommandIdentity | undefined {
  const { first, given } = positional(args, NPX);
  return npmPackage(given.get("--package") ?? given.get("-p") ?? first ?? "");
}

function fromUvx(args: readonly string[]): CommandIdentity | undefined {
  const { first, given } = positional(args, UVX);
  return pypiPackage(given.get("--from") ?? first ?? "");
}

function fromPipx(args: readonly string[]): CommandIdentity | undefined {
  const { first, given } = positional(args, PIPX);
  return pypiPackage(given.get("--spec") ?? first ?? "");
}

/** `uv tool run`, and `uv run` of a script or a program. */
function fromUv(args: readonly string[]): CommandIdentity | undefined {
  const outer = positional(args, UVX);
  const rest = args.slice(outer.at + 1);
  if (outer.first === "tool" && rest[0] === "run") return fromUvx(rest.slice(1));
  if (outer.first !== "run") return undefined;
  const { first, at } = positional(rest, UVX);
  if (first === undefined) return undefined;
  const inner = rest.slice(at + 1);
  if (isRuntime(programName(first))) return fromRuntime(inner);
  return isFile(first) ? script(first) : { identity: `bin:${programName(first)}` };
}

function fromDeno(args: readonly string[]): CommandIdentity | undefined {
  const rest = args[0] === "run" ? args.slice(1) : args;
  const { first } = positional(rest, RUNTIME);
  if (first?.startsWith("npm:")) return npmPackage(first.slice(4));
  return first === undefined ? undefined : script(first);
}

function fromRuntime(args: readonly string[]): CommandIdentity | undefined {
  const module = args.indexOf("-m");
  const { first, at } = positional(args[0] === "run" ? args.slice(1) : args, RUNTIME);
  if (module !== -1 && (at === -1 || module <= at)) return pypiPackage((args[module + 1] ?? "").split(".")[0] ?? "");
  if (args.some((arg, index) => (index < at || at === -1) && /^(?:-e|-p|--eval|--print)$/.test(arg))) return undefined;
  return first === undefined ? undefined : script(first);
}

function fromDocker(args: readonly string[]): CommandIdentity | undefined {
  const rest = args[0] === "container" ? args.slice(1) : args;
  if (rest[0] !== "run") return undefined;
  const { first } = positional(rest.slice(1), { flags: DOCKER_FLAGS });
  return first === undefined ? undefined : ociPackage(first);
}

function script(file: string): CommandIdentity {
  return { identity: `script:${file.split(/[/\\]/).findLast((part) => part !== "") ?? file}` };
}

function isFile(text: string): boolean {
  return /[/\\]/.test(text) || /\.(?:py|js|mjs|cjs|ts|sh)$/.test(text);
}
