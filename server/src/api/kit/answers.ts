import { z } from "zod";
import type { IdPrefix } from "#lib/ids";

/** Shapes that many responses share. */
export const Message = z
  .object({ message: z.string().meta({ description: "What the operation did", example: "Deleted successfully" }) })
  .meta({ id: "Message", description: "The result in one sentence" });
export const Success = z
  .object({ data: z.object({ success: z.boolean().describe("Always true") }).describe("The result") })
  .meta({ id: "Success", description: "The operation succeeded" });
export const CursorPagination = z
  .object({
    cursor: z.int().meta({ description: "Zero-based offset of the first entry of this page", example: 0 }),
    limit: z.int().meta({ description: "Maximum number of entries per page", example: 100 }),
    hasMore: z.boolean().meta({ description: "Whether there is another page", example: false }),
    nextCursor: z
      .int()
      .nullable()
      .meta({ description: "Cursor of the next page; null on the last page", example: null }),
  })
  .meta({ id: "CursorPagination", description: "Position of this page in the list" });
export const SkipPagination = z
  .object({
    skip: z.number().meta({ description: "Number of skipped entries", example: 0 }),
    limit: z.number().meta({ description: "Maximum number of entries per page", example: 100 }),
    hasMore: z.boolean().meta({ description: "Whether there is another page", example: false }),
  })
  .meta({ id: "SkipPagination", description: "Position of this page in the list" });

/** For lists that are read from the newest entry to the oldest (D22). */
export const TimePagination = z
  .object({
    limit: z.int().describe("Maximum number of entries per page"),
    hasMore: z.boolean().describe("Whether there is another page"),
    nextCursor: z.string().nullable().describe("Cursor of the next page; null on the last page"),
  })
  .meta({ id: "TimePagination", description: "Position of the next page" });

/** Fields that most records have. */
export const recordId = (prefix: IdPrefix, description = "ID of the record; IDs are never reused") =>
  z.string().meta({ description, example: `${prefix}_01kc5v6q3zt9x4m2e8h7d5n1pw` });
export const totalCount = z.int().meta({ description: "Total number of entries on all pages", example: 42 });
export const timestamp = (description: string) =>
  z.string().meta({ description, format: "date-time", example: "2027-01-31T09:30:00.000Z" });
export const createdAt = timestamp("When it was created");
export const updatedAt = timestamp("When it was last changed");

/** Lists read one row more than requested; that row shows whether there is another page (Spec 2.8). */
export function pageOf<Row>(rows: readonly Row[], limit: number): { page: Row[]; hasMore: boolean } {
  return { page: rows.slice(0, limit), hasMore: rows.length > limit };
}

const DAY_MS = 24 * 60 * 60 * 1000;
let dayNumber = Number.NaN;
let dayText = "";

/** `toISOString` for lists: most of their times are on one day, so the text of the day is cached. */
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
