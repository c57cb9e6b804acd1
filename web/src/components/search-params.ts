/** Parses one search parameter. Undefined: missing or invalid. */
type Reader<Value> = (text: string) => Value | undefined;

type Read<Readers extends Record<string, Reader<unknown>>> = {
  [Name in keyof Readers]?: ReturnType<Readers[Name]> | undefined;
};

/**
 * Creates a route's `validateSearch`. Invalid and unknown parameters are ignored, so that a mistyped link still opens.
 */
export function readSearch<Readers extends Record<string, Reader<unknown>>>(readers: Readers) {
  return (raw: Record<string, unknown>): Read<Readers> => {
    const read = Object.entries(readers).map(([name, reader]) => [name, readOne(reader, raw[name])] as const);
    // Each name maps to the result of its reader.
    return Object.fromEntries(read.filter(([, value]) => value !== undefined)) as Read<Readers>;
  };
}

function readOne(reader: Reader<unknown>, value: unknown): unknown {
  return typeof value === "string" && value !== "" ? reader(value) : undefined;
}

export const text: Reader<string> = (given) => given;

export function oneOf<Value extends string>(...values: readonly Value[]): Reader<Value> {
  return (given) => values.find((value) => value === given);
}
