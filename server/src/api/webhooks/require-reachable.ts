import type { ApiContext } from "#api/kit/api-context";
import { EgressRefused } from "#egress/egress";
import { invalid } from "#lib/errors";

/** F40: the same rules apply when an event is sent, also to the addresses that a host name resolves to. */
export function requireReachable(context: Pick<ApiContext, "assertReachableUrl">, url: string): void {
  try {
    context.assertReachableUrl(url);
  } catch (error) {
    if (error instanceof EgressRefused) throw invalid("url", error.message);
    throw error;
  }
}
