import { existsSync, writeFileSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import { makePrivateFolder } from "#config/data-dir";
import { describeSetting, SETTINGS } from "#config/setting-list";
import { createKeyFile } from "#storage/key-file";
import { BadUsage } from "./bad-usage.ts";

const SETTINGS_FILE = "gatehouse.env";
const KEY_FILE = "gatehouse.key";

/** Creates a settings file and a key file for a new installation. Never overwrites a file. */
export async function init(args: readonly string[]): Promise<void> {
  const [folder = ".", ...more] = args;
  if (more.length > 0 || folder.startsWith("-")) throw new BadUsage("init accepts one folder");
  const path = resolve(folder);
  const [settingsPath, keyPath] = [join(path, SETTINGS_FILE), join(path, KEY_FILE)];
  const existing = [settingsPath, keyPath].find((file) => existsSync(file));
  if (existing !== undefined) throw new BadUsage(`${existing} already exists, and init never overwrites a file`);
  makePrivateFolder(path);
  createKeyFile(keyPath);
  // Mode 0600, because people add secrets such as DATABASE_URL.
  writeFileSync(settingsPath, renderSettings({ DATA_DIR: join(path, "data"), GATEHOUSE_KEY_FILE: keyPath }), {
    flag: "wx",
    mode: 0o600,
  });
  process.stdout.write(`${nextSteps(settingsPath, keyPath)}\n`);
}

/** Every setting with its description. Those without a value are commented out. */
function renderSettings(values: Readonly<Record<string, string>>): string {
  const settings = SETTINGS.filter(({ name }) => !name.startsWith("OTEL_")).map((setting) => {
    const value = values[setting.name];
    const line = value === undefined ? `#${setting.name}=` : `${setting.name}="${value}"`;
    return `# ${describeSetting(setting)}\n${line}\n`;
  });
  const head = `# Settings of Gatehouse. Environment variables take precedence over this file.\n# "gatehouse serve --help" also lists the OTEL_* settings for traces.\n`;
  return [head, ...settings].join("\n");
}

function nextSteps(settingsPath: string, keyPath: string): string {
  const shown = relative(process.cwd(), settingsPath);
  return [
    `Created ${settingsPath}`,
    `Created ${keyPath}`,
    "",
    "Next:",
    `  1. Copy ${KEY_FILE} to a safe place, apart from backups of the database.`,
    "     Without it, the secrets in the database cannot be decrypted.",
    `  2. Edit ${SETTINGS_FILE}. For other machines to connect, set HOST and BASE_URL.`,
    "  3. Start Gatehouse:",
    `       gatehouse serve --settings ${shown}`,
    "  4. Open the setup link that it prints, and create the owner account.",
  ].join("\n");
}
