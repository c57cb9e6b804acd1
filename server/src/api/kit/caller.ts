import type { Actor } from "#storage/transaction";
import type { Visitor } from "./web-session.ts";

export interface Caller {
  readonly actor: Actor;
  readonly scopes: readonly string[];
  /** The person, where the caller is one. */
  readonly visitor?: Visitor;
}
