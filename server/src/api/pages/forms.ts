import type { FastifyInstance, FastifyRequest } from "fastify";
import { isPlainText } from "#api/kit/text";

const FORM_LIMIT_BYTES = 16 * 1024;
const LONGEST_FIELD = 2_000;

/** In a scope of pages of its own: forms are read there and nothing else is. */
export function readForms(pages: FastifyInstance): void {
  pages.removeAllContentTypeParsers();
  const form = { parseAs: "string", bodyLimit: FORM_LIMIT_BYTES } as const;
  pages.addContentTypeParser("application/x-www-form-urlencoded", form, (_request, body, done) => {
    done(null, new URLSearchParams(String(body)));
  });
}

/** A repeated or missing field is an empty one; none is longer than a person would type. */
export function field(request: FastifyRequest, name: string): string {
  const form = request.body instanceof URLSearchParams ? request.body : new URLSearchParams();
  const [value = "", ...more] = form.getAll(name);
  return more.length === 0 && value.length <= LONGEST_FIELD && isPlainText(value) ? value : "";
}
