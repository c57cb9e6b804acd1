import fc from "fast-check";
import type { ApiDocument, Operation, Parameter } from "../kit/document.ts";
import { type KnownValues, ValuesOfSchema } from "./values-of-schema.ts";
import { escaped, wildBody, wildText } from "./wild-values.ts";

/** A complete request, so that a counterexample can be repeated. */
export interface FuzzRequest {
  readonly operation: string;
  readonly method: string;
  readonly path: string;
  readonly withToken: boolean;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Buffer | undefined;
}

const CONTENT_TYPES = [
  "text/plain",
  "application/json; charset=latin1",
  "application/xml",
  "application/json, text/x",
  "",
];

/** They would change the installation for concurrent tests. */
const LEFT_OUT = "updateSettings";

/** Valid and invalid requests for each operation of the document, by its ID. */
export function fuzzRequests(document: ApiDocument, known: KnownValues): Map<string, fc.Arbitrary<FuzzRequest>> {
  const values = new ValuesOfSchema(document.json.components.schemas, known);
  const fuzzed = document.operations.filter(({ operationId }) => operationId !== LEFT_OUT);
  return new Map(fuzzed.map((operation) => [operation.operationId, requestsTo(operation, values)]));
}

function requestsTo(operation: Operation, values: ValuesOfSchema): fc.Arbitrary<FuzzRequest> {
  const { operationId, method, parameters, body } = operation;
  return fc
    .record({
      path: pathOf(operation, values),
      query: queryOf(parameters, values),
      headers: headersOf(parameters, values),
      contentType: mostly(fc.constant("application/json"), fc.constantFrom(...CONTENT_TYPES)),
      withToken: mostly(fc.constant(true), fc.boolean()),
      body: body ? bodyOf(body, operationId, values) : mostly(fc.constant(undefined), wildBody),
    })
    .map(({ path, query, headers, contentType, withToken, body: content }) => {
      const type = content === undefined ? {} : { "content-type": contentType };
      const request = { method, path: `${path}${query}`, withToken, headers: { ...headers, ...type }, body: content };
      return { operation: operationId, ...request, [fc.toStringMethod]: () => shown(request) };
    });
}

/** Prints a counterexample; long values are truncated. */
function shown({ body, ...request }: Omit<FuzzRequest, "operation">): string {
  const text = typeof body === "string" ? body : body?.toString("base64");
  const cut = text !== undefined && text.length > 2_000 ? `${text.slice(0, 2_000)}… ${text.length} characters` : text;
  return JSON.stringify({ ...request, body: cut }, undefined, 2);
}

function pathOf({ path, parameters }: Operation, values: ValuesOfSchema): fc.Arbitrary<string> {
  const ofPath = parameters.filter((parameter) => parameter.in === "path");
  const texts = ofPath.map((parameter) => mostly(rightText(parameter, values), wildText).map(escaped));
  return fc
    .tuple(...texts)
    .map((given) => ofPath.reduce((filled, { name }, i) => filled.replace(`{${name}}`, () => given[i] ?? ""), path));
}

/** Each parameter omitted, valid, invalid, or repeated, and an unknown parameter. */
function queryOf(parameters: readonly Parameter[], values: ValuesOfSchema): fc.Arbitrary<string> {
  const pairs = parameters
    .filter((parameter) => parameter.in === "query")
    .map((parameter) => {
      const one = mostly(rightText(parameter, values), wildText).map((text) => [[parameter.name, text]]);
      const twice = fc
        .tuple(rightText(parameter, values), wildText)
        .map((texts) => texts.map((text) => [parameter.name, text]));
      const none = fc.constant([]);
      return fc.oneof(
        { weight: parameter.required ? 12 : 4, arbitrary: one },
        { weight: parameter.required ? 1 : 8, arbitrary: none },
        { weight: 1, arbitrary: twice },
      );
    });
  const unknown = mostly(
    fc.constant([]),
    wildText.map((text) => [["unknown", text]]),
  );
  return fc.tuple(...pairs, unknown).map((all) => {
    const query = all.flat().map(([name = "", text = ""]) => `${name}=${escaped(text)}`);
    return query.length === 0 ? "" : `?${query.join("&")}`;
  });
}

function headersOf(parameters: readonly Parameter[], values: ValuesOfSchema): fc.Arbitrary<Record<string, string>> {
  const ofHeader = parameters.filter((parameter) => parameter.in === "header");
  const entries = ofHeader.map((parameter) =>
    mostly(fc.constant(undefined), fc.oneof(rightText(parameter, values), wildText)).map((text) =>
      text === undefined ? [] : [[parameter.name, headerText(text)]],
    ),
  );
  return fc.tuple(...entries).map((all) => Object.fromEntries(all.flat()));
}

/** Node's client sends one byte per character, and no control characters at all. */
function headerText(text: string): string {
  return Buffer.from(text.toWellFormed())
    .toString("latin1")
    .replace(/[^\t\x20-\x7e\x80-\xff]/g, "?");
}

function bodyOf(schema: NonNullable<Operation["body"]>, name: string, values: ValuesOfSchema) {
  const json = (value: unknown) => JSON.stringify(value) ?? "";
  return fc.oneof(
    { weight: 5, arbitrary: values.right(schema, name).map(json) },
    { weight: 6, arbitrary: values.wrong(schema, name).map(json) },
    { weight: 1, arbitrary: wildBody },
  );
}

function rightText({ schema, name }: Parameter, values: ValuesOfSchema): fc.Arbitrary<string> {
  return values.right(schema, name).map(String);
}

function mostly<A, B>(usual: fc.Arbitrary<A>, other: fc.Arbitrary<B>): fc.Arbitrary<A | B> {
  return fc.oneof({ weight: 8, arbitrary: usual }, { weight: 2, arbitrary: other });
}
