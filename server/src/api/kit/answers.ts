import { z } from "zod";
import type { IdPrefix } from "#lib/ids";

/** Shapes that many answers share. */
export const Message = z
  .object({ message: z.string().meta({ description: "What was done", example: "Deleted successfully" }) })
  .meta({ id: "Message", description: "A sentence that says what was done" });
export const Success = z
  .object({ data: z.object({ success: z.boolean().describe("Always true") }).describe("How it went") })
  .meta({ id: "Success", description: "Everything that was asked for is so now" });
export const CursorPagination = z
  .object({
    cursor: z.int().meta({ description: "Zero-based offset of this page's first entry", example: 0 }),
    limit: z.int().meta({ description: "How many entries a page holds at most", example: 100 }),
    hasMore: z.boolean().meta({ description: "Whether another page follows", example: false }),
    nextCursor: z
      .int()
      .nullable()
      .meta({ description: "The cursor of the next page; null on the last one", example: null }),
  })
  .meta({ id: "CursorPagination", description: "Where this page lies in the list" });
export const SkipPagination = z
  .object({
    skip: z.number().meta({ description: "How many entries were passed over", example: 0 }),
    limit: z.number().meta({ description: "How many entries a page holds at most", example: 100 }),
    hasMore: z.boolean().meta({ description: "Whether another page follows", example: false }),
  })
  .meta({ id: "SkipPagination", description: "Where this page lies in the list" });

/** Of lists that are read from the newest entry back (D22). */
export const TimePagination = z
  .object({
    limit: z.int().describe("How many entries a page holds at most"),
    hasMore: z.boolean().describe("Whether another page follows"),
    nextCursor: z.string().nullable().describe("The cursor of the next page; null on the last one"),
  })
  .meta({ id: "TimePagination", description: "Where the next page begins" });

/** Fields that most records have. */
export const recordId = (prefix: IdPrefix, description = "The record's id, never used again") =>
  z.string().meta({ description, example: `${prefix}_01kc5v6q3zt9x4m2e8h7d5n1pw` });
export const totalCount = z.int().meta({ description: "How many entries all pages hold together", example: 42 });
export const timestamp = (description: string) =>
  z.string().meta({ description, format: "date-time", example: "2027-01-31T09:30:00.000Z" });
export const createdAt = timestamp("When it was created");
export const updatedAt = timestamp("When it was last changed");

/** Lists read one row more than asked for: whether it is there says whether there is more (Spec 2.8). */
export function pageOf<Row>(rows: readonly Row[], limit: number): { page: Row[]; hasMore: boolean } {
  return { page: rows.slice(0, limit), hasMore: rows.length > limit };
}

const DAY_MS = 24 * 60 * 60 * 1000;
let dayNumber = Number.NaN;
let dayText = "";

/** `toISOString` for lists: their times are mostly of one day, whose text is made once. */
export function isoTime(epochMs: number): string {
  const day = Math.floor(epochMs / DAY_MS);
  if (day !== dayNumber) {
    dayText = new Date(day * DAY_MS).toISOString().slice(0, 11);
    dayNumber = day;
  }
  const ms = Math.floor(epochMs - day * DAY_MS);
  const seconds = Math.floor(ms / 1000);
  const minutes = Math.floor(seconds / 60);
  const time = `${two(Math.floor(minutes / 60))}:${two(minutes % 60)}:${two(seconds % 60)}`;
  return `${dayText}${time}.${String(ms % 1000).padStart(3, "0")}Z`;
}

function two(value: number): string {
  return value < 10 ? `0${value}` : `${value}`;
}
