import type { Actor } from "#storage/transaction";
import type { Visitor } from "./web-session.ts";

export interface Caller {
  readonly actor: Actor;
  readonly scopes: readonly string[];
  /** Set if the caller is a person. */
  readonly visitor?: Visitor;
}
