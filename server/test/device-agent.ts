import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Service } from "./start-service.ts";

const AGENT = fileURLToPath(new URL("../../scan/src/main.ts", import.meta.url));

/** The scan agent as a process on a device with one home folder, which reports to a service. */
export class DeviceAgent {
  readonly #service: Service;
  readonly #token: string;
  readonly #root = mkdtempSync(join(tmpdir(), "gatehouse-device-"));

  private constructor(service: Service, token: string) {
    this.#service = service;
    this.#token = token;
  }

  static async start(service: Service): Promise<DeviceAgent> {
    const { body } = await service.api("POST", "/api/api-tokens", { name: "mdm", scopes: ["discovery:ingest"] });
    return new DeviceAgent(service, body.token);
  }

  /** In the home folder. */
  pathOf(path: string): string {
    return join(this.#root, "home/ada", path);
  }

  write(path: string, text: string): void {
    mkdirSync(dirname(this.pathOf(path)), { recursive: true });
    writeFileSync(this.pathOf(path), text);
  }

  async run(...args: string[]): Promise<{ code: number | null; output: string }> {
    const place = ["--home", this.pathOf(""), "--platform", "linux", "--state-dir", join(this.#root, "state")];
    const child = spawn(process.execPath, [AGENT, ...args, ...place], {
      env: {
        PATH: process.env.PATH,
        NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
        HOME: "/nonexistent",
        GATEHOUSE_URL: this.#service.url,
        GATEHOUSE_SCAN_TOKEN: this.#token,
      },
      stdio: ["ignore", "pipe", "pipe"],
    });
    let output = "";
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding("utf8").on("data", (text) => (output += text));
    const code = await new Promise<number | null>((resolve) => child.on("close", resolve));
    return { code, output };
  }

  remove(): void {
    rmSync(this.#root, { recursive: true, force: true });
  }
}
