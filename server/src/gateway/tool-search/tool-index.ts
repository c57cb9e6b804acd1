import MiniSearch from "minisearch";
import { isObject } from "#lib/is-object";
import { nextTurn } from "#lib/next-turn";
import type { Listing } from "../snapshot/listing.ts";

/** Texts of a definition beyond these limits are not searchable. They bound the index of a server with huge definitions. */
const MAX_DESCRIPTION_CHARACTERS = 4_000;
const MAX_PARAMETERS = 200;
const MAX_TERMS = 24;
const MAX_TERM_CHARACTERS = 64;
/** Definitions of this size are indexed in about a millisecond. */
const BYTES_PER_TURN = 32 * 1024;
const MANY_TOOLS = 500;
/** Measured with 5,000 tools, whose index takes 17 MB. */
const BYTES_PER_CHARACTER = 6;
const BYTES_PER_TOOL = 300;

interface IndexedTool {
  readonly id: number;
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly parameters: string;
}

const FIELDS = ["name", "title", "description", "parameters"] as const;
const BOOST = { name: 4, title: 3, description: 1.5, parameters: 1 };

/** Ranks the tools of one view by BM25. A tool is identified by its position in the view. */
export class ToolIndex {
  readonly #engine = new MiniSearch<IndexedTool>({
    fields: [...FIELDS],
    tokenize: (text) => this.#tokenize(text),
    processTerm: (term) => term,
    searchOptions: {
      tokenize: (terms) => terms.split(" "),
      boost: BOOST,
      prefix: (term) => term.length > 2,
      weights: { prefix: 0.4, fuzzy: 0.2 },
    },
  });
  /** The number of tools that have a term. */
  readonly #frequency = new Map<string, number>();
  readonly #termsOfTool = new Set<string>();
  #characters = 0;
  #tools = 0;

  /** Estimated. */
  get bytes(): number {
    return this.#characters * BYTES_PER_CHARACTER + this.#tools * BYTES_PER_TOOL;
  }

  /** Indexes in turns, so that calls do not wait for it. */
  static async build(listings: readonly Listing[]): Promise<ToolIndex> {
    const index = new ToolIndex();
    let pending = 0;
    for (const { items, fragment } of listings) {
      for (const { start, end } of items) {
        index.#add(fragment.toString("utf8", start, end));
        pending += end - start;
        if (pending < BYTES_PER_TURN) continue;
        pending = 0;
        await nextTurn();
      }
    }
    return index;
  }

  #add(definition: string): void {
    const tool = indexedTool(this.#tools++, JSON.parse(definition)); // definitions were serialized when they were published
    for (const field of FIELDS) this.#characters += tool[field].length;
    this.#engine.add(tool);
    for (const term of this.#termsOfTool) this.#frequency.set(term, (this.#frequency.get(term) ?? 0) + 1);
    this.#termsOfTool.clear();
  }

  #tokenize(text: string): string[] {
    const terms = tokenize(text);
    for (const term of terms) this.#termsOfTool.add(term);
    return terms;
  }

  /** Positions of the best matches, best first. */
  search(query: string, limit: number): number[] {
    const terms = [...new Set(tokenize(query))].slice(0, MAX_TERMS);
    const found = this.#engine.search(terms.filter((term) => !this.#isCommon(term)).join(" "));
    // Only if little was found: looking for misspelled and common words takes several times as long.
    const more = found.length < limit ? this.#engine.search(terms.join(" "), { fuzzy: tolerance }) : found;
    return more.slice(0, limit).map(({ id }): number => id);
  }

  /** A term of most tools takes long and hardly changes the order. */
  #isCommon(term: string): boolean {
    return this.#tools > MANY_TOOLS && (this.#frequency.get(term) ?? 0) > this.#tools / 2;
  }
}

function tolerance(term: string): number | false {
  return term.length > 3 ? 1 : false;
}

function indexedTool(id: number, definition: unknown): IndexedTool {
  const { name, title, description, annotations, inputSchema } = isObject(definition) ? definition : {};
  const properties = isObject(inputSchema) && isObject(inputSchema.properties) ? inputSchema.properties : {};
  return {
    id,
    name: textOf(name),
    title: textOf(title) || textOf(isObject(annotations) ? annotations.title : ""),
    description: textOf(description).slice(0, MAX_DESCRIPTION_CHARACTERS),
    parameters: Object.keys(properties).slice(0, MAX_PARAMETERS).join(" "),
  };
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}

/** In nearly every description, so they say nothing about a tool. */
const STOP_WORDS = new Set(
  "a all an and any are as at be by can do for from has how i if in into is it its me my not of on or our so that the their them then this to use used using want was when which will with you your".split(
    " ",
  ),
);

/** Lowercase words: `createIssue` and `create_issue` are both `create issue`. Plurals are indexed as singulars. */
function tokenize(text: string): string[] {
  const words = text.replace(CAMEL_CASE, "$1 $2").toLowerCase().match(WORD) ?? [];
  const telling = words.filter((word) => !STOP_WORDS.has(word));
  return telling.map((word) => singular(word.slice(0, MAX_TERM_CHARACTERS)));
}

const CAMEL_CASE = /([\p{Ll}\p{N}])(\p{Lu})/gu;
const WORD = /[\p{L}\p{N}\p{M}]+/gu;

function singular(word: string): string {
  if (word.length > 4 && word.endsWith("ies")) return `${word.slice(0, -3)}y`;
  return word.length > 3 && word.endsWith("s") && !word.endsWith("ss") ? word.slice(0, -1) : word;
}
