/**
 * Loaded before each test process. Node's test runner tracks every promise to find the test that an error belongs to,
 * which makes an `await` about 20 times slower. Without it, an unhandled error still fails the run, but the report often
 * does not name its test (decision 0200).
 */
import { createRequire } from "node:module";
import { inspect } from "node:util";

// The runner takes `createHook` from this object when it is loaded. The exports of an ES module cannot be replaced.
const hooks = createRequire(import.meta.url)("node:async_hooks");
const { createHook } = hooks;
hooks.createHook = (callbacks) => createHook({ ...callbacks, trackPromises: false });

// The runner itself also loads this file, before it starts the processes of the tests.
if (process.env.NODE_TEST_CONTEXT !== undefined) {
  process.on("uncaughtExceptionMonitor", printStack);
  process.on("unhandledRejection", (reason) => {
    printStack(reason);
    // Without this listener, Node would end the process with 1 once the runner no longer listens.
    process.exitCode = 1;
  });
}

/** The runner reports only the message of an error without a test. */
function printStack(error) {
  process.stderr.write(`Unhandled in a test: ${inspect(error)}\n`);
}
