import { Message } from "#api/kit/answers";
import { action } from "#api/kit/operation";
import { personOf } from "#api/kit/web-session";
import { changePassword } from "#identity/change-password";
import { passwordFault } from "#identity/password-rule";
import { invalid, Refusal } from "#lib/errors";
import { ChangePasswordBody } from "./schema.ts";

/** An action, because hashing is slow and must not block a transaction. */
export const changeMyPassword = action({
  id: "changeMyPassword",
  route: "POST /api/me/password",
  tag: "Me",
  summary: "Change the caller's password",
  description: "Ends all other web sessions of the caller.",
  scope: "any",
  callers: "people",
  body: ChangePasswordBody,
  answers: { 200: Message },
  refusals: [400],
  onCrash: "Failed to change password",
  async run({ body, visitor, context, address, requestId }) {
    const person = personOf(visitor);
    const fault = passwordFault(body.new_password, [person.user.name, person.user.email, context.orgName]);
    if (fault !== undefined) throw invalid("new_password", fault);
    const given = { current: body.current_password, next: body.new_password };
    const change = await changePassword(context, person, given, { address, requestId });
    switch (change.outcome) {
      case "changed":
        return { status: 200, body: { message: "Password changed successfully" } };
      case "wrong":
        throw invalid("current_password", "is incorrect");
      case "no-password":
        throw invalid("current_password", "you have no password to change");
      case "wait": {
        const message = `current_password: too many attempts, try again in ${change.seconds} seconds`;
        throw new Refusal("invalid", message, { retryAfterSeconds: change.seconds });
      }
    }
  },
});
