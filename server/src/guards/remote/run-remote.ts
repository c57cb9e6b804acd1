import type { Clock } from "#lib/clock";
import { replacementFor } from "../checks/text-check.ts";
import type { CompiledGuard } from "../compile.ts";
import type { CheckDefinition, Direction, GuardDefinition, LlmConfig } from "../definition.ts";
import type { GuardError } from "../evaluation.ts";
import { maskedExcerpt, type RawFinding } from "../findings.ts";
import type { Payload } from "../payload.ts";
import type { ScanResult } from "../scan.ts";
import { type Leaf, mapOffsets, pathOf } from "../text/leaf.ts";
import { type RemoteAnswer, readAnswer, type TextSpan } from "./answer.ts";
import { type JoinedText, joinTexts } from "./joined-text.ts";

/** The HTTP client for webhook checks. It applies the rules for outbound requests. */
export interface GuardHttp {
  post(request: {
    readonly url: string;
    readonly headers: Readonly<Record<string, string>>;
    readonly body: string;
    readonly maxBytes: number;
    readonly signal: AbortSignal;
  }): Promise<{ readonly status: number; readonly body: string }>;
}

/** Asks a model for a judgment; resolves to its text, which must be a JSON object. */
export interface GuardJudge {
  judge(
    request: Omit<LlmConfig, "timeout_ms"> & { readonly text: string; readonly signal: AbortSignal },
  ): Promise<string>;
}

export interface RemotePorts {
  readonly http: GuardHttp;
  readonly judge: GuardJudge;
}

export interface RemoteResult {
  readonly findings: readonly RawFinding[];
  readonly scores: ReadonlyMap<number, number>;
  readonly errors: ReadonlyMap<number, GuardError>;
}

type RemoteCheck = Extract<CheckDefinition, { type: "webhook" | "llm" }>;

interface Asked {
  readonly guard: CompiledGuard;
  readonly index: number;
  readonly check: RemoteCheck;
}

const MAX_ANSWER_BYTES = 64 * 1024;

/** Runs the webhook and llm checks of all guards concurrently. Never rejects. */
export async function runRemoteChecks(
  guards: readonly CompiledGuard[],
  payload: Payload,
  context: { readonly direction: Direction; readonly tool?: string | undefined },
  { leaves }: ScanResult,
  ports: RemotePorts | undefined,
  clock: Clock,
): Promise<RemoteResult> {
  const texts = leaves.filter(({ kind }) => kind !== "key");
  const joined = joinTexts(texts);
  const asked = guards.flatMap((guard) => guard.remotes.map(({ index, check }) => ({ guard, index, check })));
  const findings: RawFinding[] = [];
  const scores = new Map<number, number>();
  const errors = new Map<number, GuardError>();
  await Promise.all(
    asked.map(async ({ guard, index, check }: Asked) => {
      try {
        if (ports === undefined) throw new Error("no client for remote checks");
        const body = () => requestBody(guard.definition, check, payload, context, joined.text);
        const answer = await ask(check, ports, clock, body, joined, texts.length);
        const score = Math.round(answer.score);
        scores.set(guard.index, Math.max(score, scores.get(guard.index) ?? 0));
        if (score >= guard.definition.threshold)
          findings.push(...toFindings(guard, index, check, answer, joined, payload));
      } catch (error) {
        errors.set(guard.index, error instanceof RemoteTimeout ? "timeout" : "failed");
      }
    }),
  );
  return { findings, scores, errors };
}

class RemoteTimeout extends Error {}

async function ask(
  check: RemoteCheck,
  ports: RemotePorts,
  clock: Clock,
  body: () => string,
  joined: JoinedText,
  texts: number,
): Promise<RemoteAnswer> {
  const abort = new AbortController();
  let timer = { cancel: () => {} };
  const timeout = new Promise<never>((_resolve, reject) => {
    timer = clock.after(check.config.timeout_ms, () => {
      reject(new RemoteTimeout());
      abort.abort();
    });
  });
  try {
    const answer =
      check.type === "webhook" ? post(check, ports, body(), abort.signal) : judge(check, ports, joined, abort.signal);
    return readAnswer(await Promise.race([answer, timeout]), check.type === "webhook", joined, texts);
  } finally {
    timer.cancel();
  }
}

async function post(
  { config: { url, headers } }: Extract<RemoteCheck, { type: "webhook" }>,
  { http }: RemotePorts,
  body: string,
  signal: AbortSignal,
): Promise<string> {
  const answer = await http.post({ url, headers, body, maxBytes: MAX_ANSWER_BYTES, signal });
  if (answer.status < 200 || answer.status > 299) throw new Error(`status ${answer.status}`);
  return answer.body;
}

function judge(
  { config: { timeout_ms: _limit, ...config } }: Extract<RemoteCheck, { type: "llm" }>,
  ports: RemotePorts,
  { text }: JoinedText,
  signal: AbortSignal,
): Promise<string> {
  return ports.judge.judge({ ...config, text, signal });
}

function requestBody(
  { slug }: GuardDefinition,
  check: RemoteCheck,
  { source, range }: Payload,
  { direction, tool }: { readonly direction: Direction; readonly tool?: string | undefined },
  text: string,
): string {
  const head = JSON.stringify({ guard: slug, direction, tool: tool ?? null, text });
  if (check.type !== "webhook" || check.config.send !== "full") return head;
  // The value is valid JSON, so it is copied instead of parsed: numbers keep all digits.
  return `${head.slice(0, -1)},"arguments":${source.text(range)}}`;
}

function toFindings(
  guard: CompiledGuard,
  check: number,
  { name }: RemoteCheck,
  { score, spans, text }: RemoteAnswer,
  joined: JoinedText,
  payload: Payload,
): RawFinding[] {
  const certainty = Math.round(score);
  const base = { guard: guard.index, check, certainty, siblings: undefined };
  const all = text === undefined ? spans : [{ start: 0, end: joined.text.length, replacement: text }];
  const findings = all.flatMap((span) =>
    joined.split(span).map(({ leaf, start, end }) => ({
      ...base,
      ...{ path: pathOf(leaf), start, end, leafStart: leaf.start },
      excerpt: maskedExcerpt(leaf.text, start, end),
      replacement: replacementOf(span, name),
      bytes: leaf.kind === "number" ? undefined : bytesOf(leaf, payload, start, end),
    })),
  );
  if (findings.length > 0) return findings;
  return [{ ...base, path: "", start: 0, end: 0, excerpt: "", replacement: "", bytes: undefined, leafStart: -1 }];
}

function replacementOf({ replacement }: TextSpan, name: string): string {
  return replacement ?? replacementFor(name);
}

function bytesOf(leaf: Leaf, { source }: Payload, start: number, end: number): { start: number; end: number } {
  const bytes = source.slice(leaf.start, leaf.end);
  return mapOffsets(leaf, (at) => bytes[at - leaf.start] ?? 0, [{ start, end }])(start, end);
}
