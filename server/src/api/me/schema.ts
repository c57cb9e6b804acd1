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
  .meta({ id: "ConfirmPassword", description: "The caller's password" });

export const ChangePasswordBody = z
  .object({
    current_password: requiredText("current_password", LONGEST_PASSWORD).meta({
      writeOnly: true,
      description: "The current password",
    }),
    new_password: requiredText("new_password", LONGEST_PASSWORD).meta({
      writeOnly: true,
      description: "The new password: at least 12 characters and not easy to guess",
    }),
  })
  .meta({ id: "ChangePassword", description: "The current and the new password" });
