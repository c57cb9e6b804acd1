/** The common setup of long tests: a service process with its own data, an upstream, and callers with access to it. */
import { randomBytes } from "node:crypto";
import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createPostgresDatabase, makeDataDir } from "../databases.ts";
import { createGroup, createMachineUser, createSyncedServer, type MachineUser } from "../factories.ts";
import type { RawUpstream } from "../upstreams/raw.ts";
import { History, startNotingUpstream } from "./callers.ts";
import { KillableService } from "./killable-service.ts";

const CALLERS = 12;

export type Dialect = "sqlite" | "postgres";

export interface LongSetup {
  readonly service: KillableService;
  readonly upstream: RawUpstream;
  readonly history: History;
  readonly users: readonly MachineUser[];
  readonly dataDir: string;
  readonly databaseUrl: string | undefined;
  /** The service's environment, for commands run next to it. */
  readonly environment: Readonly<Record<string, string>>;
}

/** What a test replaces in the setup. */
export interface SpecialSetup {
  readonly dataDir?: string | undefined;
  /** A Postgres that the test starts and stops. */
  readonly databaseUrl?: string | undefined;
  readonly environment?: Readonly<Record<string, string>>;
  /** Whether the service is started again if a start fails. */
  readonly restarts?: boolean;
}

/** Runs the work and cleans up afterwards, even after a failure or timeout. */
export async function inLongSetup(
  dialect: Dialect,
  signal: AbortSignal,
  work: (context: LongSetup) => Promise<void>,
  special: SpecialSetup = {},
): Promise<void> {
  const dataDir = special.dataDir ?? (await makeDataDir());
  const shared = dialect === "postgres" && special.databaseUrl === undefined;
  const database = shared ? await createPostgresDatabase() : undefined;
  const databaseUrl = special.databaseUrl ?? database?.databaseUrl;
  const history = new History();
  const upstream = await startNotingUpstream(history);
  const environment = {
    DATA_DIR: dataDir,
    GATEHOUSE_KEY_FILE: join(dataDir, "key"),
    GATEHOUSE_PREVIOUS_KEY_FILE: join(dataDir, "previous-key"),
    ...(databaseUrl !== undefined && { DATABASE_URL: databaseUrl }),
    ...special.environment,
  };
  for (const keyFile of [environment.GATEHOUSE_KEY_FILE, environment.GATEHOUSE_PREVIOUS_KEY_FILE]) {
    await writeFile(keyFile, randomBytes(32).toString("base64"), { mode: 0o600 });
  }
  const service = new KillableService(
    { token: randomBytes(24).toString("hex"), environment },
    { restarts: special.restarts ?? false },
  );
  signal.addEventListener("abort", () => void service.destroy());
  try {
    const first = await service.current();
    const slug = await createSyncedServer(first, "Echo", upstream.url);
    const users: MachineUser[] = [];
    for (let number = 1; number <= CALLERS; number++) users.push(await createMachineUser(first, `caller ${number}`));
    await createGroup(first, "callers", { slugs: [slug], emails: users.map(({ email }) => email) });
    await work({ service, upstream, history, users, dataDir, databaseUrl, environment });
  } finally {
    await service.destroy();
    await upstream.close();
    await database?.drop();
    await rm(dataDir, { recursive: true, force: true });
  }
}
