import { Message } from "#api/kit/answers";
import { action } from "#api/kit/operation";
import { personOf } from "#api/kit/web-session";
import { confirmPassword } from "#identity/confirm-password";
import { invalid, Refusal } from "#lib/errors";
import { ConfirmPasswordBody } from "./schema.ts";

/** The admin app requests it before sensitive actions, such as revealing a secret. */
export const confirmMyPassword = action({
  id: "confirmMyPassword",
  route: "POST /api/me/confirm-password",
  tag: "Me",
  summary: "Confirm the caller's password",
  description: "Allows operations that require fresh authentication for 5 minutes.",
  scope: "any",
  callers: "people",
  body: ConfirmPasswordBody,
  answers: { 200: Message },
  refusals: [400],
  onCrash: "Failed to confirm password",
  async run({ body, visitor, context, address, requestId }) {
    const confirmation = await confirmPassword(context, personOf(visitor), body.password, { address, requestId });
    switch (confirmation.outcome) {
      case "confirmed":
        return { status: 200, body: { message: "Password confirmed successfully" } };
      case "wrong":
        throw invalid("password", "is incorrect");
      case "no-password":
        throw invalid("password", "you have no password, sign in again instead");
      case "wait": {
        const message = `password: too many attempts, try again in ${confirmation.seconds} seconds`;
        throw new Refusal("invalid", message, { retryAfterSeconds: confirmation.seconds });
      }
    }
  },
});
