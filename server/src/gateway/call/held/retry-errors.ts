/** Why a request cannot continue a held call, as text for the caller. */
export const INVALID_STATE = "requestState is not valid for this request; send the request again without it";
export const ALREADY_ANSWERED = "These questions were answered already; send the request again without requestState";
export const NOT_HELD = "The call is no longer open; send the request again without requestState";

export function endedMessage(reason: string): string {
  return `The call has ended: ${reason}. Send the request again without requestState`;
}
