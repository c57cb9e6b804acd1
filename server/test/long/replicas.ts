/** Service processes over one Postgres, each with its own folder, as operators run them behind a load balancer. */
import { randomBytes } from "node:crypto";
import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createPostgresDatabase, makeDataDir } from "../databases.ts";
import { type ServiceProcess, spawnService } from "./service-process.ts";

export interface Replicas {
  readonly folder: string;
  readonly databaseUrl: string;
  /** Starts it, or restarts it on its previous port. */
  start(name: string): Promise<ServiceProcess>;
  /** Removes everything, also after a failed test. */
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
    databaseUrl: database.databaseUrl,
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
