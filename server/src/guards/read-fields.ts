import { invalid } from "#lib/errors";
import { isObject } from "#lib/is-object";

/** Reads the members of a JSON object, with the messages of the API: `<path>: <reason>`. */
export class FieldReader {
  readonly #path: string;
  readonly #object: Readonly<Record<string, unknown>>;

  /** `path` is empty for the outermost object. */
  constructor(path: string, value: unknown) {
    if (!isObject(value)) throw invalid(path === "" ? "body" : path, "must be an object");
    this.#path = path;
    this.#object = value;
  }

  at(field: string | number): string {
    return this.#path === "" ? String(field) : `${this.#path}.${field}`;
  }

  has(field: string): boolean {
    return this.#object[field] !== undefined;
  }

  /** Rejects misspelled members, which would be a silent hole. */
  refuseUnknown(known: readonly string[]): void {
    const unknown = Object.keys(this.#object).find((key) => !known.includes(key));
    if (unknown !== undefined) throw invalid(this.at(unknown), `is not known; use ${known.join(", ") || "no fields"}`);
  }

  value(field: string): unknown {
    return this.#object[field];
  }

  object(field: string): FieldReader {
    return new FieldReader(this.at(field), this.#object[field]);
  }

  text(field: string, maximum: number, fallback?: string): string {
    const value = this.#object[field] ?? fallback;
    if (value === undefined) throw invalid(this.at(field), `${field} is required`);
    if (typeof value !== "string") throw invalid(this.at(field), "must be a string");
    if (value.length > maximum) throw invalid(this.at(field), `must be at most ${maximum} characters`);
    return value;
  }

  /** A text that is not blank. */
  name(field: string, maximum: number): string {
    const value = this.text(field, maximum);
    if (value.trim() === "") throw invalid(this.at(field), `${field} is required`);
    return value;
  }

  integer(field: string, minimum: number, maximum: number, fallback?: number): number {
    const value = this.#object[field] ?? fallback;
    if (value === undefined) throw invalid(this.at(field), `${field} is required`);
    if (typeof value !== "number" || !Number.isInteger(value) || value < minimum || value > maximum) {
      throw invalid(this.at(field), `must be an integer between ${minimum} and ${maximum}`);
    }
    return value;
  }

  flag(field: string, fallback: boolean): boolean {
    const value = this.#object[field] ?? fallback;
    if (typeof value !== "boolean") throw invalid(this.at(field), "must be true or false");
    return value;
  }

  choice<Choice extends string>(field: string, choices: readonly Choice[], fallback?: Choice): Choice {
    const value = this.#object[field] ?? fallback;
    if (value === undefined) throw invalid(this.at(field), `${field} is required`);
    const found = choices.find((choice) => choice === value);
    if (found === undefined) throw invalid(this.at(field), `must be one of ${choices.join(", ")}`);
    return found;
  }

  /** A list of texts that are not empty. */
  texts(field: string, { minimum = 0, maximum, maxLength }: ListLimits): string[] {
    const list = this.list(field, minimum, maximum);
    return list.map((item, index) => {
      const path = this.at(`${field}.${index}`);
      if (typeof item !== "string" || item === "") throw invalid(path, "must be a text that is not empty");
      if (item.length > maxLength) throw invalid(path, `must be at most ${maxLength} characters`);
      return item;
    });
  }

  list(field: string, minimum: number, maximum: number): readonly unknown[] {
    const value = this.#object[field] ?? (minimum === 0 ? [] : undefined);
    if (value === undefined) throw invalid(this.at(field), `${field} is required`);
    if (!Array.isArray(value) || value.length < minimum || value.length > maximum) {
      throw invalid(this.at(field), `must be a list of ${minimum} to ${maximum} items`);
    }
    return value;
  }
}

interface ListLimits {
  readonly minimum?: number;
  readonly maximum: number;
  readonly maxLength: number;
}
