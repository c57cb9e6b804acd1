import { recordKind } from "../kind.ts";

export const commands = recordKind({
  name: "commands",
  key: "slug",
  fields: [
    ...["slug", "name", "description", "content", "arguments", "argument_hint", "allowed_tools", "model"],
    ...["disable_model_invocation", "skills", "include_skills", "status", "groups"],
  ],
  sets: ["groups"],
  operations: { list: "listCommands", create: "createCommand", update: "updateCommand", remove: "deleteCommand" },
});
