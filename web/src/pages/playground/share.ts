import { parseWithBigInts, stringifyExact } from "#openapi/json";

/**
 * Arguments in a link stand behind the hash sign, which browsers send to nobody. They fill in the form; nothing is ever
 * run by opening a link.
 */
export function sharedArguments(given: unknown): string {
  const bytes = new TextEncoder().encode(stringifyExact(given));
  const text = btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""));
  return `arguments=${text.replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "")}`;
}

/** Undefined: none are there, or nothing that we wrote. */
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
