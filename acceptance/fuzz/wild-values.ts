import fc from "fast-check";

/** Values that break other services: empty text, NUL, unpaired surrogates, injections, names of Object members. */
const TEXTS = [
  "",
  " ",
  "\0",
  "a\0b",
  "\ud800",
  "a\udc00b",
  "\ufeffa",
  "\u202eabc",
  "e\u0301",
  "İ",
  "ẞß",
  "ｆｕｌｌ",
  "😀",
  "%",
  "_",
  "\\",
  "'; drop table groups; --",
  '"',
  "../..",
  "\r\nset-cookie: a=b",
  "<script>",
  "$" + "{HOME}",
  "__proto__",
  "constructor",
  "toString",
  "null",
  "-1",
  "1e3",
];
/** Lengths around the limits. */
const LENGTHS = [40, 41, 64, 100, 254, 255, 256, 500, 2_000, 2_001];
const LARGE_LENGTHS = [...LENGTHS, 10_000, 10_001, 50_001, 200_000];

const lengthened = (lengths: readonly number[]) =>
  fc.tuple(fc.constantFrom("x", "ä", "😀", " "), fc.constantFrom(...lengths)).map(([text, n]) => text.repeat(n));

/** Short enough for a URL. */
export const wildText: fc.Arbitrary<string> = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...TEXTS) },
  { weight: 2, arbitrary: fc.string({ unit: "binary", maxLength: 30 }) },
  { weight: 1, arbitrary: lengthened([40, 41, 254, 256, 400]) },
);

export const wildValue: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 3, arbitrary: wildText },
  { weight: 1, arbitrary: lengthened(LARGE_LENGTHS) },
  {
    weight: 3,
    arbitrary: fc.constantFrom(null, true, false, 0, -0, -1, 1.5, 101, 1e308, 2 ** 53, [], {}, [null], [[]]),
  },
  { weight: 1, arbitrary: fc.constantFrom(101, 1_001).map((n) => Array.from({ length: n }, (_, i) => `x${i}`)) },
  { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 3 }) },
);

/** Bodies that are not JSON objects, or unusual ones. */
export const wildBody: fc.Arbitrary<string | Buffer> = fc.oneof(
  fc.constantFrom<string | Buffer>(
    "",
    " ",
    "{",
    "[]",
    "null",
    '"text"',
    "1e999",
    "{}{}",
    "{'name': 1}",
    '{"name":"a","name":"b"}',
    '{"__proto__":{"name":"a"},"constructor":{"prototype":{}}}',
    '\ufeff{"name":"a"}',
    `{"name":${"[".repeat(5_000)}${"]".repeat(5_000)}}`,
    `{"name":"${"x".repeat(1_100_000)}"}`,
    Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x7d]),
    Buffer.from('{"name":"\u00e4"}', "utf16le"),
  ),
  fc.json({ maxDepth: 3 }),
);

/** Escapes every byte for a URL; text that cannot be encoded is sent as raw bytes. */
export function escaped(text: string): string {
  const bytes = (character: string) => {
    if (character.isWellFormed()) return encodeURIComponent(character);
    return character < "\udc00" ? "%ED%A0%80" : "%ED%B0%80";
  };
  return [...text].map(bytes).join("");
}
