import { isDeepStrictEqual } from "node:util";
import { z } from "zod";
import { nextTurn } from "#lib/next-turn";
import type { Operation } from "./operation.ts";
import type { Answer } from "./run-write.ts";

/** In tests an undeclared status or field fails; in production undeclared fields are cut off. */
export type Undeclared = "fails" | "is-cut";

/** Judging and writing so many entries of a list takes about a millisecond, also when each brings tools along. */
const ENTRIES_PER_TURN = 20;
const EMPTY_LIST = '{"data":[]';

/**
 * The body as JSON text. What goes out is judged too: a secret added to a row cannot slip into an answer. Long lists are
 * judged and written in slices, so that no call at the gateway waits for a whole one.
 */
export async function checkedText(operation: Operation, answer: Answer, undeclared: Undeclared): Promise<string> {
  const schema = operation.answers[answer.status];
  if (!schema) throw new Error(`${operation.id} answered ${answer.status}, which it does not declare`);
  const write = (part: z.ZodType, value: unknown): string => {
    const declared = part.parse(value);
    if (undeclared === "fails" && !isDeepStrictEqual(declared, value)) {
      throw new Error(`${operation.id} answered with a field that it does not declare: ${JSON.stringify(value)}`);
    }
    return JSON.stringify(declared);
  };
  const entry = entryOf(schema);
  const { body } = answer;
  if (!entry || !isList(body) || body.data.length <= ENTRIES_PER_TURN) return write(schema, body);
  const around = write(schema, { ...body, data: [] });
  if (!around.startsWith(EMPTY_LIST)) return write(schema, body);
  const written: string[] = [];
  for (let start = 0; start < body.data.length; start += ENTRIES_PER_TURN) {
    await nextTurn();
    for (const each of body.data.slice(start, start + ENTRIES_PER_TURN)) written.push(write(entry, each));
  }
  return `{"data":[${written.join(",")}]${around.slice(EMPTY_LIST.length)}`;
}

/** The schema of one entry, where the answer is a list under `data`. */
function entryOf(schema: z.ZodType): z.ZodType | undefined {
  const data = schema instanceof z.ZodObject ? schema.shape.data : undefined;
  // An element of a zod array is a schema of zod's own, typed as the core that all its flavours share.
  return data instanceof z.ZodArray ? (data.element as z.ZodType) : undefined;
}

function isList(body: unknown): body is { readonly data: readonly unknown[] } {
  return typeof body === "object" && body !== null && "data" in body && Array.isArray(body.data);
}
