import { existsSync, mkdirSync, readdirSync, rmSync, statSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { BadSetting } from "#lib/bad-setting";

/** Contains SQLite files, the spool, and keys, so only the owner may read it. */
export function makeDataDir(path: string): void {
  try {
    makePrivateFolder(path);
  } catch (error) {
    throw new BadSetting(`DATA_DIR: ${error instanceof Error ? error.message : path}`, { cause: error });
  }
}

/** Also creates its parents. Only the owner may read them. */
export function makePrivateFolder(path: string): void {
  createDirectories(resolve(path));
}

const CONTROL_SOCKET = /^control-\d+\.sock$/;
/** The shortest limit of the supported operating systems. */
const MAX_SOCKET_PATH_BYTES = 103;
const LARGEST_PID = 4_194_304;

/** Where the control worker accepts the requests that other workers forward (decision 0145). */
export function controlSocketPath(dataDir: string, pid: number): string {
  return join(dataDir, `control-${pid}.sock`);
}

export function assertSocketPath(dataDir: string): void {
  const excess = Buffer.byteLength(controlSocketPath(dataDir, LARGEST_PID)) - MAX_SOCKET_PATH_BYTES;
  if (excess > 0) throw new BadSetting(`DATA_DIR: with WORKERS, the path must be at least ${excess} bytes shorter`);
}

/** Removes what killed processes left. Only for a folder that no other service uses. */
export function removeControlSockets(dataDir: string): void {
  for (const name of readdirSync(dataDir)) if (CONTROL_SOCKET.test(name)) rmSync(join(dataDir, name), { force: true });
}

/**
 * Creates parents one by one: Node's `recursive` option never returns if a parent exists but allows no new entries, as
 * in /proc.
 */
function createDirectories(path: string): void {
  if (existsSync(path) && statSync(path).isDirectory()) return;
  const parent = dirname(path);
  if (parent !== path && !existsSync(parent)) createDirectories(parent);
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    // Another process that starts concurrently created it first.
    if (!existsSync(path) || !statSync(path).isDirectory()) throw error;
  }
}
