import { lazyRouteComponent } from "@tanstack/react-router";
import { ApiError } from "../api/client.ts";
import { isReachable } from "../api/health.ts";

/**
 * A page whose code loads when it opens. If the chunk is missing because the release was replaced, the router reloads the
 * app once. If the service is unreachable, a reload would show nothing, so the page reports the error instead.
 */
export const lazyPage: typeof lazyRouteComponent = (load, name) =>
  lazyRouteComponent(() => load().catch(explainFailure), name);

async function explainFailure(error: unknown): Promise<never> {
  if (await isReachable()) throw error;
  throw new ApiError("The page could not be loaded", undefined, error);
}
