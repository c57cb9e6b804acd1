import { tryIsolatedCallers } from "#test/isolated-callers";

// isolation.long.ts makes 20,000 calls.
tryIsolatedCallers({ sqlite: 2_000, postgres: 2_000 });
