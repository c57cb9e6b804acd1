import type { OwnContent } from "../request.ts";
import { COMMANDS_CONTENT } from "../snapshot/command-source.ts";
import { SEARCH_CONTENT } from "../snapshot/search-source.ts";
import { SKILLS_CONTENT } from "../snapshot/skill-source.ts";
import { SKILL_TOOLS_CONTENT } from "../snapshot/skill-tools.ts";
import { answerSearchTool } from "../tool-search/answer-search-tool.ts";
import { answerCommand } from "./commands/answer-command.ts";
import { answerSkillTool } from "./skills/answer-skill-tool.ts";
import { answerSkillFile } from "./skills/read-skill-file.ts";

/** Answers for the gateway's own content. Adding content is one entry here, and a source in the snapshot. */
export const OWN_CONTENT: OwnContent = new Map([
  [SEARCH_CONTENT, answerSearchTool],
  [COMMANDS_CONTENT, answerCommand],
  [SKILLS_CONTENT, answerSkillFile],
  [SKILL_TOOLS_CONTENT, answerSkillTool],
]);
