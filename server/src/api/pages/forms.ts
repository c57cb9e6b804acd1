import type { FastifyInstance, FastifyRequest } from "fastify";
import { isPlainText } from "#api/kit/text";

const FORM_LIMIT_BYTES = 16 * 1024;
const MAX_FIELD_LENGTH = 2_000;

/** Call this in a separate Fastify scope for pages: only forms are parsed there. */
export function readForms(pages: FastifyInstance): void {
  pages.removeAllContentTypeParsers();
  const form = { parseAs: "string", bodyLimit: FORM_LIMIT_BYTES } as const;
  pages.addContentTypeParser("application/x-www-form-urlencoded", form, (_request, body, done) => {
    done(null, new URLSearchParams(String(body)));
  });
}

/** Returns an empty string for a repeated, missing, or overlong field. */
export function field(request: FastifyRequest, name: string): string {
  const form = request.body instanceof URLSearchParams ? request.body : new URLSearchParams();
  const [value = "", ...more] = form.getAll(name);
  return more.length === 0 && value.length <= MAX_FIELD_LENGTH && isPlainText(value) ? value : "";
}
