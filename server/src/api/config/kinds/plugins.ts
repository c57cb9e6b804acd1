import { recordKind } from "../kind.ts";

/** Without releases: publishing stays an action of a person. */
export const plugins = recordKind({
  name: "plugins",
  key: "slug",
  fields: [
    ...["slug", "name", "description", "author", "category", "keywords", "homepage", "license"],
    ...["skills", "commands", "agents", "hooks", "mcp", "targets", "status", "groups"],
  ],
  operations: {
    list: "listPlugins",
    create: "createPlugin",
    update: "updatePlugin",
    remove: "deletePlugin",
  },
});
