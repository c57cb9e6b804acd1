import { z } from "zod";
import { recordId, timestamp } from "#api/http/answers";
import { requiredText } from "#api/http/body-fields";

export const WebSession = z
  .object({
    id: recordId("ses"),
    current: z.boolean().meta({ description: "Whether it is the one that asks", example: true }),
    method: z.string().meta({
      description: "What proved who it is: password, setup, invitation or oidc",
      example: "password",
    }),
    address: z.string().meta({ description: "The address that signed in", example: "192.0.2.7" }),
    user_agent: z.string().describe("What the browser called itself"),
    created_at: timestamp("When it began"),
    last_seen_at: timestamp("When it was last used, to within a minute"),
    expires_at: timestamp("When it ends, however much it is used"),
  })
  .meta({ id: "WebSession", description: "A browser in which a person is signed in" });

const LONGEST_PASSWORD = 256;

export const ConfirmPasswordBody = z
  .object({
    password: requiredText("password", LONGEST_PASSWORD).meta({
      writeOnly: true,
      description: "The caller's password",
    }),
  })
  .meta({ id: "ConfirmPassword", description: "The caller's password, once more" });

export const ChangePasswordBody = z
  .object({
    current_password: requiredText("current_password", LONGEST_PASSWORD).meta({
      writeOnly: true,
      description: "The password so far",
    }),
    new_password: requiredText("new_password", LONGEST_PASSWORD).meta({
      writeOnly: true,
      description: "The password from now on: at least 12 characters, and not easy to guess",
    }),
  })
  .meta({ id: "ChangePassword", description: "The password so far, and the one from now on" });
