import { Message } from "#api/kit/answers";
import { write } from "#api/kit/operation";
import { targetParameter } from "#api/kit/parameters";
import { personOf } from "#api/kit/web-session";
import { notFound } from "#lib/errors";
import { lockPendingRequest, settleRequest } from "#records/access-requests";

/** F31. */
export const withdrawMyRequest = write({
  id: "withdrawMyRequest",
  route: "DELETE /api/me/requests",
  tag: "Me",
  summary: "Withdraw a pending access request of the caller",
  scope: "any",
  callers: "people",
  query: { id: targetParameter("The request's ID") },
  answers: { 200: Message },
  refusals: [400, 404],
  onCrash: "Failed to withdraw access request",
  async run({ tx, trail, query, visitor, context }) {
    const { user } = personOf(visitor);
    const request = await lockPendingRequest(tx, query.id);
    if (request?.user_id !== user.id) throw notFound.accessRequest();
    const decided = { decided_by: user.name, decided_at: context.clock.now() };
    await settleRequest(tx, request.id, { status: "withdrawn", message: null, group_name: null, ...decided });
    trail.audit({
      operation: "withdrawMyRequest",
      target: { kind: "access-request", id: request.id, name: user.email },
      before: { status: "pending" },
    });
    return { status: 200, body: { message: "Access request withdrawn successfully" } };
  },
});
