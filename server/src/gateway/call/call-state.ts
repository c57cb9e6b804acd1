import type { Edit } from "#lib/json/splice";
import type { GatewayContext, McpRequest } from "../request.ts";
import type { CallChecks, CheckedCall, GuardReport, NamedItem, ServerEntry, UserEntry } from "../snapshot/shape.ts";
import { capturePayload } from "./capture-payload.ts";
import type { Forwarding } from "./forwarding.ts";
import { combineReports } from "./guard-reports.ts";
import { editedParamHeaders } from "./param-headers.ts";
import type { CheckableCall } from "./run-checks.ts";

const NO_EDITS: readonly Edit[] = [];

/** What a call is, and what checks found in it. */
export abstract class CallState implements CheckableCall {
  /** The caller's current request: a modern caller can continue a call with another one. */
  request: McpRequest;
  readonly context: GatewayContext;
  to: Forwarding;
  /** Of the snapshot at the start of the call. */
  readonly checks: CallChecks;
  /** Edits of the caller's message by the request checks. */
  requestEdits: readonly Edit[] = NO_EDITS;
  /** What guards found so far. */
  report: GuardReport | undefined;
  #hidesRequest = false;

  constructor(request: McpRequest, context: GatewayContext, to: Forwarding) {
    this.request = request;
    this.context = context;
    this.to = to;
    this.checks = context.holder.current().checks;
  }

  get user(): UserEntry {
    return this.request.principal.user;
  }

  get server(): ServerEntry {
    return this.to.server;
  }

  get item(): NamedItem | undefined {
    return this.to.item;
  }

  get checked(): CheckedCall {
    const { exchange, call } = this.request;
    const { server, method, tool, item } = this.to;
    return {
      ...{ user: this.user, server, item, method, tool, requestId: exchange.requestId },
      source: call.source,
      arguments: call.params?.arguments,
      edits: this.to.edits ?? NO_EDITS,
    };
  }

  get paramHeaders(): readonly string[] {
    const { exchange, era, nested, call } = this.request;
    if (this.requestEdits.length > 0) return editedParamHeaders(call, this.requestEdits, this.to.item);
    return this.to.paramHeaders ?? (era === "modern" && !nested ? exchange.paramHeaders() : []);
  }

  noteReport(report: GuardReport | undefined): void {
    if (!report) return;
    this.report = combineReports(this.report, report);
    this.request.exchange.observer?.guarded(report);
  }

  /** The caller continues the call. The edits are positions in the earlier request, which this one may repeat. */
  protected replaceRequest(request: McpRequest): void {
    this.request = request;
    this.#hidesRequest ||= this.requestEdits.length > 0;
    this.requestEdits = NO_EDITS;
  }

  protected capture(response: readonly Buffer[], hidesRequest = false): void {
    capturePayload(this, response, hidesRequest || this.#hidesRequest);
  }
}
