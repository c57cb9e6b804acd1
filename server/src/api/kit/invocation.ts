export interface Invocation {
  readonly path?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: object;
}

/**
 * Runs another operation for the same caller, with the same checks as a request: its scope, its parameters, its body. Within
 * a write it runs in the same transaction. Resolves to the body of the response.
 */
export type Invoke = (id: string, invocation?: Invocation) => Promise<unknown>;
