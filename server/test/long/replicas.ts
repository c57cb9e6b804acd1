/** Service processes over one Postgres, each with a folder of its own, as an operator runs them behind a load balancer. */
import { randomBytes } from "node:crypto";
import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createPostgresDatabase, makeDataDir } from "../databases.ts";
import { type ServiceProcess, spawnService } from "./service-process.ts";

export interface Replicas {
  readonly folder: string;
  /** Starts it, or starts it again at the address that it had. */
  start(name: string): Promise<ServiceProcess>;
  /** However the test went: nothing of it is left. */
  destroy(): Promise<void>;
}

export async function prepareReplicas(environment: Readonly<Record<string, string>> = {}): Promise<Replicas> {
  const folder = await makeDataDir();
  const database = await createPostgresDatabase();
  const keyFile = join(folder, "key");
  await writeFile(keyFile, randomBytes(32).toString("base64"), { mode: 0o600 });
  const token = randomBytes(24).toString("hex");
  const ports = new Map<string, string>();
  const kills: (() => Promise<void>)[] = [];
  return {
    folder,
    async start(name) {
      const dataDir = join(folder, name);
      await mkdir(dataDir, { recursive: true });
      const starting = spawnService({
        token,
        environment: {
          DATA_DIR: dataDir,
          GATEHOUSE_KEY_FILE: keyFile,
          DATABASE_URL: database.databaseUrl,
          PORT: ports.get(name) ?? "0",
          ...environment,
        },
      });
      kills.push(starting.kill);
      const service = await starting.ready;
      ports.set(name, new URL(service.url).port);
      return service;
    },
    async destroy() {
      for (const kill of kills) await kill();
      await database.drop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
