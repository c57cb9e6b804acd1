/** The messages between the process that received a retry and the process that holds its call. */

export type ToHolder =
  | {
      readonly kind: "continue";
      /** Of the held call. */
      readonly id: string;
      /** The mailbox for the messages to the caller. */
      readonly replyTo: string;
      readonly process: string;
      readonly round: number;
      readonly accept: string | undefined;
      /** The request without its arguments, in base64. */
      readonly body: string;
    }
  | { readonly kind: "gone"; readonly id: string; readonly replyTo: string };

export type ToCaller =
  | { readonly kind: "taken"; readonly requestId: string }
  | { readonly kind: "refused"; readonly message: string }
  /** In base64. */
  | { readonly kind: "event"; readonly data: string }
  /** The last event was the response. */
  | { readonly kind: "end" }
  | {
      readonly kind: "answer";
      readonly status: number;
      readonly headers: readonly string[];
      /** In base64. */
      readonly body: string;
    };

/** How often the two processes check whether the other one is still there. */
export const CHECK_MS = 500;

export function encode(message: ToHolder | ToCaller): string {
  return JSON.stringify(message);
}
