import { COMMANDS } from "./commands.ts";
import { COMMON } from "./read-arguments.ts";
import type { Option, Options, Verb } from "./verb.ts";

/** One option, as shells complete it: `--save-to`. */
export interface OptionEntry {
  readonly name: string;
  readonly description: string;
  readonly takesValue: boolean;
  readonly choices: readonly string[];
}

export interface VerbEntry {
  readonly name: string;
  readonly description: string;
  readonly options: readonly OptionEntry[];
}

export interface CommandEntry extends VerbEntry {
  /** The name and, for a plural noun, its singular. */
  readonly spellings: readonly string[];
  readonly verbs: readonly VerbEntry[];
}

/** A command of the server: its verbs, and for each of them the options. */
export type ServerCommands = Readonly<
  Record<string, { readonly summary: string; readonly verbs?: Readonly<Record<string, readonly string[]>> }>
>;

const HELP: OptionEntry = { name: "--help", description: COMMON.help.description, takesValue: false, choices: [] };

/** Everything that can be completed, from the declarations of the commands. */
export async function completionEntries(server: ServerCommands): Promise<CommandEntry[]> {
  // A name of two words is a verb of a client command, which completes it.
  const words = Object.entries(server).filter(([name]) => !name.includes(" "));
  const ofServer = words.map(
    ([name, { summary, verbs = {} }]): CommandEntry => ({
      name,
      spellings: [name],
      description: summary,
      options: [HELP],
      verbs: Object.entries(verbs).map(([verb, options]) => ({
        name: verb,
        description: "",
        options: [...options.map((option) => ({ ...HELP, name: option, description: "" })), HELP],
      })),
    }),
  );
  const client = Object.entries(COMMANDS).map(async ([name, { summary, load }]): Promise<CommandEntry> => {
    const command = await load();
    const spellings = /[^s]s$/.test(name) ? [name, name.slice(0, -1)] : [name];
    const entry = { name, spellings, description: summary };
    if (!("verbs" in command)) return { ...entry, options: optionEntries(command), verbs: [] };
    const verbs = Object.entries(command.verbs).map(([verb, declared]) => ({
      name: verb,
      description: declared.description,
      options: optionEntries(declared),
    }));
    return { ...entry, options: command.default ? optionEntries(command.default) : [HELP], verbs };
  });
  return [...ofServer, ...(await Promise.all(client))];
}

function optionEntries(verb: Verb): OptionEntry[] {
  const options: Options = { ...verb.options, ...COMMON };
  return Object.entries(options).flatMap(([name, option]) => {
    const entry = optionEntry(name, option);
    return option.type === "switch" ? [entry, { ...entry, name: `--no-${name}` }] : [entry];
  });
}

function optionEntry(name: string, option: Option): OptionEntry {
  return {
    name: `--${name}`,
    description: option.description,
    takesValue: option.type !== "flag" && option.type !== "switch",
    choices: option.type === "choice" ? option.choices : [],
  };
}
