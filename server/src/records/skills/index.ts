export { isSkillName, NAME_MESSAGE, RESERVED_METADATA, splitTools } from "./check-front-matter.ts";
export { byPath, type CheckedSkill, checkSkill, type GivenFile, type NewFile, type SkillFile } from "./check-skill.ts";
export {
  changedSkillMd,
  composeSkillMd,
  contentOf,
  decodeBase64,
  fileOf,
  type RequestedFile,
  readStoredSkill,
  requestedFiles,
  type StoredSkill,
} from "./compose.ts";
export { type Finding, Findings, warningText } from "./findings.ts";
export { parseFrontMatter } from "./front-matter.ts";
export { MAX_COMPATIBILITY, MAX_DESCRIPTION, MAX_PATH, MAX_SKILL_FILES, SKILL_MD } from "./limits.ts";
export {
  type PublishedSkill,
  type PublishedSkillFile,
  publishedSkillsAfter,
  publishedSkillsByIds,
} from "./published.ts";
export { type ArchivedSkill, readSkillArchive } from "./read-archive.ts";
export { insertSkill, type SkillWrite, updateSkill, type VersionContent } from "./save.ts";
export {
  countSkills,
  currentVersions,
  deleteSkill,
  filesOfSkills,
  filesOfVersion,
  findSkill,
  findSkillsBySlug,
  findVersion,
  knownSkillDigests,
  listSkills,
  listVersions,
  lockSkill,
  type SkillFilter,
  searchSkills,
  setSkillGroups,
  skillsOfUser,
} from "./store.ts";
