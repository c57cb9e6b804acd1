/** How to tell options with a value from those without. */
export interface Options {
  /** Options that take the next argument. All others take none. */
  readonly values?: readonly string[];
  /** Options that take no argument. All others take the next one. */
  readonly flags?: readonly string[];
}

export interface Positional {
  /** The first argument that is neither an option nor the value of one. */
  readonly first: string | undefined;
  /** Its index, or -1. */
  readonly at: number;
  /** Values of the options before it. */
  readonly given: ReadonlyMap<string, string>;
}

export function positional(args: readonly string[], options: Options): Positional {
  const given = new Map<string, string>();
  for (let at = 0; at < args.length; at++) {
    const arg = args[at] as string;
    if (arg === "--") return found(args, at + 1, given);
    if (!arg.startsWith("-") || arg === "-") return found(args, at, given);
    const [name = "", ...rest] = arg.split("=");
    if (rest.length > 0) given.set(name, rest.join("="));
    else if (takesValue(arg, options)) given.set(arg, args[++at] ?? "");
  }
  return found(args, args.length, given);
}

function found(args: readonly string[], at: number, given: ReadonlyMap<string, string>): Positional {
  return { first: args[at], at: at < args.length ? at : -1, given };
}

function takesValue(option: string, { values, flags }: Options): boolean {
  return values ? values.includes(option) : !flags?.includes(option);
}
