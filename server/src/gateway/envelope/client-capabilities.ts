import { isObject } from "#lib/is-object";

/** The client capabilities that let servers send requests, limited to the requests the gateway can relay. */
export type ClientCapabilities = Readonly<Partial<Record<RequestCapability, Readonly<Record<string, unknown>>>>>;

type RequestCapability = "elicitation" | "roots" | "sampling";

/** Unknown members are dropped: they would enlarge the session id and promise upstreams more than the gateway supports. */
const KNOWN_MEMBERS: Readonly<Record<RequestCapability, readonly string[]>> = {
  elicitation: ["form", "url"],
  roots: ["listChanged"],
  sampling: ["context", "tools"],
};
const REQUEST_CAPABILITIES = Object.keys(KNOWN_MEMBERS) as RequestCapability[]; // the keys of a literal

const CAPABILITY_OF: Readonly<Record<string, RequestCapability>> = {
  "elicitation/create": "elicitation",
  "roots/list": "roots",
  "sampling/createMessage": "sampling",
};

export const NO_CAPABILITIES: ClientCapabilities = {};

/** `declared` is the parsed `capabilities` member of an initialize request. */
export function readCapabilities(declared: object): ClientCapabilities {
  const names = REQUEST_CAPABILITIES.filter((name) => isObject(memberOf(declared, name)));
  return Object.fromEntries(names.map((name) => [name, knownMembers(memberOf(declared, name), KNOWN_MEMBERS[name])]));
}

/** Whether a client with these capabilities accepts a request with this method. */
export function acceptsRequest(capabilities: ClientCapabilities, method: string): boolean {
  const needed = Object.hasOwn(CAPABILITY_OF, method) ? CAPABILITY_OF[method] : undefined;
  return needed !== undefined && capabilities[needed] !== undefined;
}

/** Like `acceptsRequest`, and whether the client supports the mode of an elicitation. `params` is JSON text. */
export function acceptsQuestion(capabilities: ClientCapabilities, method: string, params: string | undefined): boolean {
  if (!acceptsRequest(capabilities, method)) return false;
  const { elicitation } = capabilities;
  if (method !== "elicitation/create" || !elicitation) return true;
  const parsed: unknown = params === undefined ? undefined : JSON.parse(params); // the reader checked that it is JSON
  // A client that declares no mode supports forms.
  if (memberOf(parsed, "mode") !== "url") return elicitation.form !== undefined || elicitation.url === undefined;
  return elicitation.url !== undefined;
}

function knownMembers(given: unknown, names: readonly string[]): Readonly<Record<string, unknown>> {
  const present = names.filter((name) => memberOf(given, name) === true || isObject(memberOf(given, name)));
  return Object.fromEntries(present.map((name) => [name, memberOf(given, name) === true ? true : {}]));
}

function memberOf(value: unknown, name: string): unknown {
  return isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
}
