import { recordKind } from "../kind.ts";

/** Without status and releases: publishing stays an action of a person, and a file must not undo it. */
export const plugins = recordKind({
  name: "plugins",
  key: "slug",
  fields: [
    ...["slug", "name", "description", "author", "category", "keywords", "homepage", "license"],
    ...["skills", "commands", "agents", "hooks", "mcp", "targets", "groups"],
  ],
  sets: ["groups"],
  operations: {
    list: "listPlugins",
    create: "createPlugin",
    update: "updatePlugin",
    remove: "deletePlugin",
  },
});
