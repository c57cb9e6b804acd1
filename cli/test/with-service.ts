import { after, before, describe } from "node:test";
import { openTestSqlite, type TestDatabase } from "#test/databases";
import { type Service, startService } from "#test/start-service";
import { openShell, type Shell } from "./run.ts";

export interface CliContext {
  readonly service: Service;
  readonly database: TestDatabase;
  readonly shell: Shell;
}

/** A suite with a real service. It runs on SQLite only, because the CLI behaves the same on every database. */
export function withService(name: string, suite: (world: CliContext) => void): void {
  describe(name, () => {
    let database: TestDatabase;
    let service: Service;
    before(async () => {
      database = await openTestSqlite();
      service = await startService(database);
    });
    after(async () => {
      await service?.close();
      await database?.close();
    });
    const shell = openShell(() => service);
    suite({
      get service() {
        return service;
      },
      get database() {
        return database;
      },
      shell,
    });
  });
}
