/** Programs that start the command in their arguments. */
import { type Options, positional } from "./positional.ts";

interface Wrapper extends Options {
  /** Arguments between the options and the command. */
  readonly skip?: number;
}

const WRAPPERS: ReadonlyMap<string, Wrapper> = new Map(
  Object.entries<Wrapper>({
    env: { values: ["-u", "--unset", "-C", "--chdir"] },
    sudo: { values: ["-u", "--user", "-g", "--group", "-h", "--host", "-p", "--prompt", "-D", "--chdir"] },
    doas: { values: ["-u", "-C"] },
    nice: { values: ["-n", "--adjustment"] },
    ionice: { values: ["-c", "--class", "-n", "--classdata"] },
    nohup: {},
    setsid: {},
    exec: { values: ["-a"] },
    time: { values: ["-o", "--output", "-f", "--format"] },
    timeout: { values: ["-s", "--signal", "-k", "--kill-after"], skip: 1 },
    stdbuf: { values: ["-i", "--input", "-o", "--output", "-e", "--error"] },
    chrt: { skip: 1 },
    taskset: { skip: 1 },
    arch: { values: ["-arch", "-e", "-d"] },
    caffeinate: { values: ["-t", "-w"] },
    winpty: {},
    wsl: { values: ["-d", "--distribution", "-u", "--user", "--cd"] },
  }),
);
/** Start the command after `--`. */
const BEFORE_DASHES = new Set(["op", "doppler", "infisical", "dotenv", "mise", "chamber", "aws-vault", "wsl"]);

export function isWrapper(program: string): boolean {
  return program === "cmd" || WRAPPERS.has(program) || BEFORE_DASHES.has(program);
}

type Split = (command: string, args: readonly string[]) => readonly string[];

/** The command that a wrapper starts; undefined if the program is none. */
export function unwrapOnce(program: string, args: readonly string[], split: Split): readonly string[] | undefined {
  if (program === "cmd") return afterCmd(args, split);
  const dashes = BEFORE_DASHES.has(program) ? args.indexOf("--") : -1;
  if (dashes !== -1) return args.length > dashes + 1 ? args.slice(dashes + 1) : undefined;
  const wrapper = WRAPPERS.get(program);
  if (wrapper === undefined) return undefined;
  const { at } = positional(args, { values: wrapper.values ?? [] });
  const options = at === -1 ? args : args.slice(0, at);
  const given = program === "env" ? splitString(options, args) : undefined;
  if (given !== undefined) return withoutVariables([...split(given.text, []), ...args.slice(given.next)]);
  if (at === -1) return undefined;
  return withoutVariables(args.slice(at + (wrapper.skip ?? 0)));
}

function withoutVariables(line: readonly string[]): readonly string[] | undefined {
  const start = line.findIndex((arg) => !/^[A-Za-z_]\w*=/.test(arg));
  return start === -1 ? undefined : line.slice(start);
}

/** `cmd /c npx x`, `cmd /cnpx x` and `cmd /c "npx x"`. */
function afterCmd(args: readonly string[], split: Split): readonly string[] | undefined {
  const at = args.findIndex((arg) => /^\/[ckr]/i.test(arg));
  const joined = args[at]?.slice(2) ?? "";
  const [command, ...rest] = joined === "" ? args.slice(at + 1) : [joined, ...args.slice(at + 1)];
  if (at === -1 || command === undefined) return undefined;
  const text = [command, ...rest].join(" ");
  // Another command follows, so this is a script.
  if (/[&|\n]/.test(text)) return undefined;
  const quoted = /^"([\s\S]*)"$/.exec(text)?.[1];
  return quoted === undefined ? split(command, rest) : split(quoted.replaceAll('"', ""), []);
}

/** `env -S "npx x"`, also joined. */
function splitString(
  options: readonly string[],
  args: readonly string[],
): { readonly text: string; readonly next: number } | undefined {
  const at = options.findIndex((option) => /^(?:-[iv0]*S|--split-string(?:=|$))/.test(option));
  if (at === -1) return undefined;
  const joined = (options[at] ?? "").replace(/^(?:-[iv0]*S|--split-string=?)/, "");
  return joined === "" ? { text: args[at + 1] ?? "", next: at + 2 } : { text: joined, next: at + 1 };
}
