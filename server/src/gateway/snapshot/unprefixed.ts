import { scanJson } from "#lib/json/scanner";
import { watchPlan } from "#lib/json/watch-plan";

const OPEN = Buffer.from("[");
const CLOSE = Buffer.from("]");
const EVERY_ELEMENT = watchPlan([], { elements: Number.POSITIVE_INFINITY });
const NAME = '{"name":"';

/**
 * A server's fragment with the names as the server's own address shows them (D27). Each definition begins with its
 * name, and that name with `{slug}__`, so this cuts bytes out and serializes nothing.
 */
export function withoutPrefix(fragment: Buffer, slug: string): Buffer {
  const { elements } = scanJson([OPEN, fragment, CLOSE], { watch: EVERY_ELEMENT });
  const prefixLength = `${slug}__`.length;
  const parts: Buffer[] = [];
  let copied = 0;
  for (const element of elements) {
    const nameStart = element.start - OPEN.length + NAME.length;
    parts.push(fragment.subarray(copied, nameStart));
    copied = nameStart + prefixLength;
  }
  parts.push(fragment.subarray(copied));
  return Buffer.concat(parts);
}
