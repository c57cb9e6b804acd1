import { queryOptions } from "@tanstack/react-query";
import { withBasePath } from "./base-path.ts";

/** The scan agent that this installation serves. */
export interface ScanRelease {
  readonly version: string;
  readonly sha256: string;
}

/** Null: the installation does not contain the scan agent. */
export const scanReleaseQuery = queryOptions({
  queryKey: ["scan-release"],
  queryFn: async ({ signal }): Promise<ScanRelease | null> => {
    const answer = await fetch(withBasePath("/downloads/gatehouse-scan.json"), { signal });
    if (answer.status === 404) return null;
    if (!answer.ok) throw new Error(`The service answered with ${answer.status}.`);
    return answer.json();
  },
});
