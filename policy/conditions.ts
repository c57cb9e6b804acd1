/** The conditions of a rule: how each is compared with the facts. */
import { compileGlob, compileUrlGlob, type Matcher } from "./globs.ts";
import type { ItemFacts, PolicyContext, RuleMatch } from "./policy-types.ts";
import { hostOf, normalizeUrl } from "./urls.ts";

/** Whether a condition holds. Compiled once per policy. */
export type Condition = (facts: ItemFacts, context: PolicyContext) => boolean;
export type ConditionName = keyof RuleMatch;

type Values = (facts: ItemFacts, context: PolicyContext) => readonly (string | undefined)[] | undefined;

/** Compared as globs. */
const GLOBS: Partial<Record<ConditionName, Values>> = {
  name: ({ name }) => [name],
  url: ({ url }) => [url],
  host: ({ host }) => [host],
  package: (facts) => [facts.package],
  command: ({ command, starts = [] }) => [command, ...starts],
  publisher: ({ publishers }) => publishers,
};

/** Compared for equality, regardless of case. */
const EXACT: Partial<Record<ConditionName, Values>> = {
  transport: ({ transport }) => [transport],
  fingerprint: ({ fingerprint }) => [fingerprint],
  digest: ({ digest }) => [digest],
  client: ({ client }) => [client],
  scope: ({ scope }) => [scope],
  review_status: ({ review_status }) => [review_status],
  groups: (_facts, { groups }) => groups,
  users: (_facts, { user }) => [user],
  devices: (_facts, { device_id }) => [device_id],
  os: (_facts, { os }) => [os],
};

const BOOLEANS = ["managed", "registered", "in_registry", "unpinned", "has_scripts"] as const;

export const GLOB_CONDITIONS = Object.keys(GLOBS) as readonly ConditionName[];
export const EXACT_CONDITIONS = Object.keys(EXACT) as readonly ConditionName[];
export const BOOLEAN_CONDITIONS: readonly ConditionName[] = BOOLEANS;

/** In this order, which is also the order in which a trace names the condition that failed. */
export const CONDITION_NAMES: readonly ConditionName[] = [
  ...GLOB_CONDITIONS,
  ...EXACT_CONDITIONS,
  ...BOOLEAN_CONDITIONS,
  "min_risk",
];

/** The conditions of a rule by name. A condition that cannot be understood never holds. */
export function compileConditions(match: RuleMatch): readonly (readonly [string, Condition])[] {
  const unknown = Object.keys(match).filter((name) => !CONDITION_NAMES.includes(name as ConditionName));
  return [
    ...CONDITION_NAMES.filter((name) => match[name] !== undefined).map((name) => [name, compile(name, match)] as const),
    ...unknown.map((name) => [name, () => false] as const),
  ];
}

function compile(name: ConditionName, match: RuleMatch): Condition {
  const expected: unknown = match[name];
  const globs = GLOBS[name];
  if (globs) return compileGlobs(name, asTexts(expected), globs);
  const exact = EXACT[name];
  if (exact) return compileExact(asTexts(expected), exact);
  if (name === "min_risk") return ({ risk }) => typeof expected === "number" && risk !== undefined && risk >= expected;
  const fact = BOOLEANS.find((each) => each === name);
  return (facts) => fact !== undefined && facts[fact] === expected;
}

function compileGlobs(name: ConditionName, globs: readonly string[], values: Values): Condition {
  const matchers = globs
    .map((glob) =>
      name === "url" ? compileUrlGlob(urlGlob(glob)) : compileGlob(name === "host" ? hostGlob(glob) : glob),
    )
    .filter((matcher): matcher is Matcher => matcher !== undefined);
  return (facts, context) =>
    values(facts, context)?.some((value) => value !== undefined && matchers.some((matches) => matches(value))) ?? false;
}

const GLOB_CHARACTERS = /[*?[\]{}]/;

/** A URL as it stands in a configuration, such as with a default port, is compared in its normal form. */
function urlGlob(glob: string): string {
  const url = !GLOB_CHARACTERS.test(glob) && /^https?:\/\/[^/]/i.test(glob) ? normalizeUrl(glob) : glob;
  return withoutLastSlash(GLOB_CHARACTERS.test(url) ? glob : url);
}

/** Also the host of a URL. With another port than the default one, a host matches nothing, because it would match all ports. */
function hostGlob(glob: string): string {
  const url = glob.includes("://") ? glob : `https://${glob}`;
  if (GLOB_CHARACTERS.test(glob) || !URL.canParse(url) || new URL(url).port !== "") return glob;
  return hostOf(url) ?? glob;
}

/** Normalized URLs have no slash at the end. */
export function withoutLastSlash(glob: string): string {
  return glob.replace(/(?<=[^/*])\/$/, "");
}

function compileExact(expected: readonly string[], values: Values): Condition {
  const wanted = new Set(expected.map((value) => value.toLowerCase()));
  return (facts, context) =>
    values(facts, context)?.some((value) => value !== undefined && wanted.has(value.toLowerCase())) ?? false;
}

/** A policy can arrive from a cache or the network, so other shapes are tolerated. */
export function asTexts(value: unknown): readonly string[] {
  const list = Array.isArray(value) ? value : [value];
  return list.filter((each): each is string => typeof each === "string");
}
