import { EgressRefused } from "../failure.ts";
import { HEADER_NAME, HEADER_VALUE, RESERVED_HEADERS } from "../request-rules.ts";

/** Lines of a request's head, from names and values in turn. Throws `EgressRefused` on what HTTP does not allow. */
export function headerLines(headers: readonly string[]): string {
  let lines = "";
  for (let i = 0; i < headers.length; i += 2) {
    const [name = "", value = ""] = [headers[i], headers[i + 1]];
    if (!HEADER_NAME.test(name) || RESERVED_HEADERS.has(name.toLowerCase())) {
      throw new EgressRefused("a header name is not one that may be sent");
    }
    if (!HEADER_VALUE.test(value)) throw new EgressRefused("a header value has a character that HTTP does not allow");
    lines += `${name}: ${value}\r\n`;
  }
  return lines;
}

/** The lines of lists that are used again and again, such as those of a session: written once for as long as they live. */
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
