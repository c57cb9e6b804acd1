import { recordKind } from "../kind.ts";

/** Toolkits of groups. Toolkits that belong to one user are not part of the configuration. */
export const toolkits = recordKind({
  name: "toolkits",
  key: "slug",
  fields: [
    ...["slug", "name", "description", "instructions", "status", "least_privilege"],
    ...["tools", "prompts", "resources", "skills", "commands", "groups"],
  ],
  operations: { list: "listToolkits", create: "createToolkit", update: "updateToolkit", remove: "deleteToolkit" },
  isManaged: ({ owner_email: owner }) => owner == null,
});
