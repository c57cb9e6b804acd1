import { accessSync, constants, existsSync, statSync } from "node:fs";
import { statfs } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { type Config, keyFileOf } from "#config/config";
import { readWrappingKeys } from "#config/wrapping-keys";
import { fileExists } from "#lib/file-exists";
import { readLocalServersFile } from "#local-servers/local-servers-file";
import type { WrappingKey } from "#storage/wrapping-key";
import { type Finding, failure, ok, textOf, warning } from "./finding.ts";

const MIB = 1024 * 1024;
const FEW_BYTES = 1024 * MIB;
const TOO_FEW_BYTES = 100 * MIB;
/** Permissions of the group and of others. */
const OPEN_TO_OTHERS = 0o077;
const OPEN_TO_ALL = 0o007;

export async function checkFiles(config: Config): Promise<Finding[]> {
  return [
    checkDataDir(config),
    checkKeyFile(config),
    await checkDisk(config),
    ...checkLocalServers(config),
    ...checkLogFolder(config),
  ];
}

function checkDataDir({ dataDir }: Config): Finding {
  const check = "Data folder";
  try {
    if (!fileExists(dataDir)) return ok(check, `${dataDir} does not exist yet. The first start creates it.`);
    accessSync(dataDir, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (error) {
    const advice = "Run this command as the user that runs Gatehouse, and make that user the owner of the folder.";
    return failure(check, `${dataDir} cannot be used: ${textOf(error)}.`, advice);
  }
  const mode = statSync(dataDir).mode & OPEN_TO_OTHERS;
  if (mode !== 0) {
    return warning(check, `Other users of this machine can open ${dataDir}.`, `Run: chmod 700 ${dataDir}`);
  }
  return ok(check, `${dataDir} is writable, and closed to other users.`);
}

function checkKeyFile(config: Config): Finding {
  const check = "Key file";
  const path = keyFileOf(config);
  let keys: readonly WrappingKey[];
  try {
    keys = readWrappingKeys(config);
  } catch (error) {
    return failure(
      check,
      `${textOf(error)}.`,
      "Restore the key file from its backup. Secrets cannot be read without it.",
    );
  }
  if (keys.length === 0) return ok(check, `${path} does not exist yet. The first start creates it.`);
  const { mode, uid } = statSync(path);
  // A secret of Kubernetes belongs to root and is readable through its group. The service cannot change that.
  const others = uid === process.getuid?.() ? OPEN_TO_OTHERS : OPEN_TO_ALL;
  if ((mode & others) !== 0) {
    return warning(check, `Other users of this machine can read ${path}.`, `Run: chmod 600 ${path}`);
  }
  return ok(check, `${path} is valid. Keep a copy apart from backups of the database.`);
}

/** Without a finding if the setting is not used. */
function checkLocalServers({ localServersFile }: Config): Finding[] {
  const check = "Local servers";
  if (localServersFile === undefined) return [];
  try {
    const servers = readLocalServersFile(localServersFile);
    return [ok(check, `${localServersFile} is valid. Servers: ${servers.length}.`)];
  } catch (error) {
    return [failure(check, `${textOf(error)}.`, "Correct the file. Gatehouse does not start with it.")];
  }
}

/** Without a finding if the setting is not used. */
function checkLogFolder({ logFilesDir }: Config): Finding[] {
  const check = "Log folder";
  if (logFilesDir === undefined) return [];
  const advice = "Create the folder of LOG_FILES_DIR, and make the user that runs Gatehouse its owner.";
  try {
    if (!statSync(logFilesDir).isDirectory()) return [failure(check, `${logFilesDir} is not a folder.`, advice)];
    accessSync(logFilesDir, constants.W_OK | constants.X_OK);
    return [ok(check, `${logFilesDir} is writable.`)];
  } catch (error) {
    return [failure(check, `${logFilesDir} cannot be used: ${textOf(error)}.`, advice)];
  }
}

async function checkDisk({ dataDir }: Config): Promise<Finding> {
  const check = "Disk space";
  const { bavail, bsize } = await statfs(nearestFolder(resolve(dataDir)));
  const free = bavail * bsize;
  const message = `${Math.floor(free / MIB).toLocaleString("en")} MB are free for ${dataDir}.`;
  const advice = "Free space, or shorten the retention of logs. Calls are rejected while the disk is full.";
  if (free < TOO_FEW_BYTES) return failure(check, message, advice);
  return free < FEW_BYTES ? warning(check, message, advice) : ok(check, message);
}

/** Of a folder that does not exist, or cannot be read, the parent that exists. */
function nearestFolder(path: string): string {
  return existsSync(path) ? path : nearestFolder(dirname(path));
}
