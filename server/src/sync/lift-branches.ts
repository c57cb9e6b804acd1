import { isJsonObject, type Json } from "./exact-json.ts";

/**
 * The properties that the branches of root combinators name, as properties of the root: what stays of a union when its
 * combinator goes. One that branches describe differently may be any of that. What the root says itself stands.
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
  const more = [...lifted].filter(([name]) => !Object.hasOwn(own, name)).map(([name, said]) => [name, anyOf(said)]);
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

function anyOf(said: readonly Json[]): Json {
  const different = new Map(said.map((property) => [JSON.stringify(property), property]));
  const [first = {}, ...others] = different.values();
  return others.length === 0 ? first : { anyOf: [first, ...others] };
}
