import { isDeepStrictEqual } from "node:util";
import { z } from "zod";

export type Json = Record<string, unknown>;

/** Keywords whose values are data and are copied unchanged, and keywords whose members are field names. */
const DATA = new Set(["example", "default"]);
const NAMES = new Set(["properties", "definitions"]);

/** Converts a schema to OpenAPI 3.0. Schemas with an ID become components, which are collected in `components`. */
export function schemaOf(schema: z.ZodType, components: Json, io: "input" | "output"): Json {
  const converted = z.toJSONSchema(schema, {
    target: "openapi-3.0",
    io,
    reused: "inline",
    unrepresentable: "any",
  });
  const { definitions = {}, $schema: _dialect, id, ...rest } = readable(converted) as Json & { id?: string };
  for (const [name, definition] of Object.entries(definitions as Record<string, Json>)) {
    const { id: _id, ...component } = definition;
    addComponent(components, name, component);
  }
  if (id === undefined) return rest;
  addComponent(components, id, rest);
  return { $ref: `#/components/schemas/${id}` };
}

function addComponent(components: Json, name: string, component: Json): void {
  const known = components[name];
  if (known !== undefined && !isDeepStrictEqual(known, component)) {
    throw new Error(`two schemas are called ${name}, or its input and output differ`);
  }
  components[name] = component;
}

/** Spec 9.3: fields are added without a new version, so no object is declared closed. */
function readable(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(readable);
  if (typeof value !== "object" || value === null) return value;
  const keywords = Object.entries(value).filter(([keyword, member]) => !isNoise(keyword, member));
  const schema: Json = Object.fromEntries(
    keywords.map(([keyword, member]) => [keyword, readableMember(keyword, member)]),
  );
  // OpenAPI 3.0.3: a nullable enum must list null.
  if (schema.nullable === true && Array.isArray(schema.enum)) schema.enum = [...schema.enum, null];
  return schema;
}

function isNoise(keyword: string, member: unknown): boolean {
  if (keyword === "additionalProperties") return member === false;
  if (keyword === "minimum") return member === Number.MIN_SAFE_INTEGER;
  if (keyword === "maximum") return member === Number.MAX_SAFE_INTEGER;
  return false;
}

function readableMember(keyword: string, member: unknown): unknown {
  if (DATA.has(keyword)) return member;
  if (NAMES.has(keyword)) {
    const members = Object.entries(member as Json); // zod writes an object for both keywords
    return Object.fromEntries(members.map(([name, schema]) => [name, readable(schema)]));
  }
  if (keyword !== "$ref" || typeof member !== "string") return readable(member);
  return member.replace("#/definitions/", "#/components/schemas/");
}
