/** What a caller's client said that servers may ask of it, as far as we can pass such questions on. */
export type ClientCapabilities = Readonly<Partial<Record<Askable, Readonly<Record<string, unknown>>>>>;

type Askable = "elicitation" | "roots" | "sampling";

/** Only what we know is kept, so that a session's id stays small and nothing is promised upstream that we do not hold. */
const PARTS: Readonly<Record<Askable, readonly string[]>> = {
  elicitation: ["form", "url"],
  roots: ["listChanged"],
  sampling: ["context", "tools"],
};
const ASKABLE = Object.keys(PARTS) as Askable[]; // the keys of a literal

const CAPABILITY_OF: Readonly<Record<string, Askable>> = {
  "elicitation/create": "elicitation",
  "roots/list": "roots",
  "sampling/createMessage": "sampling",
};

export const NO_CAPABILITIES: ClientCapabilities = {};

/** `claimed`: the parsed `capabilities` of an initialize. */
export function readCapabilities(claimed: object): ClientCapabilities {
  const names = ASKABLE.filter((name) => isObject(memberOf(claimed, name)));
  return Object.fromEntries(names.map((name) => [name, knownParts(memberOf(claimed, name), PARTS[name])]));
}

/** Whether a client with these capabilities may be asked this. */
export function mayBeAsked(capabilities: ClientCapabilities, method: string): boolean {
  const needed = Object.hasOwn(CAPABILITY_OF, method) ? CAPABILITY_OF[method] : undefined;
  return needed !== undefined && capabilities[needed] !== undefined;
}

function knownParts(given: unknown, names: readonly string[]): Readonly<Record<string, unknown>> {
  const present = names.filter((name) => memberOf(given, name) === true || isObject(memberOf(given, name)));
  return Object.fromEntries(present.map((name) => [name, memberOf(given, name) === true ? true : {}]));
}

function memberOf(value: unknown, name: string): unknown {
  return isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
