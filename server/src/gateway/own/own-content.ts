import type { OwnContent } from "../request.ts";
import { SEARCH_CONTENT } from "../snapshot/search-source.ts";
import { answerSearchTool } from "../tool-search/answer-search-tool.ts";

/** Answers for the gateway's own content. Adding content is one entry here, and a source in the snapshot. */
export const OWN_CONTENT: OwnContent = new Map([[SEARCH_CONTENT, answerSearchTool]]);
