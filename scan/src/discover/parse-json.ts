import { type ParseErrorCode, visit } from "jsonc-parser";

export type Fields = Readonly<Record<string, unknown>>;

/** The values of keys that occur again later in the same object. Most clients use the last one, but not all. */
const REPLACED = Symbol("replaced");

interface WithReplaced {
  [REPLACED]?: [key: string, value: unknown][];
}

/** JSON with comments and trailing commas. Keys such as `__proto__` are like others. Throws if the text is not valid. */
export function parseJson(source: string): unknown {
  let root: unknown;
  let key = "";
  const open: { readonly value: Fields | unknown[]; readonly key: string }[] = [];
  const add = (value: unknown) => {
    const parent = open.at(-1)?.value;
    if (parent === undefined) root = value;
    else if (Array.isArray(parent)) parent.push(value);
    else setField(parent, key, value);
  };
  const begin = (value: Fields | unknown[]) => {
    add(value);
    open.push({ value, key });
  };
  const end = () => {
    open.pop();
  };
  visit(
    source,
    {
      onObjectBegin: () => begin({}),
      onArrayBegin: () => begin([]),
      onObjectEnd: end,
      onArrayEnd: end,
      onObjectProperty: (name) => {
        key = name;
      },
      onLiteralValue: add,
      onError: (_error: ParseErrorCode) => {
        throw new SyntaxError("Invalid JSON");
      },
    },
    { allowTrailingComma: true },
  );
  return root;
}

function setField(fields: Fields & WithReplaced, key: string, value: unknown): void {
  if (Object.hasOwn(fields, key)) addEarlierValues(fields, [[key, fields[key]]]);
  Object.defineProperty(fields, key, { value, writable: true, enumerable: true, configurable: true });
}

/** Values that `allFields` returns before those of the object. */
export function addEarlierValues(
  fields: Fields & WithReplaced,
  values: readonly [key: string, value: unknown][],
): void {
  const replaced = fields[REPLACED] ?? [];
  // Not enumerable, so the object is equal to one without it.
  if (replaced.length === 0) Object.defineProperty(fields, REPLACED, { value: replaced, configurable: true });
  replaced.push(...values);
}

/** All values of all keys, also those that occur again later. Those that most clients use are the last. */
export function allFields(fields: Fields): [key: string, value: unknown][] {
  return [...((fields as WithReplaced)[REPLACED] ?? []), ...Object.entries(fields)];
}
