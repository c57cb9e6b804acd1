import type { z } from "zod";
import type { EntityType } from "#guards/definition";
import type { MainDb, MainTransaction } from "#storage/database";
import type { Actor, WriteTrail } from "#storage/transaction";
import type { ApiContext } from "./api-context.ts";
import type { Deprecation } from "./deprecation.ts";
import type { Invoke } from "./invocation.ts";
import type { Parameters, ValuesOf } from "./parameters.ts";
import type { NeededScope, Scope } from "./scopes.ts";
import type { Visitor } from "./web-session.ts";

export type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
export type Answers = Readonly<Record<number, z.ZodType>>;
export type AnswerOf<A> = {
  [Status in keyof A]: {
    status: Status;
    body: A[Status] extends z.ZodType ? z.input<A[Status]> : never;
    /** Identifies the content. A request that has it already gets 304. */
    etag?: string;
  };
}[keyof A];

/** A response that another thread has written as JSON. */
export interface WrittenAnswer<Status = number> {
  readonly status: Status;
  readonly json: Uint8Array;
}

/** The declaration of an operation, from which route, validation, permission and API document are derived. */
export interface Declaration<
  Path extends Parameters,
  Query extends Parameters,
  Headers extends Parameters,
  Body extends z.ZodType,
  A extends Answers,
> {
  readonly id: string;
  readonly route: `${Method} /api/${string}`;
  readonly tag: string;
  readonly summary: string;
  /** Details beyond the summary, in Markdown: `code` in backticks, paragraphs separated by a blank line. */
  readonly description?: string;
  readonly scope: NeededScope;
  /**
   * `people`: only for signed-in people; API tokens are rejected, whatever their scopes. `anyone`: the body contains the
   * credential. `jwt`: an API token, or a JWT of another issuer, with an API token in `x-api-key` if the operation requires
   * one.
   */
  readonly callers?: "people" | "anyone" | "jwt";
  readonly path?: Path;
  readonly query?: Query;
  readonly headers?: Headers;
  readonly body?: Body;
  /**
   * An API token that was accepted seconds ago is not looked up again, because `run` checks it in the transaction that
   * stores something (decision 0265). For requests that are so frequent that the lookup delays calls.
   */
  readonly checksTokenAgain?: true;
  /** A request without a body counts as an empty object: every field has a default. */
  readonly bodyIsOptional?: true;
  /** The largest body, if it is not the default. */
  readonly bodyLimitBytes?: number;
  /** The body can be compressed with gzip. The limit applies to it before and after. */
  readonly acceptsGzip?: true;
  /** `run` reads `bytes` and validates them. `body` is only for the document. */
  readonly readsBytes?: true;
  /** The body may also be a ZIP file; this describes it. The parsed body is then undefined. */
  readonly archive?: string;
  /** The body's schema in the document, if the validating schema cannot be expressed in OpenAPI. */
  readonly bodyDocument?: z.ZodType;
  readonly answers: A;
  /** Error statuses besides 401, 403 and 500, which every operation has. */
  readonly refusals: readonly (400 | 404 | 409 | 429 | 503)[];
  /** Spec 7: the message of a 500. */
  readonly onCrash: string;
  /** Deprecates the whole operation (Spec 9.4); parameters can be deprecated individually. */
  readonly deprecated?: Deprecation;
  /** The media types of a download, with their descriptions. */
  readonly media?: Readonly<Record<string, string>>;
  /** Members of the response that are shown once and never stored for a replay (D34). */
  readonly shownOnce?: readonly string[];
  /** The reason why a write needs no audit entry. */
  readonly unaudited?: string;
  /** A write whose transaction is rolled back after `run`, so that only its checks and its response remain. */
  readonly isTrial?: true;
  /** For the callers `anyone`, if requests are signed. A wrong signature counts against the limit of the address (D8). */
  readonly isSigned?: (request: SignedRequest) => Promise<boolean>;
}

/** A request before its body is read. */
export interface SignedRequest {
  readonly path: Readonly<Record<string, unknown>>;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly bytes: Buffer;
  readonly db: MainDb;
  readonly context: ApiContext;
}

export interface Input<Path, Query, Headers, Body> {
  readonly path: ValuesOf<Path>;
  readonly query: ValuesOf<Query>;
  readonly headers: ValuesOf<Headers>;
  readonly body: z.output<Body & z.ZodType>;
  /** The body, if it is a ZIP file. */
  readonly archive: Buffer | undefined;
  /** The body as it was sent, for signatures and operations that read it themselves. */
  readonly bytes: Buffer;
  readonly actor: Actor;
  /** For the callers `jwt`: the JWT in `Authorization`. Undefined: an API token. */
  readonly jwt: string | undefined;
  /** The calling person; undefined for API tokens. */
  readonly visitor: Visitor | undefined;
  readonly requestId: string;
  /** The caller's IP address. */
  readonly address: string;
  readonly context: ApiContext;
  /**
   * Rejects a caller without this scope, for parts of an operation that need more than its declared scope (decision
   * 0009). The reason continues the sentence "requires <scope>, because".
   */
  requireScope(scope: Scope, reason?: string): void;
  /**
   * Counts a wrong credential of the body against the limit of the address, as one in the header is (D8). The result belongs
   * to the refusal. Judge the credential first: a valid one is accepted whatever else comes from its address.
   */
  wrongCredential(): { readonly retryAfterSeconds?: number };
  /** Runs another operation; within a write, in the same transaction. */
  readonly invoke: Invoke;
}

export interface WriteInput<Path, Query, Headers, Body, Prepared = undefined>
  extends Input<Path, Query, Headers, Body> {
  /** The result of `prepare`. */
  readonly prepared: Prepared;
  readonly tx: MainTransaction;
  readonly trail: WriteTrail;
  /**
   * Evaluates content with the build-time guards. Call it before content becomes active, and when active content
   * changes. Returns warnings for the response; throws if a guard blocks the content.
   */
  checkContent(entityType: EntityType, content: string | Readonly<Record<string, unknown>>): Promise<string[]>;
  /** Runs the task after the write has been committed. */
  afterCommit(task: () => void): void;
}

export interface ReadInput<Path, Query, Headers, Body> extends Input<Path, Query, Headers, Body> {
  readonly db: MainDb;
}

type Run<I, A> = (input: I) => Promise<AnswerOf<A>>;
type None = Record<never, never>;

/** An operation with its type parameters erased, as the router and the document use it. */
export interface Operation extends Declaration<Parameters, Parameters, Parameters, z.ZodType, Answers> {
  readonly kind: "read" | "write" | "action" | "download";
  readonly run: (input: never) => Promise<unknown>;
  readonly prepare?: (input: never) => Promise<unknown>;
  readonly finish?: (answer: never, input: never) => Promise<unknown>;
}

/** Changes nothing. With a body it is a POST, for questions that are too long for a URL. */
export function read<
  const P extends Parameters = None,
  const Q extends Parameters = None,
  const H extends Parameters = None,
  const B extends z.ZodType = z.ZodUndefined,
  const A extends Answers = None,
>(declaration: Declaration<P, Q, H, B, A> & { run: Run<ReadInput<P, Q, H, B>, A> }): Operation {
  return { kind: "read", ...declaration };
}

/**
 * Runs in one transaction with its audit rows, its change rows and its idempotency answer. `prepare` runs before the
 * transaction, for work that takes long or uses the network.
 */
export function write<
  const P extends Parameters = None,
  const Q extends Parameters = None,
  const H extends Parameters = None,
  const B extends z.ZodType = z.ZodUndefined,
  const A extends Answers = None,
  Prepared = undefined,
>(
  declaration: Declaration<P, Q, H, B, A> & {
    prepare?: (input: ReadInput<P, Q, H, B>) => Promise<Prepared>;
    run: Run<WriteInput<P, Q, H, B, Prepared>, A>;
    /** Runs after the write was committed, also for a repeated idempotent request, and can wait for a newer response. */
    finish?: (answer: AnswerOf<A>, input: ReadInput<P, Q, H, B>) => Promise<AnswerOf<A>>;
  },
): Operation {
  return { kind: "write", ...declaration };
}

/** Uses the network or opens transactions itself, so it runs outside of one. */
export function action<
  const P extends Parameters = None,
  const Q extends Parameters = None,
  const H extends Parameters = None,
  const B extends z.ZodType = z.ZodUndefined,
  const A extends Answers = None,
>(
  declaration: Declaration<P, Q, H, B, A> & {
    run: (input: ReadInput<P, Q, H, B>) => Promise<AnswerOf<A> | WrittenAnswer<keyof A>>;
  },
): Operation {
  return { kind: "action", ...declaration };
}

/** Sent in pieces, only as fast as the client reads. */
export interface Download {
  readonly type: string;
  /** Undefined: events, which are shown and not saved. */
  readonly fileName?: string;
  /** If it throws midway, the connection is closed, so that a partial file does not look complete. */
  readonly pieces: AsyncIterable<string | Buffer>;
  readonly etag?: string;
}

/** Changes nothing, and responds with a file of any length. Errors are possible only before the first piece. */
export function download<
  const P extends Parameters = None,
  const Q extends Parameters = None,
  const H extends Parameters = None,
>(
  declaration: Omit<Declaration<P, Q, H, z.ZodUndefined, None>, "answers" | "media"> & {
    media: Readonly<Record<string, string>>;
    run: (input: ReadInput<P, Q, H, z.ZodUndefined>) => Promise<Download>;
  },
): Operation {
  return { kind: "download", answers: {}, ...declaration };
}
