/** How to tell options with a value from those without. With both lists, other options are ambiguous. */
export interface Options {
  /** Options that take the next argument. Without `flags`, all others take none. */
  readonly values?: readonly string[];
  /** Options that take no argument. Without `values`, all others take the next one. */
  readonly flags?: readonly string[];
}

export interface Positional {
  /** The first argument that is neither an option nor the value of one. */
  readonly first: string | undefined;
  /** Its index, or -1. */
  readonly at: number;
  /** Values of the options before it. Of several with the same name the last one. */
  readonly given: ReadonlyMap<string, string>;
  /** Names and values of the options before it. */
  readonly options: readonly (readonly [name: string, value: string])[];
  /** An option before it is not known, so the next argument can be its value. */
  readonly isAmbiguous: boolean;
}

export function positional(args: readonly string[], options: Options): Positional {
  const given: [string, string][] = [];
  let isAmbiguous = false;
  const found = (at: number): Positional => ({
    ...{ first: args[at], at: at < args.length ? at : -1, given: new Map(given), options: given, isAmbiguous },
  });
  for (let at = 0; at < args.length; at++) {
    const arg = args[at] as string;
    if (arg === "--") return found(at + 1);
    if (!arg.startsWith("-") || arg === "-") return found(at);
    const [name = "", ...rest] = arg.split("=");
    const letters = lettersOf(name, options);
    const last = letters.at(-1) ?? name;
    const takesNext = rest.length === 0 && takesValue(last, options);
    if (rest.length > 0 || takesNext) given.push([last, rest.length > 0 ? rest.join("=") : (args[++at] ?? "")]);
    isAmbiguous ||= letters.some((letter) => !isKnown(letter, options));
  }
  return found(args.length);
}

/** `-it` is `-i -t` if these are known. */
function lettersOf(name: string, options: Options): readonly string[] {
  if (isKnown(name, options) || !/^-[A-Za-z]{2,}$/.test(name)) return [name];
  const letters = [...name.slice(1)].map((letter) => `-${letter}`);
  const isCombined = letters.slice(0, -1).every((letter) => options.flags?.includes(letter));
  return isCombined && isKnown(letters.at(-1) ?? "", options) ? letters : [name];
}

function isKnown(option: string, { values, flags }: Options): boolean {
  return values === undefined || flags === undefined || values.includes(option) || flags.includes(option);
}

function takesValue(option: string, { values, flags }: Options): boolean {
  return values ? values.includes(option) : !flags?.includes(option);
}
