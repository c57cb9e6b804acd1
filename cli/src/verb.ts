import type { Client, DownloadId } from "#openapi/client";
import type { Operations } from "#openapi/types";
import type { Gateway } from "./gateway.ts";
import type { Output } from "./output.ts";

type DownloadQuery<Id extends DownloadId> = NonNullable<Operations[Id]["request"]["query"]>;

interface Described {
  readonly says: string;
}
/** `list` may be given several times; `switch` has a `--no-` form, since "off" and "not given" differ. */
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

/** One run of a verb: what was asked for, and the world to do it in. */
export interface Call<Name extends string = string, Given extends Options = Options> {
  readonly args: Readonly<Record<Name, string>>;
  readonly rest: readonly string[];
  readonly options: Values<Given>;
  readonly out: Output;
  /** Throws when there is no API token. */
  api(): Client;
  /** An answer of any length; throws when there is no API token. */
  download<Id extends DownloadId>(id: Id, query: DownloadQuery<Id>): Promise<ReadableStream<Uint8Array>>;
  /** Throws when there is no access key. */
  gateway(): Gateway;
  /** What `--json` and `@file` stand for. */
  readText(file: string): Promise<string>;
  /** Throws when the answer is no, or when nobody can be asked and `--yes` is missing. */
  confirm(question: string): Promise<void>;
  now(): number;
}

export interface Verb<Name extends string = string, Given extends Options = Options> extends Described {
  readonly args?: readonly Name[];
  /** One or more of these behind the arguments. */
  readonly rest?: string;
  /** One more behind the arguments, or none: then it is `rest[0]`. */
  readonly optional?: string;
  readonly options?: Given;
  readonly example: string;
  /** Until an answer must have come; half a minute unless said. */
  readonly timeoutSeconds?: number;
  run(call: Call<Name, Given>): Promise<void>;
}

/** A noun has verbs, or is itself one. */
export type Noun = Described & {
  readonly verbs: Readonly<Record<string, Verb>>;
  /** What it does without a verb. */
  readonly itself?: Verb;
  readonly example: string;
};
export type Command = Noun | Verb;

/** Says nothing at run time; it lets `run` know its own arguments and options. */
export function verb<const Name extends string = never, const Given extends Options = Record<never, never>>(
  declared: Verb<Name, Given>,
): Verb {
  // `run` is called only with what was read by this very declaration.
  return declared as unknown as Verb;
}

/** The options of more than one verb. */
export const LIMIT = { type: "number", hint: "n", says: "at most so many entries" } as const satisfies Option;
export const SEARCH = { type: "text", hint: "text", says: "only what contains this text" } as const satisfies Option;
export const YES = { type: "flag", says: "do not ask" } as const satisfies Option;
export const JSON_BODY = {
  type: "text",
  hint: "json",
  says: "more fields of the API's body: JSON, @file, or - for standard input; options win",
} as const satisfies Option;
export const SAVE_TO = {
  type: "text",
  hint: "file",
  says: "write the secret to a new file that only you can read, instead of showing it",
} as const satisfies Option;
