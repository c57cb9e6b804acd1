import type { z } from "zod";
import type { MainDb, MainTransaction } from "#storage/database";
import type { Actor, WriteTrail } from "#storage/transaction";
import type { ApiContext } from "./api-context.ts";
import type { Deprecation } from "./deprecation.ts";
import type { Parameters, ValuesOf } from "./parameters.ts";
import type { NeededScope, Scope } from "./scopes.ts";
import type { Visitor } from "./web-session.ts";

export type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
export type Answers = Readonly<Record<number, z.ZodType>>;
export type AnswerOf<A> = {
  [Status in keyof A]: { status: Status; body: A[Status] extends z.ZodType ? z.input<A[Status]> : never };
}[keyof A];

/** Everything that is known about an operation before it runs: route, checks, permission and document come from here. */
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
  /** What its reader should know beyond the summary; `code` in backticks, paragraphs separated by a blank line. */
  readonly description?: string;
  readonly scope: NeededScope;
  /** Only for people who are signed in: no API token gets here, whatever its scopes. */
  readonly callers?: "people";
  readonly path?: Path;
  readonly query?: Query;
  readonly headers?: Headers;
  readonly body?: Body;
  /** A request without a body counts as an empty object: every field has a default. */
  readonly bodyIsOptional?: true;
  /** What the document says of the body, where the schema that checks it cannot be written down as one. */
  readonly bodyDocument?: z.ZodType;
  readonly answers: A;
  /** Refusals beside 401, 403 and 500, which every operation has. */
  readonly refusals: readonly (400 | 404 | 409)[];
  /** Spec 7: the sentence of its 500. */
  readonly onCrash: string;
  /** As a whole (Spec 9.4); a parameter can be so by itself. */
  readonly deprecated?: Deprecation;
  /** The media types that a download can have, each with what it is. */
  readonly media?: Readonly<Record<string, string>>;
  /** Members of the answer that are shown once and never kept for a replay (D34). */
  readonly shownOnce?: readonly string[];
}

export interface Input<Path, Query, Headers, Body> {
  readonly path: ValuesOf<Path>;
  readonly query: ValuesOf<Query>;
  readonly headers: ValuesOf<Headers>;
  readonly body: z.output<Body & z.ZodType>;
  readonly actor: Actor;
  /** The person who calls; undefined for API tokens. */
  readonly visitor: Visitor | undefined;
  readonly requestId: string;
  /** Where the call comes from. */
  readonly address: string;
  readonly context: ApiContext;
  /** For what needs more than the operation's scope: refuses a caller who lacks this one (decision 0009). */
  requireScope(scope: Scope): void;
}

export interface WriteInput<Path, Query, Headers, Body> extends Input<Path, Query, Headers, Body> {
  readonly tx: MainTransaction;
  readonly trail: WriteTrail;
  /** For what may only happen once the write is true. */
  afterCommit(task: () => void): void;
}

export interface ReadInput<Path, Query, Headers, Body> extends Input<Path, Query, Headers, Body> {
  readonly db: MainDb;
}

type Run<I, A> = (input: I) => Promise<AnswerOf<A>>;
type None = Record<never, never>;

/** An operation whose types have served their purpose: what the router and the document work with. */
export interface Operation extends Declaration<Parameters, Parameters, Parameters, z.ZodType, Answers> {
  readonly kind: "read" | "write" | "action" | "download";
  readonly run: (input: never) => Promise<unknown>;
}

/** Changes nothing. */
export function read<
  const P extends Parameters = None,
  const Q extends Parameters = None,
  const H extends Parameters = None,
  const A extends Answers = None,
>(
  declaration: Declaration<P, Q, H, z.ZodUndefined, A> & { run: Run<ReadInput<P, Q, H, z.ZodUndefined>, A> },
): Operation {
  return { kind: "read", ...declaration };
}

/** Runs in one transaction with its audit rows, its change rows and its idempotency answer. */
export function write<
  const P extends Parameters = None,
  const Q extends Parameters = None,
  const H extends Parameters = None,
  const B extends z.ZodType = z.ZodUndefined,
  const A extends Answers = None,
>(declaration: Declaration<P, Q, H, B, A> & { run: Run<WriteInput<P, Q, H, B>, A> }): Operation {
  return { kind: "write", ...declaration };
}

/** Talks to the network, and so never holds a transaction. */
export function action<
  const P extends Parameters = None,
  const Q extends Parameters = None,
  const H extends Parameters = None,
  const B extends z.ZodType = z.ZodUndefined,
  const A extends Answers = None,
>(declaration: Declaration<P, Q, H, B, A> & { run: Run<ReadInput<P, Q, H, B>, A> }): Operation {
  return { kind: "action", ...declaration };
}

/** What is sent piece by piece, and only as fast as it is taken. */
export interface Download {
  readonly type: string;
  readonly fileName: string;
  /** When it fails on the way, the connection breaks: half an answer never looks like a whole one. */
  readonly pieces: AsyncIterable<string>;
}

/** Changes nothing, and answers with a file of any length. What is refused is refused before the first piece. */
export function download<const P extends Parameters = None, const Q extends Parameters = None>(
  declaration: Omit<Declaration<P, Q, None, z.ZodUndefined, None>, "answers" | "media"> & {
    media: Readonly<Record<string, string>>;
    run: (input: ReadInput<P, Q, None, z.ZodUndefined>) => Promise<Download>;
  },
): Operation {
  return { kind: "download", answers: {}, ...declaration };
}
