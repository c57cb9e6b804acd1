import { isJsonObject, type Json } from "./exact-json.ts";

/**
 * Copies the properties of root combinators' branches to the root, because the combinators are removed afterwards. A
 * property that branches define differently becomes an `anyOf`. Properties of the root take precedence.
 */
export function liftBranches(schema: Json): Json {
  const always = branchesOf(schema.allOf);
  const lifted = new Map<string, Json[]>();
  for (const { properties } of [...always, ...branchesOf(schema.anyOf), ...branchesOf(schema.oneOf)]) {
    for (const [name, property] of Object.entries(isJsonObject(properties) ? properties : {})) {
      if (isJsonObject(property)) lifted.set(name, [...(lifted.get(name) ?? []), property]);
    }
  }
  const own = isJsonObject(schema.properties) ? schema.properties : {};
  const more = [...lifted]
    .filter(([name]) => !Object.hasOwn(own, name))
    .map(([name, definitions]) => [name, anyOf(definitions)]);
  const required = [schema, ...always].flatMap((branch) => (Array.isArray(branch.required) ? branch.required : []));
  return {
    ...schema,
    ...(more.length > 0 && { properties: { ...own, ...Object.fromEntries(more) } }),
    ...(required.length > 0 && { required: [...new Set(required)] }),
  };
}

function branchesOf(combinator: unknown): Json[] {
  return Array.isArray(combinator) ? combinator.filter(isJsonObject) : [];
}

function anyOf(definitions: readonly Json[]): Json {
  const distinct = new Map(definitions.map((property) => [JSON.stringify(property), property]));
  const [first = {}, ...others] = distinct.values();
  return others.length === 0 ? first : { anyOf: [first, ...others] };
}
