import * as oauth from "oauth4webapi";
import { isObject } from "#lib/is-object";
import { quoted } from "./fault.ts";

/** The authorization server sent an error of RFC 6749 or RFC 7591. */
export interface SentError {
  readonly code: string;
  readonly text: string;
}

/** The library's result, or the error that the server sent, or what is wrong with the response. */
export type Judged<Value> = { readonly value: Value } | { readonly sent: SentError } | { readonly problem: string };

/** An `error` in the body is the response's meaning, whatever its status (some servers send it with 200). */
export function hasErrorBody(json: unknown): boolean {
  return isObject(json) && typeof json.error === "string" && json.error !== "";
}

/**
 * Lets `oauth4webapi` judge a response, without the deviations that we accept (decision 0069): another media type, another
 * status for an error, and null instead of an omitted member.
 */
export async function judgeResponse<Value>(
  json: unknown,
  { status, defaults = {} }: { readonly status: number; readonly defaults?: Readonly<Record<string, unknown>> },
  process: (response: Response) => Promise<Value>,
): Promise<Judged<Value>> {
  const body = isObject(json) ? { ...defaults, ...withoutNulls(json) } : json;
  const response = Response.json(body ?? null, { status: hasErrorBody(json) ? 400 : status });
  try {
    return { value: await process(response) };
  } catch (error) {
    if (error instanceof oauth.ResponseBodyError) {
      return { sent: { code: error.error, text: quoted(`${error.error} ${error.error_description ?? ""}`) } };
    }
    const isJudgment =
      error instanceof oauth.OperationProcessingError || error instanceof oauth.UnsupportedOperationError;
    if (!isJudgment) throw error;
    return { problem: inOurFormat(error.message) };
  }
}

function withoutNulls(json: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(json).filter(([, value]) => value !== null));
}

/** `"response" body "client_id" property must be a string` → `client_id: must be a string`. */
function inOurFormat(message: string): string {
  if (message.includes("`token_type`")) return "token_type: must be Bearer";
  return message.replace(/^"response" body "(\w+)" property /, "$1: ").replace(/^"response" body /, "the response ");
}
