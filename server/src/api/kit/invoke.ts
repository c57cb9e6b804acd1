import { Refusal } from "#lib/errors";
import type { Invoke } from "./invocation.ts";
import type { Operation } from "./operation.ts";
import { readParameters } from "./parameters.ts";
import { checkFields } from "./read-body.ts";
import type { Answer } from "./run-write.ts";
import type { Scope } from "./scopes.ts";

interface InvokeNeeds {
  readonly operations: readonly Operation[];
  /** The input of the calling operation, with `tx` and `trail` if it writes. */
  readonly input: object;
  readonly kinds: readonly Operation["kind"][];
  requireScope(scope: Scope): void;
}

export function createInvoke({ operations, input, kinds, requireScope }: InvokeNeeds): Invoke {
  return async (id, { path = {}, query = {}, body } = {}) => {
    const operation = operations.find((each) => each.id === id);
    if (!operation || !kinds.includes(operation.kind)) throw new Error(`${id} cannot be run by another operation`);
    if (operation.scope !== "any") requireScope(operation.scope);
    if (operation.callers !== undefined)
      throw new Refusal("forbidden", "Insufficient permissions: requires a web session");
    const one = (values: Readonly<Record<string, string>>) => (name: string) => {
      const value = values[name];
      return value === undefined ? [] : [value];
    };
    const own = {
      ...input,
      path: readParameters(operation.path ?? {}, one(path)),
      query: readParameters(operation.query ?? {}, one(query)),
      headers: readParameters(operation.headers ?? {}, () => []),
      body: operation.body ? checkFields(operation.body, body ?? {}) : undefined,
      archive: undefined,
    };
    // The declaration of the operation guarantees that it accepts this input.
    const prepare = operation.prepare as ((given: unknown) => Promise<unknown>) | undefined;
    const run = operation.run as (given: unknown) => Promise<Answer>;
    return (await run({ ...own, prepared: await prepare?.(own) })).body;
  };
}
