/** The start of a path in the tables. */
import type { Platform } from "#policy/types";

/**
 * `~` is the home folder, `AS` is Application Support, `XC` is `~/.config`, `AD` and `LD` are the roaming and local AppData.
 * `SYS` and `PD` are the system-wide root and ProgramData, `PF` is Program Files.
 */
export type PathRoot = "~" | "AS" | "XC" | "AD" | "LD" | "SYS" | "PD" | "PF";

/** Paths per operating system. `all` is added to each. A `*` is any name, and `**` any number of folders. */
export interface PlatformPaths {
  readonly all?: readonly string[];
  readonly darwin?: readonly string[];
  readonly linux?: readonly string[];
  readonly win32?: readonly string[];
}

export function pathsFor(paths: PlatformPaths, platform: Platform): readonly string[] {
  return [...(paths.all ?? []), ...(paths[platform] ?? [])];
}

/** The same path below the folder in which applications keep the data of a user. */
export function appData(path: string): PlatformPaths {
  return { darwin: [`AS/${path}`], linux: [`XC/${path}`], win32: [`AD/${path}`] };
}

export function isSystemPath(template: string): boolean {
  return /^(?:SYS|PD|PF)\//.test(template);
}
