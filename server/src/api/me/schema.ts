import { z } from "zod";
import { requiredText } from "#api/kit/body-fields";

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
