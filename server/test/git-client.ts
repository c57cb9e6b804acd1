/** The real git, in a separate folder and without the configuration of this computer. */
import { execFile } from "node:child_process";
import { mkdtemp, readdir, readFile, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { promisify } from "node:util";

export interface GitClient {
  readonly folder: string;
  /** Standard output. Rejects with the standard error of git. */
  run(...args: string[]): Promise<string>;
  /** Everything in a clone except git's files: contents by path, with `*` after the path of an executable file. */
  filesOf(clone: string): Promise<Map<string, Buffer>>;
  clear(): Promise<void>;
  close(): Promise<void>;
}

export async function createGitClient(): Promise<GitClient> {
  const folder = await mkdtemp(join(tmpdir(), "gatehouse-git-"));
  const env = { PATH: process.env.PATH, HOME: folder, GIT_CONFIG_NOSYSTEM: "1", GIT_TERMINAL_PROMPT: "0" };
  return {
    folder,
    async run(...args) {
      const { stdout } = await promisify(execFile)("git", args, { cwd: folder, env, timeout: 60_000 });
      return stdout.trim();
    },
    async filesOf(clone) {
      const files = new Map<string, Buffer>();
      for (const entry of await readdir(join(folder, clone), { recursive: true, withFileTypes: true })) {
        const path = join(entry.parentPath, entry.name);
        const name = relative(join(folder, clone), path);
        if (!entry.isFile() || name.startsWith(".git/")) continue;
        const isExecutable = ((await stat(path)).mode & 0o111) !== 0;
        files.set(`${name}${isExecutable ? "*" : ""}`, await readFile(path));
      }
      return files;
    },
    async clear() {
      for (const name of await readdir(folder)) await rm(join(folder, name), { recursive: true, force: true });
    },
    close: () => rm(folder, { recursive: true, force: true }),
  };
}
