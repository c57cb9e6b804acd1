import { LIST_TOOLS, type SampleRequest } from "../machine-users/curl-command.ts";
import { SAMPLE } from "./sample.ts";

/** Calls a sample tool if the sample server exists; tools of other servers may have side effects. */
export function firstCallOf(slugs: readonly string[]): SampleRequest {
  if (!slugs.includes(SAMPLE.slug)) return LIST_TOOLS;
  const params = { name: `${SAMPLE.slug}__echo`, arguments: { text: "Hello" } };
  return { title: "Make the first call", message: { jsonrpc: "2.0", id: 1, method: "tools/call", params } };
}
