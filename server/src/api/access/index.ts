import type { Operation } from "#api/kit/operation";
import { explainAccess } from "./explain-access.ts";
import { listAccess } from "./list-access.ts";
import { listCallers } from "./list-callers.ts";
import { listGrants } from "./list-grants.ts";

/** In document order. */
export const accessOperations: readonly Operation[] = [listAccess, listCallers, listGrants, explainAccess];
