/**
 * The relative path from a page to the root of the service: `./` from `/sign-in`, `../` from `/connect/github`. Pages
 * use relative links so that they also work behind a proxy that serves Gatehouse under a path.
 */
export function upTo(url: string): string {
  const path = url.split("?")[0] ?? "/";
  return "../".repeat(path.split("/").length - 2) || "./";
}

const MAX_PATH_LENGTH = 2_000;
const ANY_HOST = "http://any.invalid";

/** The page to open after signing in, relative to a page at the root. Only paths of this site are accepted. */
export function safeReturn(path: string | null | undefined, fallback: string): string {
  const isPath = typeof path === "string" && path.length <= MAX_PATH_LENGTH && /^\/(?![/\\])[\x21-\x7e]*$/.test(path);
  const url = isPath ? URL.parse(path, ANY_HOST) : undefined;
  if (url?.origin !== ANY_HOST || url.pathname.startsWith("//") || url.pathname.includes("\\")) return fallback;
  return `.${url.pathname}${url.search}`;
}
