const BROWSERS: ReadonlyArray<readonly [mark: RegExp, name: string]> = [
  [/\bEdg\//, "Edge"],
  [/\bOPR\//, "Opera"],
  [/\bFirefox\//, "Firefox"],
  [/\b(?:Headless)?Chrom(?:e|ium)\//, "Chrome"],
  [/\bSafari\//, "Safari"],
];
const SYSTEMS: ReadonlyArray<readonly [mark: RegExp, name: string]> = [
  [/iPhone|iPad/, "iOS"],
  [/Android/, "Android"],
  [/Windows/, "Windows"],
  [/Mac OS X|Macintosh/, "macOS"],
  [/Linux/, "Linux"],
];

/** "Firefox on macOS", from a user agent. Unknown user agents are returned unchanged. */
export function browserName(userAgent: string): string {
  const find = (known: typeof BROWSERS) => known.find(([mark]) => mark.test(userAgent))?.[1];
  const [browser, system] = [find(BROWSERS), find(SYSTEMS)];
  if (browser === undefined) return userAgent === "" ? "Unknown" : userAgent;
  return system === undefined ? browser : `${browser} on ${system}`;
}
