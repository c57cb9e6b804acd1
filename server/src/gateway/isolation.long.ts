import { tryIsolatedCallers } from "#test/isolated-callers";

tryIsolatedCallers({ sqlite: 20_000, postgres: 20_000 });
