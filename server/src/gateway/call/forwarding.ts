import type { Edit } from "#lib/json/splice";
import type { LoggedMethod } from "../call-log/record.ts";
import type { CallLimits } from "../snapshot/limits.ts";
import type { GroupEntry, NamedItem, ServerEntry } from "../snapshot/shape.ts";

export interface Begun {
  readonly serverSlug: string | undefined;
  readonly tool: string | undefined;
}

/** The destination of a resolved request. */
export interface Forwarding extends Begun {
  readonly method: LoggedMethod;
  readonly server: ServerEntry;
  /** One of the groups that give access; absent: not determined yet. */
  readonly through?: GroupEntry;
  /** The tool or prompt; absent for resources. */
  readonly item?: NamedItem | undefined;
  /** Limits of the tool; absent: none. */
  readonly toolLimits?: CallLimits | undefined;
  /** The upstream's name of the tool or prompt, or URI of the resource; sent instead of the caller's. */
  readonly name?: string;
  readonly uri?: string;
  /** Changes to the caller's message that were decided together with the server; sorted or not. */
  readonly edits?: readonly Edit[];
  /** JSON text of `params.ref` for the upstream. */
  readonly ref?: string;
  /** `Mcp-Param-*`: alternating names and values; absent if those of the caller are used. */
  readonly paramHeaders?: readonly string[];
  /** JSON text of the result if the upstream does not know the method; absent if its error is returned. */
  readonly resultIfUnknown?: string;
}
