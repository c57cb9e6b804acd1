/** JSON as text, with everything that a parser and a serializer between caller and upstream would change (GW-20). */
import fc from "fast-check";

export interface JsonTextOptions {
  /** Line ends between tokens: an event stream cannot carry them unchanged. */
  readonly lineEnds: boolean;
}

const ODD_NUMBERS = [
  ...["-0", "0.1000", "1e400", "-1E-400", "1E+2", "9007199254740993", "-9223372036854775808", "18446744073709551616"],
  ...["0e0", "1.0", "123456789012345678901234567890.000"],
];
const ODD_STRINGS = [
  ...[String.raw`"\ud800"`, String.raw`"\uDFFF\uD800"`, String.raw`"\u0000\u001f"`, String.raw`"\/\b\f\n\r\t\"\\"`],
  ...[String.raw`"\u00e4"`, '"ä"', '"👩‍👩‍👧"', '"\u2028\u2029\ufeff"', '""', '"__proto__"'],
];
const ODD_KEYS = ['"__proto__"', '"constructor"', String.raw`"\u005f_proto__"`, '"a"', '"b"', '"10"', '"9"', '""'];

const numberText = fc.oneof(
  fc.constantFrom(...ODD_NUMBERS),
  fc.stringMatching(/^-?(0|[1-9][0-9]{0,30})(\.[0-9]{1,20})?([eE][+-]?[0-9]{1,4})?$/),
);
const stringText = fc.oneof(
  fc.constantFrom(...ODD_STRINGS),
  fc.string({ unit: "grapheme" }).map((value) => JSON.stringify(value)),
);
/** Few keys, so that duplicates are common: within arguments they are passed through. */
const keyText = fc.oneof({ weight: 4, arbitrary: fc.constantFrom(...ODD_KEYS) }, { weight: 1, arbitrary: stringText });

function spaceText({ lineEnds }: JsonTextOptions): fc.Arbitrary<string> {
  const unit = fc.constantFrom(" ", "\t", ...(lineEnds ? ["\n", "\r"] : []));
  return fc.oneof(
    { weight: 3, arbitrary: fc.constant("") },
    { weight: 1, arbitrary: fc.string({ unit, maxLength: 3 }) },
  );
}

/** The text of an object with arbitrary content. */
export function objectText(options: JsonTextOptions): fc.Arbitrary<string> {
  const space = spaceText(options);
  const spaced = (text: fc.Arbitrary<string>) => fc.tuple(space, text, space).map((parts) => parts.join(""));
  const { object } = fc.letrec<{ value: string; object: string; array: string }>((tie) => ({
    value: fc.oneof(
      { depthSize: "small", withCrossShrink: true },
      numberText,
      stringText,
      fc.constantFrom("true", "false", "null"),
      tie("object"),
      tie("array"),
    ),
    object: fc
      .tuple(fc.array(fc.tuple(spaced(keyText), spaced(tie("value")))), space)
      .map(([members, inner]) => `{${members.map((member) => member.join(":")).join(",") || inner}}`),
    array: fc
      .tuple(fc.array(spaced(tie("value"))), space)
      .map(([elements, inner]) => `[${elements.join(",") || inner}]`),
  }));
  return object;
}

/** IDs of every type and size (GW-3). */
export const idText = fc.oneof(
  numberText,
  stringText,
  fc.integer({ min: 0, max: 3 }).map(String),
  fc.nat({ max: 5000 }).map((length) => `"${"i".repeat(length)}"`),
);

/** An object with this many levels of nesting. */
export function nestedText(levels: number): string {
  return `${'{"a":'.repeat(levels - 1)}{}${"}".repeat(levels - 1)}`;
}
