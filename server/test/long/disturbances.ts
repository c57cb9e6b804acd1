/** What goes wrong around a service: its disk, its database, its clock. */
import { execFile } from "node:child_process";
import { chmod, type FileHandle, mkdir, mkdtemp, open, rm, statfs, writeFile } from "node:fs/promises";
import { tmpdir, userInfo } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
// biome-ignore lint/style/noRestrictedImports: the tests' Postgres is part of the tooling, as for the benchmarks
import { startPostgres } from "../../../tooling/start-postgres.ts";

const run = promisify(execFile);
const DISK_MB = 256;

/** A file system of limited size. Undefined without the permission to mount one. */
export interface SmallDisk {
  readonly folder: string;
  /** Takes all space for this time, and reports whether nothing was free. */
  fill(ms: number): Promise<boolean>;
  isFull(): boolean;
  close(): Promise<void>;
}

export async function mountSmallDisk(): Promise<SmallDisk | undefined> {
  if (userInfo().uid !== 0) return undefined;
  const folder = await mkdtemp(join(tmpdir(), "gatehouse-disk-"));
  const isMounted = await run("mount", ["-t", "tmpfs", "-o", `size=${DISK_MB}m`, "tmpfs", folder]).then(
    () => true,
    () => false,
  );
  if (!isMounted) {
    await rm(folder, { recursive: true });
    return undefined;
  }
  const filler = join(folder, "filler");
  // The mount point itself cannot be removed.
  const data = join(folder, "data");
  await mkdir(data);
  let isFull = false;
  return {
    folder: data,
    async fill(ms) {
      const file = await open(filler, "w");
      try {
        await writeUntilFull(file);
        const { bavail: freeBlocks } = await statfs(folder);
        isFull = true;
        // The service frees space when it deletes files.
        for (const until = performance.now() + ms; performance.now() < until; await sleep(50))
          await writeUntilFull(file);
        return freeBlocks === 0;
      } finally {
        isFull = false;
        await file.close();
        await rm(filler, { force: true });
      }
    },
    isFull: () => isFull,
    async close() {
      await run("umount", ["-l", folder]);
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function writeUntilFull(file: FileHandle): Promise<void> {
  for (const block of [Buffer.alloc(1 << 20), Buffer.alloc(1 << 12)]) {
    for (let hasSpace = true; hasSpace; ) {
      hasSpace = await file.write(block).then(
        ({ bytesWritten }) => bytesWritten === block.length,
        () => false,
      );
    }
  }
}

/** A Postgres that stops and starts again with its data. */
export interface StoppablePostgres {
  readonly url: string;
  stopFor(ms: number): Promise<void>;
  close(): Promise<void>;
}

export async function startStoppablePostgres(): Promise<StoppablePostgres> {
  const folder = await mkdtemp(join(tmpdir(), "gatehouse-postgres-"));
  // Postgres does not run as root, and its user must reach the folder.
  await chmod(folder, 0o755);
  const { url, server } = await startPostgres(join(folder, "data"), { persistent: true });
  return {
    url,
    async stopFor(ms) {
      await server.stop();
      await sleep(ms);
      await server.start();
    },
    async close() {
      await server.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** The wall clock of a service. */
export interface SteppedClock {
  readonly environment: Readonly<Record<string, string>>;
  /** Moves the clock to this number of seconds from the real time. */
  step(seconds: number): Promise<void>;
  close(): Promise<void>;
}

export async function createSteppedClock(): Promise<SteppedClock> {
  const folder = await mkdtemp(join(tmpdir(), "gatehouse-clock-"));
  const file = join(folder, "offset");
  const step = (seconds: number) => writeFile(file, String(seconds));
  await step(0);
  return {
    environment: {
      NODE_OPTIONS: `--import=${new URL("./stepped-clock.ts", import.meta.url)}`,
      CLOCK_OFFSET_FILE: file,
    },
    step,
    close: () => rm(folder, { recursive: true, force: true }),
  };
}
