import { z } from "zod";
import { RegistryFault } from "./fault.ts";

const Page = z.object({
  // The registry serializes an empty list as null.
  servers: z.array(z.unknown()).nullable(),
  metadata: z.object({ nextCursor: z.string().max(2_000).nullish() }).nullish(),
});

export interface RegistryPage {
  readonly servers: readonly unknown[];
  readonly nextCursor: string | undefined;
}

export function readPage(status: number, body: Buffer): RegistryPage {
  if (status !== 200) throw new RegistryFault(`status ${status}`);
  const page = Page.safeParse(parse(body));
  if (!page.success) throw new RegistryFault("the response is not a page of servers");
  return { servers: page.data.servers ?? [], nextCursor: page.data.metadata?.nextCursor || undefined };
}

/** Undefined: not JSON. */
function parse(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString("utf8"));
  } catch {
    return undefined;
  }
}
