/** What the server puts into its page: the path below which a proxy serves us. */
const told =
  typeof document === "undefined" ? "" : document.querySelector<HTMLMetaElement>('meta[name="base-path"]')?.content;

/** Empty where we are at the root, and where nobody filled it in: the development server. */
export const BASE_PATH = told?.startsWith("/") ? told : "";

/** Of something that the server itself answers, for links and requests. */
export function withBasePath(path: `/${string}`): string {
  return `${BASE_PATH}${path}`;
}

/** Where we are, as the server knows it: for coming back to. */
export function currentPath(): string {
  const { pathname, search } = window.location;
  return `${pathname.slice(BASE_PATH.length)}${search}`;
}
