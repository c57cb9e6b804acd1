// Plain JavaScript: the compile cache must be on before a thread reads its first TypeScript file, otherwise each thread
// loads the type stripper of its own, some 17 MB.
import module from "node:module";

module.enableCompileCache();
await import("./sqlite-worker.ts");
