import type { Operation } from "#api/kit/operation";
import { createApiToken } from "./create-api-token.ts";
import { deleteApiToken } from "./delete-api-token.ts";
import { listApiTokens } from "./list-api-tokens.ts";

/** In document order. */
export const apiTokenOperations: readonly Operation[] = [listApiTokens, createApiToken, deleteApiToken];
