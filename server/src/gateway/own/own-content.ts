import type { OwnContent } from "../request.ts";

/** Answers for the gateway's own content. Adding content is one entry here, and a source in the snapshot. */
export const OWN_CONTENT: OwnContent = new Map();
