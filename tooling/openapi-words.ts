import type { ApiDocument, OperationObject, Schema } from "./openapi-types.ts";

/** These two wrap every list and record, and their content is described. */
const ENVELOPE = new Set(["data", "pagination"]);

/** The places of the API document without a description. */
export function undescribed(document: ApiDocument): string[] {
  const tags = document.tags.filter((tag) => !tag.description).map((tag) => `tag ${tag.name}`);
  const schemas = Object.entries(document.components.schemas).flatMap(([name, schema]) => silentFields(schema, name));
  const operations = Object.values(document.paths).flatMap((methods) => Object.values(methods).flatMap(silentParts));
  return [...tags, ...schemas, ...operations];
}

function silentParts(operation: OperationObject): string[] {
  const { operationId, parameters, requestBody, responses } = operation;
  const silent = parameters.filter((parameter) => !parameter.description).map(({ name }) => `${operationId} ${name}`);
  const body = requestBody?.content?.["application/json"];
  const answers = Object.entries(responses).flatMap(([status, { content }]) => {
    const schema = content?.["application/json"]?.schema;
    return schema ? silentFields(schema, `${operationId} ${status}`, ENVELOPE) : [];
  });
  return [...silent, ...(body ? silentFields(body.schema, `${operationId} body`) : []), ...answers];
}

function silentFields(schema: Schema, place: string, exempt: ReadonlySet<string> = new Set()): string[] {
  const fields = Object.entries(schema.properties ?? {}).flatMap(([name, field]) => [
    ...(field.description || refers(field) || exempt.has(name) ? [] : [`${place}.${name}`]),
    ...silentFields(field, `${place}.${name}`),
  ]);
  const { items, additionalProperties, allOf = [], oneOf = [], anyOf = [] } = schema;
  const within = [items, additionalProperties, ...allOf, ...oneOf, ...anyOf].filter((each) => typeof each === "object");
  return [...fields, ...within.flatMap((each) => silentFields(each, place))];
}

/** Named schemas are described at their definition. */
function refers({ $ref, allOf }: Schema): boolean {
  return $ref !== undefined || allOf?.[0]?.$ref !== undefined;
}
