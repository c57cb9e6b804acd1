import { invalid, missingParameter } from "#lib/errors";
import { Deprecation, type Notice } from "./deprecation.ts";
import { isPlainText, PLAIN_TEXT_MESSAGE } from "./text.ts";

/** A path, query or header parameter: how its text is parsed, and how the document describes it. */
export interface Parameter<Value> {
  read(text: string | undefined, name: string): Value;
  readonly required: boolean;
  readonly description: string;
  readonly document: Readonly<Record<string, unknown>>;
  /** The route matches only if this segment of the path has at least one character. */
  readonly refusesEmptySegment?: true;
  /** A request that uses a deprecated parameter gets `Deprecation` and `Sunset` headers (Spec 9, D13). */
  readonly deprecated?: Deprecation;
}

export type Parameters = Readonly<Record<string, Parameter<unknown>>>;
export type ValuesOf<P> = { readonly [Name in keyof P]: P[Name] extends Parameter<infer Value> ? Value : never };

/** D9: a list's page size. */
export const limitParameter: Parameter<number> = {
  ...wholeNumber({ description: "Maximum number of entries to return", minimum: 1, maximum: 200, fallback: 100 }),
  read(text, name) {
    if (text === undefined) return 100;
    const value = readWholeNumber(text);
    if (value === undefined) throw invalid(name, "must be an integer");
    if (value < 1 || value > 200) throw invalid(name, "must be between 1 and 200");
    return value;
  },
};

export function offsetParameter(description: string): Parameter<number> {
  return wholeNumber({ description, minimum: 0, fallback: 0 });
}

function wholeNumber(is: {
  description: string;
  minimum: number;
  maximum?: number;
  fallback: number;
}): Parameter<number> {
  return {
    required: false,
    description: is.description,
    document: {
      type: "integer",
      minimum: is.minimum,
      ...(is.maximum === undefined ? {} : { maximum: is.maximum }),
      default: is.fallback,
    },
    read(text, name) {
      if (text === undefined) return is.fallback;
      const value = readWholeNumber(text);
      if (value === undefined || value < is.minimum)
        throw invalid(name, `must be an integer of at least ${is.minimum}`);
      return value;
    },
  };
}

/** An integer without a default. */
export function numberParameter(
  description: string,
  { minimum, maximum }: { minimum: number; maximum: number },
): Parameter<number | undefined> {
  return {
    required: false,
    description,
    document: { type: "integer", minimum, maximum },
    read(text, name) {
      if (text === undefined) return undefined;
      const value = readWholeNumber(text);
      if (value === undefined || value < minimum || value > maximum) {
        throw invalid(name, `must be an integer between ${minimum} and ${maximum}`);
      }
      return value;
    },
  };
}

/** Digits with an optional minus sign, small enough to be exact; undefined for anything else. */
function readWholeNumber(text: string): number | undefined {
  if (!/^-?\d{1,16}$/.test(text)) return undefined;
  const value = Number(text);
  return Number.isSafeInteger(value) ? value : undefined;
}

export function flagParameter(description: string, deprecated?: Notice): Parameter<boolean> {
  return {
    required: false,
    description,
    document: { type: "boolean", default: false },
    ...(deprecated ? { deprecated: new Deprecation(deprecated) } : {}),
    read(text, name) {
      if (text === undefined || text === "false") return false;
      if (text === "true") return true;
      throw invalid(name, "must be true or false");
    },
  };
}

export function choiceParameter<const Choice extends string>(
  description: string,
  choices: readonly Choice[],
): Parameter<Choice | undefined> {
  return {
    required: false,
    description,
    document: { type: "string", enum: choices },
    read(text, name) {
      if (text === undefined) return undefined;
      const choice = choices.find((each) => each === text);
      if (choice === undefined) throw invalid(name, `must be one of ${choices.join(", ")}`);
      return choice;
    },
  };
}

/** For operations that create a record: whether the response contains the whole record (decision 0052). */
export const returnParameter: Parameter<"full" | undefined> = choiceParameter(
  "`full` returns the whole record in `data`, as the operation that gets one record does. An addition to the first API contract",
  ["full"],
);

export function textParameter(description: string): Parameter<string | undefined> {
  return {
    required: false,
    description,
    document: { type: "string" },
    read: (text, name) => (text === undefined ? undefined : plain(text, name)),
  };
}

/** An empty search matches everything, like no search. */
export function searchParameter(description: string): Parameter<string | undefined> {
  return { ...textParameter(description), read: (text, name) => (text ? plain(text, name) : undefined) };
}

/** Identifies the target of an update or a deletion (Spec 4.0). Blank counts as missing. */
export function targetParameter(description: string, example?: string): Parameter<string> {
  return {
    required: true,
    description,
    document: { type: "string", ...(example === undefined ? {} : { example }) },
    read(text, name) {
      if (text === undefined || text.trim() === "") throw missingParameter(name);
      return plain(text, name);
    },
  };
}

/** A path segment. A blank one gives `<name>: <name> is required` (D14). */
export function pathParameter(description: string, example?: string): Parameter<string> {
  return {
    required: true,
    description,
    document: { type: "string", minLength: 1, ...(example === undefined ? {} : { example }) },
    read(text, name) {
      if (text === undefined || text.trim() === "") throw invalid(name, `${name} is required`);
      return plain(text, name);
    },
  };
}

/** The record's segment at the end of a path. Without it the path does not exist, so an empty one gives 404. */
export function lastSegmentParameter(description: string, example?: string): Parameter<string> {
  return { ...pathParameter(description, example), refusesEmptySegment: true };
}

export function timeParameter(description: string): Parameter<number | undefined> {
  return {
    required: false,
    description,
    document: { type: "string", format: "date-time", example: "2027-01-31T09:30:00Z" },
    read(text, name) {
      if (text === undefined) return undefined;
      const at = /^\d{4}-\d{2}-\d{2}(?:T[\d:.]+(?:Z|[+-]\d{2}:\d{2}))?$/.test(text) ? Date.parse(text) : Number.NaN;
      if (Number.isNaN(at)) throw invalid(name, "must be an ISO 8601 timestamp");
      return at;
    },
  };
}

function plain(text: string, name: string): string {
  if (!isPlainText(text)) throw invalid(name, PLAIN_TEXT_MESSAGE);
  return text;
}

/** Repeated parameters are rejected, because clients and servers disagree about their meaning (D9, API-10). */
export function readParameters<P extends Parameters>(
  declared: P,
  find: (name: string) => readonly string[],
): ValuesOf<P> {
  const values: Record<string, unknown> = {};
  for (const [name, parameter] of Object.entries(declared)) {
    const texts = find(name);
    if (texts.length > 1) throw invalid(name, "must be given once");
    values[name] = parameter.read(texts[0], name);
  }
  // Each declared name was just read with its own parameter.
  return values as ValuesOf<P>;
}
