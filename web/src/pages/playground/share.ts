import { parseWithBigInts, stringifyExact } from "#openapi/json";

/**
 * Shared arguments are in the URL fragment, which browsers do not send. They only fill in the form; opening a link never
 * runs a tool.
 */
export function sharedArguments(given: unknown): string {
  const bytes = new TextEncoder().encode(stringifyExact(given));
  const text = btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""));
  return `arguments=${text.replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "")}`;
}

/** Undefined: no shared arguments, or invalid ones. */
export function readSharedArguments(hash: string): { readonly given: unknown } | undefined {
  const [, text] = /^#?arguments=([\w-]+)$/.exec(hash) ?? [];
  if (text === undefined) return undefined;
  try {
    const bytes = Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (sign) => sign.charCodeAt(0));
    return { given: parseWithBigInts(new TextDecoder("utf-8", { fatal: true }).decode(bytes)) };
  } catch {
    return undefined;
  }
}
