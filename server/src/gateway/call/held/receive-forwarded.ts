import { readInputResponses } from "../../envelope/input-required.ts";
import { readRequest } from "../../envelope/read-request.ts";
import type { ReplicaMailboxes } from "../../sessions/replica-mailboxes.ts";
import type { HeldCall } from "./held-call.ts";
import { RemoteExchange, type RemoteExchangeNeeds } from "./remote-exchange.ts";
import { encode, type ToHolder } from "./replica-protocol.ts";
import { INVALID_STATE } from "./retry-errors.ts";

interface ReceiverNeeds extends RemoteExchangeNeeds {
  readonly mailboxes: ReplicaMailboxes;
}

interface HeldHere {
  find(id: string, round: number): HeldCall | string;
  get(id: string): HeldCall | undefined;
}

/** A message of a process that received a retry of a call at this process. That process authorized the retry. */
export function receiveForwarded(text: string, held: HeldHere, needs: ReceiverNeeds): void {
  const message = JSON.parse(text) as ToHolder; // only other processes of this installation can send one
  if (message.kind === "gone") {
    const exchange = held.get(message.id)?.call.request.exchange;
    if (exchange instanceof RemoteExchange) exchange.callerGone(message.replyTo);
    return;
  }
  const sender = needs.mailboxes.sender(message.replyTo);
  const call = readRequest(Buffer.from(message.body, "base64"));
  const responses = call.kind === "request" ? readInputResponses(call) : undefined;
  const found = held.find(message.id, message.round);
  if (call.kind !== "request" || !responses || typeof found === "string") {
    const refusal = typeof found === "string" ? found : INVALID_STATE;
    void sender.send(encode({ kind: "refused", message: refusal }));
    return;
  }
  const { request: first } = found.call;
  void sender.send(encode({ kind: "taken", requestId: first.exchange.requestId }));
  const exchange = new RemoteExchange(first.exchange, message, sender, needs);
  found.continueWith({ ...first, exchange, call }, responses, undefined);
}
