/** The fixed system commands that the scan agent starts. Nothing from a configuration file is ever an argument here. */
import { type ExecFileSyncOptionsWithStringEncoding, execFileSync } from "node:child_process";

const LIMITS: ExecFileSyncOptionsWithStringEncoding = {
  encoding: "utf8",
  timeout: 5000,
  maxBuffer: 1024 * 1024,
  stdio: ["ignore", "pipe", "ignore"],
  windowsHide: true,
};
const MANAGED_PREFERENCES = "/Library/Managed Preferences/com.gatehouse.scan.plist";
const POLICY_KEY = "HKLM\\SOFTWARE\\Policies\\Gatehouse\\Scan";

function run(program: string, args: readonly string[]): string {
  try {
    return execFileSync(program, args, LIMITS);
  } catch {
    return "";
  }
}

/** `IOPlatformUUID` and `IOPlatformSerialNumber` of macOS. */
export function readIoregValue(key: "IOPlatformUUID" | "IOPlatformSerialNumber"): string | undefined {
  const text = run("/usr/sbin/ioreg", ["-rd1", "-c", "IOPlatformExpertDevice"]);
  return new RegExp(`"${key}" = "([^"]+)"`).exec(text)?.[1];
}

/** A value of the Windows registry. */
export function readMachineGuid(): string | undefined {
  const text = run("C:\\Windows\\System32\\reg.exe", [
    "query",
    "HKLM\\SOFTWARE\\Microsoft\\Cryptography",
    "/v",
    "MachineGuid",
  ]);
  return /MachineGuid\s+REG_SZ\s+(\S+)/.exec(text)?.[1];
}

/** Settings that a configuration profile installed, as JSON. */
export function readManagedPreferences(): string {
  return run("/usr/bin/plutil", ["-convert", "json", "-o", "-", MANAGED_PREFERENCES]);
}

/** Settings that a group policy or a `.reg` file installed, by name. */
export function readRegistrySettings(): Record<string, string> {
  return parseRegistryValues(run("C:\\Windows\\System32\\reg.exe", ["query", POLICY_KEY]));
}

/** The output of `reg query`: one value per line, which can be empty. */
export function parseRegistryValues(text: string): Record<string, string> {
  const values = [...text.matchAll(/^[ \t]+(\w+)[ \t]+REG_(?:SZ|DWORD)(?:[ \t]+(.*?))?[ \t\r]*$/gm)];
  return Object.fromEntries(values.map(([, name = "", value = ""]) => [name, value]));
}

/** Shows a desktop notification if the system has a program for it. The text was written by an admin. */
export function showNotification(platform: string, text: string): void {
  const plain = text
    .replace(/[^\p{L}\p{N}\p{P}\p{Zs}]/gu, " ")
    .replace(/["\\]/g, "'")
    .slice(0, 300);
  if (platform === "darwin")
    run("/usr/bin/osascript", ["-e", `display notification "${plain}" with title "Gatehouse"`]);
  else if (platform === "linux") run("/usr/bin/notify-send", ["--app-name=Gatehouse", "--", "Gatehouse", plain]);
}
