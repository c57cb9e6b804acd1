import type { ObjectId } from "./objects.ts";
import { MalformedPktLine, readPktLines } from "./pkt-line.ts";

/** What a client asks for in one `POST …/git-upload-pack`. */
export class UploadRequest {
  readonly wants: ObjectId[] = [];
  readonly haves: ObjectId[] = [];
  /** Commits whose parents the client does not have. */
  readonly shallow = new Set<ObjectId>();
  depth: number | undefined;
  omits: Omitted = "nothing";
  isDone = false;
}

/** What a filter leaves out. */
export type Omitted = "nothing" | "blobs" | "trees and blobs";

const ID = /^[0-9a-f]{40}$/;
/** More than a client of a linear history needs: git sends what it has in portions that double. */
const MAX_LINES = 20_000;

/** Text: what is wrong. */
export function readUploadRequest(body: Buffer): UploadRequest | string {
  const request = new UploadRequest();
  let lines = 0;
  try {
    for (const line of readPktLines(body)) {
      if (++lines > MAX_LINES) return "too many lines";
      const problem = line === null ? undefined : readLine(request, line);
      if (problem !== undefined) return problem;
    }
  } catch (error) {
    if (error instanceof MalformedPktLine) return "malformed request";
    throw error;
  }
  return request;
}

function readLine(request: UploadRequest, line: string): string | undefined {
  const [word = "", value = ""] = line.split(" ");
  switch (word) {
    case "done":
      request.isDone = true;
      return undefined;
    case "deepen":
      request.depth = Number(value);
      return Number.isSafeInteger(request.depth) && request.depth > 0 ? undefined : "malformed depth";
    case "filter": {
      const omits = omittedBy(value);
      if (omits === undefined) return `unsupported filter ${value.slice(0, 40)}`;
      request.omits = omits;
      return undefined;
    }
    case "want":
    case "have":
    case "shallow":
      return ID.test(value) ? addId(request, word, value) : "malformed object id";
    default:
      return `unknown line ${word.slice(0, 40)}`;
  }
}

function addId({ wants, haves, shallow }: UploadRequest, word: "want" | "have" | "shallow", id: ObjectId): undefined {
  if (word === "want") wants.push(id);
  else if (word === "have") haves.push(id);
  else shallow.add(id);
}

/** A limit of sizes or of the depth of trees may be answered with more than it asks for. Undefined: unsupported. */
function omittedBy(filter: string): Omitted | undefined {
  if (filter === "blob:none") return "blobs";
  if (filter === "tree:0") return "trees and blobs";
  return /^(blob:limit=\d+[kmg]?|tree:\d+)$/.test(filter) ? "nothing" : undefined;
}
