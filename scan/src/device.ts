import { createHash, randomUUID } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { arch, hostname, release } from "node:os";
import { join } from "node:path";
import { redactText } from "#policy/redact";
import type { ReportedDevice } from "#policy/types";
import type { Settings } from "./settings.ts";
import { readIoregValue, readMachineGuid } from "./system-commands.ts";

/** The ID of the machine is hashed with this, so that it cannot be linked with other systems. */
const SALT = "gatehouse-scan";

export function describeDevice(settings: Settings, users: readonly string[]): ReportedDevice {
  const version = release();
  return {
    id: settings.deviceId ?? deviceId(settings),
    hostname: redactText(hostname()),
    os: settings.platform,
    os_version: version,
    arch: arch(),
    serial_hash: serialHash(),
    is_wsl: /microsoft/i.test(version),
    is_container: existsSync("/.dockerenv") || existsSync("/run/.containerenv"),
    users,
  };
}

/** Stable across scans. Random and stored if the system has no ID. */
function deviceId({ stateDir }: Settings): string {
  const machine = machineId();
  if (machine !== undefined) return hash("device", machine);
  const file = join(stateDir, "device-id");
  const stored = readText(file);
  if (stored !== undefined) return stored;
  const created = hash("device", randomUUID());
  mkdirSync(stateDir, { recursive: true, mode: 0o700 });
  writeFileSync(file, created, { mode: 0o600 });
  return created;
}

function machineId(): string | undefined {
  if (process.platform === "darwin") return readIoregValue("IOPlatformUUID");
  if (process.platform === "win32") return readMachineGuid();
  return readText("/etc/machine-id") ?? readText("/var/lib/dbus/machine-id");
}

/** On Windows the serial number is only in the tables of the firmware, which are not parsed. */
function serialHash(): string | null {
  if (process.platform === "win32") return null;
  const serial =
    process.platform === "darwin"
      ? readIoregValue("IOPlatformSerialNumber")
      : readText("/sys/class/dmi/id/product_serial");
  return serial === undefined ? null : `sha256:${hash("serial", serial)}`;
}

function readText(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8").trim() || undefined;
  } catch {
    return undefined;
  }
}

function hash(purpose: string, value: string): string {
  return createHash("sha256").update(`${SALT}|${purpose}|${value}`).digest("hex");
}
