import { createHash } from "node:crypto";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { isSigned } from "#agents/signed-request";
import type { ApiContext } from "#api/kit/api-context";
import { invalid, Refusal } from "#lib/errors";
import { FailedAttempts } from "#lib/failed-attempts";
import {
  findAgent,
  findSession,
  insertHookRequest,
  lockAgent,
  openHookSecrets,
  queueSession,
  type SessionInput,
  sessionOfHookRequest,
} from "#records/agents";
import type { AgentRow, AgentSessionRow } from "#storage/agent-tables";
import { writeTransaction } from "#storage/transaction";
import { presentSession } from "./present.ts";
import { guardInput } from "./start-session.ts";

const BODY_LIMIT_BYTES = 256 * 1024;
const WRONG_SIGNATURES_PER_MINUTE = 60;
const DELIVERY_ID = /^[\x21-\x7e]{1,200}$/;
const UNSIGNED = { error: "invalid_signature" };
const ACTOR = { kind: "system", id: "agent-webhook", name: "Webhook" } as const;

/** Families 7: signed requests that start sessions. Not part of the API document. */
export function mountAgentHooks(server: FastifyInstance, context: ApiContext): void {
  const attempts = new FailedAttempts(context.clock, WRONG_SIGNATURES_PER_MINUTE);
  server.register(
    async (scope) => {
      scope.removeAllContentTypeParsers();
      const bytes = { parseAs: "buffer", bodyLimit: BODY_LIMIT_BYTES } as const;
      scope.addContentTypeParser("*", bytes, (_request, body, done) => done(null, body));
      scope.post<{ Params: { slug: string } }>("/agents/:slug", { bodyLimit: BODY_LIMIT_BYTES }, (request, reply) =>
        handle(context, attempts, request, reply),
      );
    },
    { prefix: "/hooks" },
  );
}

type HookRequest = FastifyRequest<{ Params: { slug: string } }>;

async function handle(
  context: ApiContext,
  attempts: FailedAttempts,
  request: HookRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  // The only content-type parser returns bytes. A request without a body has none.
  const body = (request.body as Buffer | undefined) ?? Buffer.alloc(0);
  const signature = headerOf(request, "x-signature-256");
  const signed = { signature, timestamp: headerOf(request, "x-timestamp"), body };
  const agent = await findAgent(context.databases.main, request.params.slug);
  // The same response for an unknown agent, so that requests do not reveal which agents exist.
  if (!agent || !isSigned(signed, secretsOf(context, agent), context.clock.now())) {
    const seconds = attempts.retryAfter(request.ip);
    if (seconds !== undefined)
      return reply.code(429).header("retry-after", seconds).send({ error: "Too many requests" });
    attempts.failed(request.ip);
    return reply.code(401).send(UNSIGNED);
  }
  const id = headerOf(request, "x-delivery-id");
  if (id === undefined || !DELIVERY_ID.test(id))
    throw invalid("X-Delivery-Id", "must have 1 to 200 visible characters");
  const session = await start(context, agent, {
    ...{ input: await guardInput(context, agent, inputOf(body)), requestId: request.id, deliveryId: id },
    // Without it, the same signed request under another ID would start another session.
    keys: [
      `id:${id}`,
      `signature:${createHash("sha256")
        .update(signature ?? "")
        .digest("hex")}`,
    ],
  });
  return reply.code(202).send({ data: presentSession(agent.slug, session) });
}

/** Undefined: missing or repeated. */
function headerOf({ headers }: HookRequest, name: string): string | undefined {
  const value = headers[name];
  return typeof value === "string" ? value : undefined;
}

function secretsOf({ vault, clock }: ApiContext, agent: AgentRow): string[] {
  if (!agent.hook_enabled) return [];
  const secrets = openHookSecrets(vault, agent);
  if (!secrets) return [];
  const { current, previous, previousExpiresAt = 0 } = secrets;
  return previous !== undefined && previousExpiresAt > clock.now() ? [current, previous] : [current];
}

function inputOf(body: Buffer): string {
  const text = body.toString("utf8");
  if (text.trim() === "") throw invalid("input", "input is required");
  if (text.includes("\ufffd") || text.includes("\0")) throw invalid("input", "must be valid UTF-8");
  return text;
}

interface Starting {
  readonly input: SessionInput;
  readonly requestId: string;
  readonly deliveryId: string;
  readonly keys: readonly string[];
}

/** A repeated request returns the session that the first one started. */
async function start(
  context: ApiContext,
  { slug }: AgentRow,
  { input, requestId, deliveryId, keys }: Starting,
): Promise<AgentSessionRow> {
  const { clock, newId, vault, databases } = context;
  const author = { actor: ACTOR, requestId };
  const { result } = await writeTransaction({ db: databases.main, clock, newId }, author, async (tx, trail) => {
    const agent = await lockAgent(tx, slug);
    if (!agent) throw new Refusal("conflict", "agent is not active");
    const known = await sessionOfHookRequest(tx, agent.id, keys);
    const earlier = known === undefined ? undefined : await findSession(tx, agent.id, known);
    if (earlier) return earlier;
    const now = clock.now();
    const metadata = { delivery_id: deliveryId };
    const started = { newId, vault, now, cause: "webhook", input, metadata, requestedBy: ACTOR } as const;
    const row = await queueSession(tx, agent, started);
    await insertHookRequest(tx, agent.id, keys, { sessionId: row.id, at: now });
    const target = { kind: "agent", id: agent.id, name: agent.slug };
    trail.audit({ operation: "invokeBackgroundAgent", target, after: { session: row.id, delivery_id: deliveryId } });
    return row;
  });
  context.agents.wake();
  return result;
}
