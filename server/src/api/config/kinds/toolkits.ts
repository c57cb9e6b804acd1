import { type ConfigObject, recordKind, withoutNulls } from "../kind.ts";

/** Toolkits of groups. Toolkits that belong to one user are not part of the configuration. */
export const toolkits = recordKind({
  name: "toolkits",
  key: "slug",
  fields: [
    ...["slug", "name", "description", "instructions", "status", "least_privilege"],
    ...["tools", "prompts", "resources", "skills", "commands", "groups"],
  ],
  sets: ["groups"],
  operations: { list: "listToolkits", create: "createToolkit", update: "updateToolkit", remove: "deleteToolkit" },
  normalize: ({ tools, ...rest }) => ({ ...rest, ...(tools !== undefined && { tools: completeTools(tools) }) }),
  isManaged: ({ owner_email: owner }) => owner == null,
});

/** Null and omitted changes of arguments are empty ones. */
function completeTools(tools: unknown): unknown {
  if (!Array.isArray(tools)) return tools;
  return tools.map((tool: ConfigObject) => {
    const changes = withoutNulls(Object(tool.arguments));
    return { ...tool, arguments: { fixed: {}, defaults: {}, hidden: [], ...changes } };
  });
}
