import { EgressRefused } from "../failure.ts";
import { HEADER_NAME, HEADER_VALUE, RESERVED_HEADERS } from "../request-rules.ts";

/** The header lines of a request, from alternating names and values. Throws `EgressRefused` for invalid ones. */
export function headerLines(headers: readonly string[]): string {
  let lines = "";
  for (let i = 0; i < headers.length; i += 2) {
    const [name = "", value = ""] = [headers[i], headers[i + 1]];
    if (!HEADER_NAME.test(name) || RESERVED_HEADERS.has(name.toLowerCase())) {
      throw new EgressRefused("a header name is not allowed");
    }
    if (!HEADER_VALUE.test(value))
      throw new EgressRefused("a header value contains a character that HTTP does not allow");
    lines += `${name}: ${value}\r\n`;
  }
  return lines;
}

/** Caches the lines of header lists that are reused, such as those of a session. */
export class PreparedLines {
  readonly #known = new WeakMap<readonly string[], string>();

  of(headers: readonly string[]): string {
    const known = this.#known.get(headers);
    if (known !== undefined) return known;
    const lines = headerLines(headers);
    this.#known.set(headers, lines);
    return lines;
  }
}
