import fc from "fast-check";
import type { Schema } from "../kit/document.ts";
import { wildValue } from "./wild-values.ts";

/** Values that exist in the target, by the names of fields and parameters. */
export type KnownValues = Readonly<Record<string, readonly string[]>>;

/** Generates valid and slightly invalid values from the document's schemas. */
export class ValuesOfSchema {
  readonly #components: Readonly<Record<string, Schema>>;
  readonly #known: KnownValues;
  readonly #fieldNames: readonly string[];

  constructor(components: Readonly<Record<string, Schema>>, known: KnownValues) {
    this.#components = components;
    this.#known = known;
    // API-1: every field name of any body or response is tried in every other body.
    const names = Object.values(components).flatMap((schema) => Object.keys(propertiesOf(schema)));
    this.#fieldNames = [...new Set([...names, "__proto__", "constructor", "org"])];
  }

  right(given: Schema, name: string): fc.Arbitrary<unknown> {
    const schema = this.#resolved(given);
    const value = this.#rightKind(schema, name);
    return schema.nullable === true ? fc.option(value, { freq: 5 }) : value;
  }

  /** For an object: one or two members replaced, omitted, or added; otherwise any value. */
  wrong(given: Schema, name: string): fc.Arbitrary<unknown> {
    const schema = this.#resolved(given);
    if (Array.isArray(schema.oneOf ?? schema.anyOf)) {
      const choices = (schema.oneOf ?? schema.anyOf) as Schema[]; // an array, as checked above
      return fc.oneof(...choices.map((choice) => this.wrong(choice, name)));
    }
    const properties = propertiesOf(schema);
    const names = Object.keys(properties);
    if (names.length === 0) return wildValue;
    const member = fc.constantFrom(...names);
    const change = fc.oneof(
      member.chain((key) =>
        fc.oneof(wildValue, this.wrong(properties[key] ?? {}, key)).map((value) => [key, value] as const),
      ),
      member.map((key) => [key, undefined] as const),
      fc.tuple(fc.constantFrom(...this.#fieldNames), wildValue),
    );
    return fc
      .tuple(this.right(schema, name), fc.array(change, { minLength: 1, maxLength: 2 }))
      .map(([value, changes]) => Object.fromEntries([...Object.entries(value ?? {}), ...changes]));
  }

  #rightKind(schema: Schema, name: string): fc.Arbitrary<unknown> {
    const choices = schema.oneOf ?? schema.anyOf;
    if (Array.isArray(choices)) return fc.oneof(...choices.map((choice: Schema) => this.right(choice, name)));
    if (Array.isArray(schema.enum)) return fc.constantFrom(...schema.enum);
    switch (schema.type) {
      case "boolean":
        return fc.boolean();
      case "integer":
      case "number":
        return rightNumber(schema);
      case "array":
        return fc.array(this.right(schema.items as Schema, name), {
          minLength: numberOf(schema.minItems, 0),
          maxLength: Math.min(numberOf(schema.maxItems, 3), 3),
        });
      case "object":
        return this.#object(schema);
      default:
        return this.#text(schema, name);
    }
  }

  #object(schema: Schema): fc.Arbitrary<unknown> {
    const members: Record<string, fc.Arbitrary<unknown>> = {};
    for (const [name, member] of Object.entries(propertiesOf(schema))) members[name] = this.right(member, name);
    const requiredKeys = (schema.required ?? []) as string[]; // defined by OpenAPI
    return fc.record(members, { requiredKeys });
  }

  #text(schema: Schema, name: string): fc.Arbitrary<string> {
    const maxLength = Math.min(numberOf(schema.maxLength, 20), 20);
    const free = fc.oneof(
      fc.string({ unit: "grapheme", minLength: 1, maxLength }),
      fc.string({ unit: fc.constantFrom(..."abcxyz019"), minLength: 6, maxLength: Math.max(6, maxLength) }),
    );
    const known = this.#known[name];
    return known?.length
      ? fc.oneof({ weight: 3, arbitrary: fc.constantFrom(...known) }, { weight: 1, arbitrary: free })
      : free;
  }

  #resolved(schema: Schema): Schema {
    const [only] = Array.isArray(schema.allOf) ? (schema.allOf as Schema[]) : [];
    const { $ref } = only ?? schema;
    if (typeof $ref !== "string") return only ? { ...only, ...schema } : schema;
    const target = this.#components[$ref.replace("#/components/schemas/", "")];
    if (!target) throw new Error(`the document has no ${$ref}`);
    return { ...target, ...(schema.nullable === true ? { nullable: true } : {}) };
  }
}

function rightNumber(schema: Schema): fc.Arbitrary<number> {
  const min = numberOf(schema.minimum, -1_000);
  const max = numberOf(schema.maximum, Math.max(min, 1_000));
  return schema.type === "integer" ? fc.integer({ min, max }) : fc.double({ min, max, noNaN: true });
}

function numberOf(value: unknown, otherwise: number): number {
  return typeof value === "number" ? value : otherwise;
}

function propertiesOf(schema: Schema): Readonly<Record<string, Schema>> {
  return (schema.properties ?? {}) as Readonly<Record<string, Schema>>; // defined by OpenAPI
}
