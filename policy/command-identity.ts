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

/** Without `cmd`, because `cmd /c npx` is how Windows starts every script. */
const SHELLS = new Set(["sh", "bash", "zsh", "dash", "fish", "ksh", "powershell", "pwsh"]);
const RUNTIMES = new Set(["node", "bun", "tsx", "ts-node", "ruby", "php", "perl", "java"]);

/** Programs that start the command after their options and variables. */
const WRAPPERS: ReadonlyMap<string, Options> = new Map(
  Object.entries<Options>({
    env: { values: ["-u", "--unset", "-C", "--chdir"] },
    sudo: { values: ["-u", "--user", "-g", "--group", "-h", "--host", "-p", "--prompt", "-D", "--chdir"] },
    nice: { values: ["-n", "--adjustment"] },
    nohup: { values: [] },
  }),
);

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

/** Some clients accept the entire command line as the command. A path can contain spaces, so it is kept. */
export function splitCommand(command: string, args: readonly string[]): readonly string[] {
  const words = command.trim().split(/\s+/);
  if (args.length > 0 || /[/\\]/.test(words[0] ?? "")) return [command.trim(), ...args];
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
  return RUNTIMES.has(program) || isPython(program);
}

function isPython(program: string): boolean {
  return /^(?:py|pythonw?|python\d(?:\.\d+)?)$/.test(program);
}

function unwrap(line: readonly string[]): readonly string[] {
  let rest = line;
  for (let depth = 0; depth < 4; depth++) {
    const next = unwrapOnce(rest);
    if (next === undefined) return rest;
    rest = next;
  }
  return rest;
}

function unwrapOnce(line: readonly string[]): readonly string[] | undefined {
  const program = programName(line[0] ?? "");
  const args = line.slice(1);
  if (program === "cmd") {
    const at = args.findIndex((arg) => /^\/[ckr]$/i.test(arg));
    const [command, ...rest] = args.slice(at + 1);
    return at === -1 || command === undefined ? undefined : splitCommand(command, rest);
  }
  const options = WRAPPERS.get(program);
  const { at } = positional(args, options ?? {});
  if (options === undefined || at === -1) return undefined;
  const rest = args.slice(at);
  const start = rest.findIndex((arg) => !/^[A-Za-z_]\w*=/.test(arg));
  return start === -1 ? undefined : rest.slice(start);
}

function afterWord(args: readonly string[], words: readonly string[], identify: Identify): CommandIdentity | undefined {
  const at = args.findIndex((arg) => !arg.startsWith("-"));
  return words.includes(args[at] ?? "") ? identify(args.slice(at + 1)) : undefined;
}

function fromNpx(args: readonly string[]): CommandIdentity | undefined {
  const { first, given } = positional(args, NPX);
  // One word is a program of the package. Other command lines run anything (decision 0206).
  const called = given.get("--call") ?? given.get("-c") ?? "";
  if (!/^[\w.-]*$/.test(called)) return undefined;
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
  if (first === undefined || options.some((option) => codeOption(program).test(option))) return undefined;
  return isPython(program) && options.includes("-m") ? pypiPackage(first.split(".")[0] ?? "") : script(first);
}

/** With code in the arguments, neither the script nor the module after it is what runs (decision 0206). */
function codeOption(program: string): RegExp {
  if (isPython(program)) return /^-[bBdEiIOPqsSuvx]*c/;
  if (program === "perl") return /^-[acflnpstwSTUWX]*[eE]/;
  if (program === "ruby") return /^-[aclnpsw]*e/;
  return program === "php" ? /^-(?:[rBRE]|-run|-process)/ : /^(?:-e|-p|-pe|--eval|--print)(?:=|$)/;
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
