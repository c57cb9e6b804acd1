/** Files that the scan agent keeps between runs. */
import {
  closeSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { acquireLock } from "./lock.ts";

export class StateFolder {
  readonly path: string;

  constructor(path: string) {
    this.path = path;
  }

  /** Undefined if the file is missing or damaged. */
  readJson<T>(name: string): T | undefined {
    try {
      return JSON.parse(readFileSync(join(this.path, name), "utf8")) as T;
    } catch {
      return undefined;
    }
  }

  writeJson(name: string, value: unknown): void {
    this.write(name, Buffer.from(`${JSON.stringify(value, null, 1)}\n`));
  }

  /** Replaces the file in one step, so that neither a crash nor a full disk leaves half of it. Readable by its owner only. */
  write(name: string, bytes: Uint8Array): void {
    const target = join(this.path, name);
    mkdirSync(join(target, ".."), { recursive: true, mode: 0o700 });
    const temporary = `${target}.${process.pid}.tmp`;
    try {
      const file = openSync(temporary, "w", 0o600);
      try {
        writeFileSync(file, bytes);
        fsyncSync(file);
      } finally {
        closeSync(file);
      }
      renameSync(temporary, target);
    } catch (error) {
      rmSync(temporary, { force: true });
      throw error;
    }
  }

  readBytes(name: string): Buffer | undefined {
    try {
      return readFileSync(join(this.path, name));
    } catch {
      return undefined;
    }
  }

  list(folder: string): string[] {
    try {
      return readdirSync(join(this.path, folder))
        .filter((name) => !name.endsWith(".tmp"))
        .sort();
    } catch {
      return [];
    }
  }

  remove(name: string): void {
    rmSync(join(this.path, name), { recursive: true, force: true });
  }

  /** Runs an action while no other process runs one. */
  async exclusively<T>(action: () => Promise<T>): Promise<T> {
    mkdirSync(this.path, { recursive: true, mode: 0o700 });
    const lock = join(this.path, "lock");
    acquireLock(lock);
    try {
      return await action();
    } finally {
      rmSync(lock, { force: true });
    }
  }
}
