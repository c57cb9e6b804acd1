export { checkCommand, MAX_ARGUMENTS, MAX_CONTENT_BYTES } from "./check-command.ts";
export { type CommandDefinition, definitionOf, listedArguments } from "./definition.ts";
export { argumentOf, type CommandForm, formOf, type GivenCommand } from "./form.ts";
export { exportGemini, importGemini } from "./gemini-format.ts";
export { exportClaude, exportCursor, importMarkdown } from "./markdown-format.ts";
export { type PublishedCommand, publishedCommandsAfter, publishedCommandsByIds } from "./published.ts";
export { changeCommand, createCommand, type SavedCommand } from "./save.ts";
export {
  type CommandFilter,
  commandsOfUser,
  countCommands,
  deleteCommand,
  findCommand,
  findCommandsBySlug,
  listCommands,
  lockCommand,
  searchCommands,
  setCommandGroups,
} from "./store.ts";
