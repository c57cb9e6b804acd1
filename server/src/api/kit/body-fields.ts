import { z } from "zod";
import { isWebUrl } from "#lib/web-url";
import { isPlainText, PLAIN_TEXT_MESSAGE } from "./text.ts";

/** A text field of a request body. Contract messages are sent as `<field>: <message>` (Spec 7, D11). */
export function text(maximum = 10_000) {
  return z
    .string({ error: "must be a string" })
    .max(maximum, { error: `must be at most ${maximum} characters` })
    .refine(isPlainText, { error: PLAIN_TEXT_MESSAGE });
}

/** A required name that must not be blank: `name: name is required`. */
export function requiredText(field: string, maximum = 255) {
  return z
    .string({ error: (issue) => (issue.input === undefined ? `${field} is required` : "must be a string") })
    .max(maximum, { error: `must be at most ${maximum} characters` })
    .refine(isPlainText, { error: PLAIN_TEXT_MESSAGE })
    .refine((value) => value.trim() !== "", { error: `${field} is required` });
}

export function flag() {
  return z.boolean({ error: "must be true or false" });
}

export function choice<const Choices extends readonly [string, ...string[]]>(choices: Choices) {
  return z.enum(choices, { error: `must be one of ${choices.join(", ")}` });
}

export function webUrl() {
  return text(2_000).refine(isWebUrl, { error: "must be a valid http or https URL" }).meta({ format: "uri" });
}
