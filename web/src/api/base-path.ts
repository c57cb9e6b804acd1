/** Set by the server: the path under which a proxy serves the app. */
const basePathMeta =
  typeof document === "undefined" ? "" : document.querySelector<HTMLMetaElement>('meta[name="base-path"]')?.content;

/** Empty at the root, and on the development server, which does not replace the placeholder. */
export const BASE_PATH = basePathMeta?.startsWith("/") ? basePathMeta : "";

/** The URL path of a server endpoint, for links and requests. */
export function withBasePath(path: `/${string}`): string {
  return `${BASE_PATH}${path}`;
}

/** The current path without the base path, for `return_to`. */
export function currentPath(): string {
  const { pathname, search } = window.location;
  return `${pathname.slice(BASE_PATH.length)}${search}`;
}
