import type { Operation } from "#api/kit/operation";
import { detachFromScim } from "./detach-from-scim.ts";
import { getProvisioning } from "./get-provisioning.ts";

/** In document order. */
export const provisioningOperations: readonly Operation[] = [getProvisioning, detachFromScim];
