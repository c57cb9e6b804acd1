import type { Operation } from "#api/kit/operation";
import { createSkill } from "./create-skill.ts";
import { deleteSkill } from "./delete-skill.ts";
import { downloadSkill } from "./download-skill.ts";
import { getSkill } from "./get-skill.ts";
import { getSkillFile } from "./get-skill-file.ts";
import { importSkill } from "./import-skill.ts";
import { listSkillVersions } from "./list-skill-versions.ts";
import { listSkills } from "./list-skills.ts";
import { rollbackSkill } from "./rollback-skill.ts";
import { updateSkill } from "./update-skill.ts";
import { validateSkill } from "./validate-skill.ts";

/** In document order. */
export const skillOperations: readonly Operation[] = [
  listSkills,
  createSkill,
  updateSkill,
  deleteSkill,
  importSkill,
  validateSkill,
  getSkill,
  getSkillFile,
  listSkillVersions,
  rollbackSkill,
  downloadSkill,
];
