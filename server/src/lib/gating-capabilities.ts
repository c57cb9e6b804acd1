/**
 * The client capabilities that servers look at before they list a tool. A member of another one needs that one too:
 * `elicitation.url` is `elicitation` with URL mode.
 */
export const GATING_CAPABILITIES = ["elicitation", "elicitation.url", "roots", "sampling", "sampling.tools"] as const;
export type GatingCapability = (typeof GATING_CAPABILITIES)[number];

type Declared = Readonly<Record<string, unknown>>;

/** A set of capabilities as a number, one bit each. */
export type CapabilityMask = number;

export function capabilityMask(names: readonly GatingCapability[]): CapabilityMask {
  return names.reduce((mask, name) => mask | (1 << GATING_CAPABILITIES.indexOf(name)), 0);
}

export const ALL_CAPABILITIES: CapabilityMask = capabilityMask(GATING_CAPABILITIES);

export function capabilitiesIn(mask: CapabilityMask): GatingCapability[] {
  return GATING_CAPABILITIES.filter((_name, bit) => (mask & (1 << bit)) !== 0);
}

/** `declared` is the member `capabilities` of a client. */
export function declaredMask(declared: Declared): CapabilityMask {
  return capabilityMask(GATING_CAPABILITIES.filter((name) => isDeclared(declared, name)));
}

function isDeclared(declared: Declared, name: GatingCapability): boolean {
  let value: unknown = declared;
  for (const member of name.split(".")) {
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, member)) return false;
    value = (value as Declared)[member];
  }
  return (typeof value === "object" && value !== null) || value === true;
}

/** The member `capabilities` of a client with these capabilities. */
export function declarationOf(names: readonly GatingCapability[]): Record<string, Record<string, object>> {
  const declared: Record<string, Record<string, object>> = {};
  for (const name of names) {
    const [capability = "", member] = name.split(".");
    const members = { ...declared[capability], ...(capability === "elicitation" && { form: {} }) };
    declared[capability] = member === undefined ? members : { ...members, [member]: {} };
  }
  return declared;
}
