import { lazyRouteComponent } from "@tanstack/react-router";
import { ApiError } from "../api/client.ts";
import { isReachable } from "../api/health.ts";

/**
 * A page whose code comes when it is opened. Where that is gone because the release was replaced, the router loads
 * everything again, once. Where nobody answers, that would leave nothing at all: the page stays and says so.
 */
export const lazyPage: typeof lazyRouteComponent = (load, name) =>
  lazyRouteComponent(() => load().catch(whyNotLoaded), name);

async function whyNotLoaded(error: unknown): Promise<never> {
  if (await isReachable()) throw error;
  throw new ApiError("This page could not be loaded", undefined, error);
}
