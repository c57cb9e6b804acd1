import { characterStart, firstBytes } from "#lib/first-bytes";
import { type Edit, splice } from "#lib/json/splice";
import { readResponse, type UpstreamResult } from "../envelope/read-response.ts";
import type { Call } from "./call.ts";

export const RESULTS_URI = "gatehouse://results/";
/** Longer texts are stored up to this size. */
const MAX_STORED_BYTES = 8 * 1024 * 1024;

/** Whether the result can have more text than its server may return (F20). Servers without a limit pay one comparison. */
export function isOversized({ to }: Call, { source }: UpstreamResult): boolean {
  const limit = to.server.resultLimitBytes;
  return limit !== undefined && source.length > limit && to.method === "tools/call";
}

/**
 * Cuts the text of a result at the limit of its server, and stores the complete text for an hour. Guards have seen all of
 * it. Structured content and other blocks stay, because clients validate them. Undefined if the text is short enough.
 */
export function cutResult(call: Call, message: UpstreamResult): Promise<UpstreamResult> | undefined {
  const { request, context, to } = call;
  const blocks = blocksOf(message);
  const limit = to.server.resultLimitBytes ?? Number.POSITIVE_INFINITY;
  const cut = blocks && cutBlocks(blocks, limit);
  if (!cut) return undefined;
  const { kept, text, offset } = cut;
  const total = Buffer.byteLength(text);
  const stored = total > MAX_STORED_BYTES ? firstBytes(text, MAX_STORED_BYTES) : text;
  const content = (id: string | undefined) => [
    ...kept,
    id === undefined ? lostNote(offset, total) : link(id, offset, total),
  ];
  const toStore = { userId: request.principal.userId, serverId: to.server.id, text: stored };
  return context.storedResults.save(toStore).then(
    (id) => withContent(message, content(id)),
    (error: unknown) => {
      context.logger.warn({ err: error, server: to.server.slug }, "the text of a result could not be stored");
      return withContent(message, content(undefined));
    },
  );
}

type Block = Readonly<Record<string, unknown>>;
type TextBlock = Block & { readonly text: string };

function blocksOf({ source, content }: UpstreamResult): Block[] | undefined {
  if (content?.kind !== "array") return undefined;
  const blocks: unknown[] = JSON.parse(source.text(content));
  const isBlock = (block: unknown): block is Block => typeof block === "object" && block !== null;
  return blocks.every(isBlock) ? blocks : undefined;
}

function isText(block: Block): block is TextBlock {
  return block.type === "text" && typeof block.text === "string";
}

interface Cut {
  /** The blocks that the caller receives. */
  readonly kept: readonly Block[];
  /** All texts, separated by line feeds. */
  readonly text: string;
  /** Where the rest starts in the text, in bytes. */
  readonly offset: number;
}

function cutBlocks(blocks: readonly Block[], limit: number): Cut | undefined {
  const text = blocks
    .filter(isText)
    .map((block) => block.text)
    .join("\n");
  if (Buffer.byteLength(text) <= limit) return undefined;
  const kept: Block[] = [];
  let offset = 0;
  let isFull = false;
  for (const block of blocks) {
    if (!isText(block)) kept.push(block);
    else if (!isFull) {
      const separator = offset > 0 ? 1 : 0;
      const bytes = Buffer.from(block.text);
      const end = characterStart(bytes, limit - offset - separator);
      isFull = end < bytes.length;
      offset += separator + end;
      kept.push(isFull ? { ...block, text: bytes.toString("utf8", 0, end) } : block);
    }
  }
  return { kept, text, offset };
}

function link(id: string, offset: number, total: number): Block {
  return {
    ...{ type: "resource_link", uri: `${RESULTS_URI}${id}`, name: "Complete result", mimeType: "text/plain" },
    description: `The text was cut after ${offset} of ${total} bytes. Read the rest within an hour, in parts with ?offset=${offset}&length=<bytes>.`,
    size: Math.min(total, MAX_STORED_BYTES),
  };
}

function lostNote(offset: number, total: number): Block {
  return { type: "text", text: `[The text was cut after ${offset} of ${total} bytes. The rest could not be stored.]` };
}

function withContent(message: UpstreamResult, content: readonly Block[]): UpstreamResult {
  const { source, content: member } = message;
  if (member === undefined) return message;
  const edits: Edit[] = [{ start: member.start, end: member.end, text: JSON.stringify(content) }];
  const again = readResponse(splice(source, edits));
  if (again.kind !== "result") throw new Error("a cut result is not valid");
  return again;
}
