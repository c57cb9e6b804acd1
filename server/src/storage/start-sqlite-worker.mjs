// Plain JavaScript: the compile cache must be on before a thread reads its first TypeScript file, otherwise each thread
// loads a separate type stripper of about 17 MB.
import module from "node:module";

module.enableCompileCache();
const { serveInWorker } = await import("./sqlite-worker.ts");
serveInWorker();
