/**
 * Pages link relatively, so that they also work under a proxy that serves us below a path of its own. From the address
 * of a page to our root: `./` from `/sign-in`, `../` from `/connect/github`.
 */
export function upTo(url: string): string {
  const path = url.split("?")[0] ?? "/";
  return "../".repeat(path.split("/").length - 2) || "./";
}

const LONGEST_RETURN = 2_000;
const ANY_HOST = "http://any.invalid";

/** Where to go after signing in, from a page at our root: only to a path of ours, whatever the link said. */
export function safeReturn(path: string | null | undefined, fallback: string): string {
  const isPath = typeof path === "string" && path.length <= LONGEST_RETURN && /^\/(?![/\\])[\x21-\x7e]*$/.test(path);
  const url = isPath ? URL.parse(path, ANY_HOST) : undefined;
  if (url?.origin !== ANY_HOST || url.pathname.startsWith("//") || url.pathname.includes("\\")) return fallback;
  return `.${url.pathname}${url.search}`;
}
