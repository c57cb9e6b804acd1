import { PostgresQueryCompiler, SqliteQueryCompiler } from "kysely";
import { toStoredValue } from "./stored-values.ts";

/** Converts values to query parameters. */
export class MappingSqliteCompiler extends SqliteQueryCompiler {
  protected override appendValue(value: unknown): void {
    super.appendValue(toStoredValue(value));
  }
}

/** Without it, pg would send arrays as Postgres arrays and `undefined` as NULL. */
export class MappingPostgresCompiler extends PostgresQueryCompiler {
  protected override appendValue(value: unknown): void {
    super.appendValue(toStoredValue(value));
  }
}
