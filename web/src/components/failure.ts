/** A thrown value as text for people. */
export interface Failure {
  readonly title: string;
  /** The message of the API. */
  readonly detail: string | undefined;
  readonly next: string;
  readonly requestId: string | undefined;
}

interface Thrown {
  readonly message?: unknown;
  readonly status?: unknown;
  readonly requestId?: unknown;
  readonly retryAfterSeconds?: unknown;
}

export function describeFailure(error: unknown): Failure {
  const { message, status, requestId }: Thrown = typeof error === "object" && error !== null ? error : {};
  const detail = typeof message === "string" && message !== "" ? message : undefined;
  const id = typeof requestId === "string" ? requestId : undefined;
  const text = textFor(typeof status === "number" ? status : undefined, error, id !== undefined);
  return { ...text, detail, requestId: id };
}

/** The next request would fail too: the session expired, or the service is unreachable. */
export function failsEveryRequest(error: unknown): boolean {
  const { status }: Thrown = typeof error === "object" && error !== null ? error : {};
  return status === 0 || status === 401;
}

function textFor(status: number | undefined, error: unknown, hasRequestId: boolean): Pick<Failure, "title" | "next"> {
  if (status === undefined) return textForAppError(error);
  if (status === 0) {
    return {
      title: "Gatehouse is unreachable",
      next: "Check your network connection, then try again.",
    };
  }
  if (status === 401) return { title: "You are signed out", next: "Sign in again to continue." };
  if (status === 403) return { title: "You do not have permission", next: "Ask an owner to change your role." };
  if (status === 404) return { title: "Not found", next: "It may have been renamed or deleted." };
  if (status === 409)
    return { title: "This was changed by someone else", next: "Reload to see the current state, then try again." };
  if (status === 429) return { title: "Too many requests", next: "Wait a moment, then try again." };
  // Without a request ID, the answer is from a proxy that could not reach the service.
  if (status >= 500 && !hasRequestId)
    return {
      title: "Gatehouse is unreachable",
      next: "Wait a moment, then try again. If it happens again, tell your administrator.",
    };
  if (status >= 500)
    return {
      title: "Something went wrong in Gatehouse",
      next: "Try again. If it happens again, send the request ID to your administrator.",
    };
  return { title: "The request was rejected", next: "Correct it and try again." };
}

/** A missing chunk belongs to a release that was replaced while the page was open. */
function textForAppError(error: unknown): Pick<Failure, "title" | "next"> {
  const isChunk = error instanceof TypeError && /dynamically imported module|module script/i.test(error.message);
  if (isChunk) return { title: "Gatehouse was updated", next: "Reload the page to use the new release." };
  return { title: "This page crashed", next: "Reload it. If it happens again, report what you did before." };
}

/** Spec 5.2: errors in a body have the form `field: message`. Undefined when the message names no field. */
export function fieldError(error: unknown): { field: string; message: string } | undefined {
  const { message, status }: Thrown = typeof error === "object" && error !== null ? error : {};
  if (status !== 400 || typeof message !== "string") return undefined;
  const [, field, sentence] = /^([A-Za-z_][\w.]*): (.+)$/s.exec(message) ?? [];
  return field === undefined || sentence === undefined ? undefined : { field, message: asSentence(sentence) };
}

function asSentence(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
