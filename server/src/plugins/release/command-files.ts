import { stringify } from "yaml";
import { type CommandForm, definitionOf, exportClaude, exportCursor } from "#records/commands";
import type { PluginTarget } from "#storage/plugin-tables";
import { CURSOR_COMMANDS } from "./manifests.ts";

/** Paths and texts. Codex has no commands in plugins. */
export function commandFiles(
  commands: readonly CommandForm[],
  targets: readonly PluginTarget[],
): [path: string, text: string][] {
  return commands.flatMap((command) => {
    const files: [string, string][] = [];
    if (targets.includes("claude")) files.push([`commands/${command.slug}.md`, exportClaude(command)]);
    if (targets.includes("cursor")) files.push([`${CURSOR_COMMANDS}${command.slug}.md`, cursorFile(command)]);
    return files;
  });
}

/** In plugins, Cursor reads the name and the description from front matter. */
function cursorFile(command: CommandForm): string {
  const frontMatter = { name: command.slug, description: definitionOf(command).description };
  return `---\n${stringify(frontMatter, { lineWidth: 0 })}---\n\n${exportCursor(command)}`;
}
