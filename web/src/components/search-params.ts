/** Reads one parameter of an address; undefined: not given, or nonsense. */
type Reader<Value> = (text: string) => Value | undefined;

type Read<Readers extends Record<string, Reader<unknown>>> = {
  [Name in keyof Readers]?: ReturnType<Readers[Name]> | undefined;
};

/**
 * For `validateSearch` of a route: what the address says, as far as the page understands it. Anything else is as if it
 * were not there, so a mistyped link still opens.
 */
export function readSearch<Readers extends Record<string, Reader<unknown>>>(readers: Readers) {
  return (raw: Record<string, unknown>): Read<Readers> => {
    const read = Object.entries(readers).map(([name, reader]) => [name, readOne(reader, raw[name])] as const);
    // Each name with what its own reader gave.
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
