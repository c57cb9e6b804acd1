import type { Client, DownloadId } from "#openapi/client";
import type { Operations } from "#openapi/types";
import type { Gateway } from "./gateway.ts";
import type { Output } from "./output.ts";

interface Described {
  readonly description: string;
}
/** A `list` can be repeated. A `switch` has a `--no-` form, because "off" and "omitted" differ. */
export type Option = Described &
  (
    | { readonly type: "text"; readonly hint: string }
    | { readonly type: "number"; readonly hint: string }
    | { readonly type: "list"; readonly hint: string }
    | { readonly type: "choice"; readonly choices: readonly string[] }
    | { readonly type: "flag" }
    | { readonly type: "switch" }
  );
export type Options = Readonly<Record<string, Option>>;

type ValueOf<O extends Option> = O extends { type: "choice"; choices: readonly (infer Choice)[] }
  ? Choice
  : O extends { type: "list" }
    ? readonly string[]
    : O extends { type: "number" }
      ? number
      : O extends { type: "text" }
        ? string
        : boolean;
export type Values<Given extends Options> = { readonly [Name in keyof Given]: ValueOf<Given[Name]> | undefined };

/** The arguments of one run of a verb, and what it may use. */
export interface Call<Name extends string = string, Given extends Options = Options> {
  readonly args: Readonly<Record<Name, string>>;
  readonly rest: readonly string[];
  readonly options: Values<Given>;
  /** The URL of the service, without a slash at the end. */
  readonly url: string;
  readonly out: Output;
  /** Throws without an API token. */
  api(): Client;
  /** Streams a download; throws without an API token. */
  download<Id extends DownloadId>(id: Id, request: Operations[Id]["request"]): Promise<ReadableStream<Uint8Array>>;
  /** Throws without an access key. */
  gateway(): Gateway;
  /** Reads a file, or standard input for `-`. */
  readText(file: string): Promise<string>;
  readBytes(file: string): Promise<Buffer>;
  /** Throws if the user declines, or if there is neither a terminal nor `--yes`. */
  confirm(question: string): Promise<void>;
  now(): number;
  /** A variable of the environment, for references in configuration files. */
  variable(name: string): string | undefined;
}

export interface Verb<Name extends string = string, Given extends Options = Options> extends Described {
  readonly args?: readonly Name[];
  /** One or more values after the arguments. */
  readonly rest?: string;
  /** One optional value after the arguments; it becomes `rest[0]`. */
  readonly optional?: string;
  readonly options?: Given;
  readonly example: string;
  /** The timeout of a request; 30 seconds by default. */
  readonly timeoutSeconds?: number;
  run(call: Call<Name, Given>): Promise<void>;
}

export type Noun = Described & {
  readonly verbs: Readonly<Record<string, Verb>>;
  /** The verb that runs if none is given. */
  readonly default?: Verb;
  readonly example: string;
};
export type Command = Noun | Verb;

/** Gives `run` the types of its arguments and options. */
export function verb<const Name extends string = never, const Given extends Options = Record<never, never>>(
  declared: Verb<Name, Given>,
): Verb {
  // `run` is called only with values that were read with this declaration.
  return declared as unknown as Verb;
}

/** Options that several verbs share. */
export const LIMIT = { type: "number", hint: "n", description: "maximum number of rows" } as const satisfies Option;
export const SEARCH = { type: "text", hint: "text", description: "filter by text" } as const satisfies Option;
export const YES = { type: "flag", description: "skip the confirmation" } as const satisfies Option;
export const JSON_BODY = {
  type: "text",
  hint: "json",
  description: "more API fields: JSON, @file, or - for stdin; options take precedence",
} as const satisfies Option;
export const SAVE_TO = {
  type: "text",
  hint: "file",
  description: "write the secret to a new file with mode 0600 instead of printing it",
} as const satisfies Option;
