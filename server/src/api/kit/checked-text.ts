import { isDeepStrictEqual } from "node:util";
import { z } from "zod";
import type { ApiContext } from "./api-context.ts";
import type { Operation, WrittenAnswer } from "./operation.ts";
import type { Answer } from "./run-write.ts";

/** In tests an undeclared status or field fails; in production undeclared fields are removed. */
export type Undeclared = "fails" | "is-cut";

/** How long calls at the gateway may wait for a slice of a list. Entries with their tools take up to 0.1 ms each. */
const TURN_MS = 0.5;
/** Shorter lists are written in one piece. */
const MIN_SLICED_ENTRIES = 20;
const EMPTY_LIST = '{"data":[]';

/**
 * The body as JSON text. Responses are validated too, so that a secret added to a row cannot leak into a response. Long
 * lists are processed in slices, so that no call at the gateway waits for an entire list. Responses that another thread
 * has written are validated only in tests, because validation would take the time that the thread saves.
 */
export async function checkedText(
  operation: Operation,
  answer: Answer | WrittenAnswer,
  undeclared: Undeclared,
  nextTurn: ApiContext["nextTurn"],
): Promise<string | Buffer> {
  const schema = operation.answers[answer.status];
  if (!schema) throw new Error(`${operation.id} answered with the undeclared status ${answer.status}`);
  const write = (part: z.ZodType, value: unknown): string => {
    const declared = part.parse(value);
    if (undeclared === "fails" && !isDeepStrictEqual(declared, value)) {
      throw new Error(`${operation.id} answered with an undeclared field: ${JSON.stringify(value)}`);
    }
    return JSON.stringify(declared);
  };
  if ("json" in answer) {
    const { buffer, byteOffset, byteLength } = answer.json;
    const bytes = Buffer.from(buffer, byteOffset, byteLength);
    return undeclared === "fails" ? write(schema, JSON.parse(bytes.toString())) : bytes;
  }
  const entry = entryOf(schema);
  const { body } = answer;
  if (!entry || !isList(body) || body.data.length <= MIN_SLICED_ENTRIES) return write(schema, body);
  const around = write(schema, { ...body, data: [] });
  if (!around.startsWith(EMPTY_LIST)) return write(schema, body);
  const written: string[] = [];
  let turnEndsAt = 0;
  for (const each of body.data) {
    if (performance.now() >= turnEndsAt) {
      await nextTurn();
      turnEndsAt = performance.now() + TURN_MS;
    }
    written.push(write(entry, each));
  }
  return `{"data":[${written.join(",")}]${around.slice(EMPTY_LIST.length)}`;
}

/** The schema of one entry if the response is a list under `data`. */
function entryOf(schema: z.ZodType): z.ZodType | undefined {
  const data = schema instanceof z.ZodObject ? schema.shape.data : undefined;
  // Elements of a zod array are zod schemas, but they are typed as the core that all zod variants share.
  return data instanceof z.ZodArray ? (data.element as z.ZodType) : undefined;
}

function isList(body: unknown): body is { readonly data: readonly unknown[] } {
  return typeof body === "object" && body !== null && "data" in body && Array.isArray(body.data);
}
