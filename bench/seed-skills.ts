import { systemClock } from "#lib/clock";
import type { NewId } from "#lib/ids";
import { checkSkill, Findings, insertSkill } from "#records/skills";
import type { MainTransaction } from "#storage/database";
import { WriteTrail } from "#storage/transaction";

const FILE_BYTES = 4 * 1024;

/** Active skills of one group, each with SKILL.md and other files of 4 KiB. */
export async function insertSkills(
  tx: MainTransaction,
  newId: NewId,
  { groupId, skills, files }: { readonly groupId: string; readonly skills: number; readonly files: number },
): Promise<void> {
  const writing = { tx, trail: new WriteTrail(), now: systemClock.now(), createdBy: "bench" };
  for (let n = 0; n < skills; n++) {
    const name = `skill-${n}`;
    const skillMd = `---\nname: ${name}\ndescription: Does what the skill ${n} of the bench does, when it is asked to.\n---\n\n# ${name}\n`;
    const others = Array.from({ length: files - 1 }, (_, at) => ({
      path: `references/file-${at}.md`,
      executable: false,
      content: Buffer.alloc(FILE_BYTES, `${name} ${at}\n`),
    }));
    const given = [{ path: "SKILL.md", executable: false, content: Buffer.from(skillMd) }, ...others];
    const checked = checkSkill(given, new Findings());
    if (!checked) throw new Error("A skill of the bench is invalid");
    const id = newId("skl");
    await insertSkill(writing, { id, status: "active" }, { ...checked, source: null });
    await tx.insertInto("group_skills").values({ group_id: groupId, skill_id: id }).execute();
  }
}
