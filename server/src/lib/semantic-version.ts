/** Semantic versions without build metadata: https://semver.org */

interface Version {
  readonly numbers: readonly [number, number, number];
  /** Identifiers of a prerelease; empty: a release. */
  readonly prerelease: readonly string[];
}

export const VERSION_BUMPS = ["patch", "minor", "major"] as const;
export type VersionBump = (typeof VERSION_BUMPS)[number];

const NUMBER = "(0|[1-9]\\d{0,8})";
const IDENTIFIER = "(?:0|[1-9]\\d*|\\d*[A-Za-z-][0-9A-Za-z-]*)";
const VERSION = new RegExp(`^${NUMBER}\\.${NUMBER}\\.${NUMBER}(?:-(${IDENTIFIER}(?:\\.${IDENTIFIER})*))?$`);
const MAX_LENGTH = 64;

export function isVersion(text: string): boolean {
  return text.length <= MAX_LENGTH && VERSION.test(text);
}

function parse(text: string): Version {
  const [, major, minor, patch, prerelease] = VERSION.exec(text) ?? [];
  if (major === undefined) throw new Error(`${text} is not a version`);
  return {
    numbers: [Number(major), Number(minor), Number(patch)],
    prerelease: prerelease?.split(".") ?? [],
  };
}

/** Negative if the first version is lower, positive if it is higher. Both must be versions. */
export function compareVersions(one: string, other: string): number {
  const [a, b] = [parse(one), parse(other)];
  for (const [i, number] of a.numbers.entries()) {
    const difference = number - (b.numbers[i] ?? 0);
    if (difference !== 0) return difference;
  }
  // A prerelease comes before its release.
  if (a.prerelease.length === 0 || b.prerelease.length === 0) return b.prerelease.length - a.prerelease.length;
  return comparePrereleases(a.prerelease, b.prerelease);
}

function comparePrereleases(one: readonly string[], other: readonly string[]): number {
  for (const [i, identifier] of one.entries()) {
    const compared = other[i];
    if (compared === undefined) return 1;
    if (identifier !== compared) return compareIdentifiers(identifier, compared);
  }
  return one.length - other.length;
}

/** Numbers come before texts. Both kinds are compared within their kind; numbers can be longer than a safe integer. */
function compareIdentifiers(one: string, other: string): number {
  const [isNumber, isOtherNumber] = [/^\d+$/.test(one), /^\d+$/.test(other)];
  if (isNumber !== isOtherNumber) return isNumber ? -1 : 1;
  if (isNumber && one.length !== other.length) return one.length - other.length;
  return one < other ? -1 : 1;
}

/** The version after this one. A prerelease becomes the release that it precedes if the bump leads there. */
export function bumpVersion(version: string, bump: VersionBump): string {
  const {
    numbers: [major, minor, patch],
    prerelease,
  } = parse(version);
  const isBefore = prerelease.length > 0;
  if (bump === "major") return `${isBefore && minor === 0 && patch === 0 ? major : major + 1}.0.0`;
  if (bump === "minor") return `${major}.${isBefore && patch === 0 ? minor : minor + 1}.0`;
  return `${major}.${minor}.${isBefore ? patch : patch + 1}`;
}
