/** What went wrong, in a person's words, whatever was thrown. */
export interface Failure {
  readonly title: string;
  /** What the service said, where that is more than the title. */
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
  return { ...wordsFor(typeof status === "number" ? status : undefined, error), detail, requestId: id };
}

/** Whatever comes next would fail in the same way: nobody is signed in any more, or nothing can be reached. */
export function failsAlways(error: unknown): boolean {
  const { status }: Thrown = typeof error === "object" && error !== null ? error : {};
  return status === 0 || status === 401;
}

function wordsFor(status: number | undefined, error: unknown): Pick<Failure, "title" | "next"> {
  if (status === undefined) return ofTheApp(error);
  if (status === 0) {
    return {
      title: "Gatehouse cannot be reached",
      next: "Check your network, then try again. Nothing was changed here.",
    };
  }
  if (status === 401) return { title: "You are signed out", next: "Sign in again to go on." };
  if (status === 403) return { title: "You may not do this", next: "Ask an owner of this installation for the role." };
  if (status === 404) return { title: "This does not exist", next: "It may have been renamed or deleted meanwhile." };
  if (status === 409) return { title: "Somebody was faster", next: "Look at what it is like now, then try again." };
  if (status === 429) return { title: "Too many requests", next: "Wait a moment, then try again." };
  if (status >= 500)
    return {
      title: "Gatehouse could not do this",
      next: "Try again. If it stays, tell your administrator the request id.",
    };
  return { title: "This was not accepted", next: "Change it and try again." };
}

/** A chunk that is gone belongs to a release that was replaced while this page was open. */
function ofTheApp(error: unknown): Pick<Failure, "title" | "next"> {
  const isChunk = error instanceof TypeError && /dynamically imported module|module script/i.test(error.message);
  if (isChunk) return { title: "Gatehouse was updated", next: "Load the page again to get the new release." };
  return { title: "This page stopped working", next: "Load it again. If it stays, tell us what you did before." };
}

/** Spec 5.2: faults of a body are told as `field: message`; undefined where the sentence names no field. */
export function fieldFault(error: unknown): { field: string; message: string } | undefined {
  const { message, status }: Thrown = typeof error === "object" && error !== null ? error : {};
  if (status !== 400 || typeof message !== "string") return undefined;
  const [, field, sentence] = /^([A-Za-z_][\w.]*): (.+)$/s.exec(message) ?? [];
  return field === undefined || sentence === undefined ? undefined : { field, message: asSentence(sentence) };
}

function asSentence(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
