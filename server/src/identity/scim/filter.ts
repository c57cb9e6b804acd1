import { ScimError } from "./scim-error.ts";

/** Filters of RFC 7644, section 3.4.2.2. */

export type Operator = "eq" | "ne" | "co" | "sw" | "ew" | "gt" | "ge" | "lt" | "le" | "pr";
export type FilterValue = string | number | boolean | null;

/** An attribute, a filter on its values, and a sub-attribute, such as `emails[type eq "work"].value`. */
export interface AttributePath {
  /** In lower case, without the URN of its schema. */
  readonly attribute: string;
  /** The URN before the name, in lower case. */
  readonly schema?: string | undefined;
  readonly filter?: Filter | undefined;
  readonly sub?: string | undefined;
}

export type Filter =
  | { readonly kind: "compare"; readonly path: AttributePath; readonly operator: Operator; readonly value: FilterValue }
  | { readonly kind: "values"; readonly path: AttributePath }
  | { readonly kind: "and" | "or"; readonly filters: readonly Filter[] }
  | { readonly kind: "not"; readonly filter: Filter };

const MAX_LENGTH = 8_000;
const MAX_DEPTH = 12;
const MAX_COMPARISONS = 100;
const OPERATORS: ReadonlySet<string> = new Set(["eq", "ne", "co", "sw", "ew", "gt", "ge", "lt", "le", "pr"]);

const TOKEN =
  /\s*(?:(?<punctuation>[()[\]])|(?<string>"(?:[^"\\]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*")|(?<number>-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)(?![\w$:-])|(?<word>(?:urn:[\w.:-]+:)?[A-Za-z$][\w$-]*(?:\.[A-Za-z$][\w$-]*)?)|(?<sub>\.[A-Za-z$][\w$-]*))/y;

type Kind = "invalidFilter" | "invalidPath";

/** Reads a filter, or throws the error of RFC 7644. */
export function parseFilter(text: string): Filter {
  const parser = new Parser(text, "invalidFilter");
  const filter = parser.filter(0);
  parser.end();
  return filter;
}

/** Reads the path of a PATCH operation. */
export function parsePath(text: string): AttributePath {
  const parser = new Parser(text, "invalidPath");
  const path = parser.path(0);
  parser.end();
  return path;
}

interface Token {
  readonly kind: "punctuation" | "string" | "number" | "word" | "sub" | "end";
  readonly text: string;
}

class Parser {
  readonly #text: string;
  readonly #kind: Kind;
  #position = 0;
  #comparisons = 0;
  #next: Token;

  constructor(text: string, kind: Kind) {
    this.#text = text;
    this.#kind = kind;
    if (text.length > MAX_LENGTH) throw this.#fail(`must be at most ${MAX_LENGTH} characters`);
    this.#next = this.#read();
  }

  filter(depth: number): Filter {
    return this.#list(depth, "or", () => this.#list(depth, "and", () => this.#factor(depth)));
  }

  path(depth: number): AttributePath {
    const word = this.#take("word");
    const path = splitName(word.text);
    if (!this.#isPunctuation("[")) return path;
    if (path.sub !== undefined) throw this.#fail(`unexpected "[" after ${word.text}`);
    this.#advance();
    const filter = this.filter(depth + 1);
    this.#expect("]");
    const sub = this.#next.kind === "sub" ? this.#take("sub").text.slice(1).toLowerCase() : undefined;
    return { ...path, filter, sub };
  }

  end(): void {
    if (this.#next.kind !== "end") throw this.#fail(`unexpected "${this.#next.text}"`);
  }

  #list(depth: number, kind: "and" | "or", read: () => Filter): Filter {
    if (depth > MAX_DEPTH) throw this.#fail("has too many nested parts");
    const first = read();
    const filters = [first];
    while (this.#isWord(kind)) {
      this.#advance();
      filters.push(read());
    }
    return filters.length === 1 ? first : { kind, filters };
  }

  #factor(depth: number): Filter {
    if (this.#isPunctuation("(")) return this.#group(depth);
    const path = this.path(depth);
    if (path.attribute === "not" && path.filter === undefined && this.#isPunctuation("(")) {
      return { kind: "not", filter: this.#group(depth) };
    }
    if (++this.#comparisons > MAX_COMPARISONS) throw this.#fail("has too many comparisons");
    if (path.filter !== undefined && path.sub === undefined && !this.#isOperator()) return { kind: "values", path };
    const operator = this.#take("word").text.toLowerCase();
    if (!OPERATORS.has(operator)) throw this.#fail(`unknown operator "${operator}"`);
    const value = operator === "pr" ? null : this.#value();
    return { kind: "compare", path, operator: operator as Operator, value }; // checked above
  }

  #group(depth: number): Filter {
    this.#expect("(");
    const filter = this.filter(depth + 1);
    this.#expect(")");
    return filter;
  }

  #value(): FilterValue {
    const { kind, text } = this.#next;
    this.#advance();
    if (kind === "string") return this.#string(text);
    if (kind === "number") return Number(text);
    const word = text.toLowerCase();
    if (word === "true" || word === "false") return word === "true";
    if (word === "null") return null;
    throw this.#fail(kind === "end" ? "ends before a value" : `expected a value instead of "${text}"`);
  }

  /** The token has the form of a JSON string, but can contain control characters. */
  #string(text: string): string {
    let value: unknown;
    try {
      value = JSON.parse(text);
    } catch {
      // Handled like a value that Postgres cannot compare with.
    }
    if (typeof value === "string" && value.isWellFormed() && !value.includes("\0")) return value;
    throw this.#fail("contains control characters");
  }

  #isOperator(): boolean {
    return this.#next.kind === "word" && OPERATORS.has(this.#next.text.toLowerCase());
  }

  #isWord(word: string): boolean {
    return this.#next.kind === "word" && this.#next.text.toLowerCase() === word;
  }

  #isPunctuation(text: string): boolean {
    return this.#next.kind === "punctuation" && this.#next.text === text;
  }

  #expect(text: string): void {
    if (!this.#isPunctuation(text)) throw this.#fail(`expected "${text}"`);
    this.#advance();
  }

  #take(kind: Token["kind"]): Token {
    const token = this.#next;
    if (token.kind !== kind) throw this.#fail(token.kind === "end" ? "is incomplete" : `unexpected "${token.text}"`);
    this.#advance();
    return token;
  }

  #advance(): void {
    this.#next = this.#read();
  }

  #read(): Token {
    TOKEN.lastIndex = this.#position;
    const match = TOKEN.exec(this.#text);
    if (!match) {
      const rest = this.#text.slice(this.#position).trim();
      if (rest === "") return { kind: "end", text: "" };
      throw this.#fail(`unexpected "${rest.slice(0, 20)}"`);
    }
    this.#position = TOKEN.lastIndex;
    const [kind, text] = Object.entries(match.groups ?? {}).find(([, value]) => value !== undefined) ?? ["end", ""];
    return { kind: kind as Token["kind"], text: text ?? "" }; // the groups of the expression are the kinds
  }

  #fail(reason: string): ScimError {
    const what = this.#kind === "invalidFilter" ? "filter" : "path";
    return new ScimError(400, `${what}: ${reason}`, this.#kind);
  }
}

/** `urn:…:User:name.givenName`. Names are case-insensitive. */
function splitName(text: string): AttributePath {
  const name = text.toLowerCase();
  const colon = name.startsWith("urn:") ? name.lastIndexOf(":") : -1;
  const schema = colon === -1 ? undefined : name.slice(0, colon);
  const [attribute = "", sub] = name.slice(colon + 1).split(".");
  return { attribute, schema, sub };
}
