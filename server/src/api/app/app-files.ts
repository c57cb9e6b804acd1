import { readFile, stat } from "node:fs/promises";
import { z } from "zod";

/** Written by `tooling/build-web.mjs`. Only the files that it lists are served. */
const MANIFEST = z.object({ files: z.record(z.string(), z.object({ digest: z.string(), gzip: z.boolean() })) });

export interface AppFile {
  /** Path relative to the app's folder. */
  readonly name: string;
  readonly digest: string;
  /** Whether a gzipped copy exists. */
  readonly gzip: boolean;
}

export interface AppBuild {
  readonly index: string;
  readonly files: ReadonlyMap<string, AppFile>;
}

/** The built admin app. A new build is picked up without a restart. */
export class AppFiles {
  readonly #folder: URL;
  #read: { readonly builtAt: number; readonly build: AppBuild } | undefined;

  constructor(folder: URL) {
    this.#folder = folder;
  }

  /** Undefined: the app is not built. */
  async current(): Promise<AppBuild | undefined> {
    const manifest = new URL("build.json", this.#folder);
    const builtAt = (await undefinedIfMissing(stat(manifest)))?.mtimeMs;
    if (builtAt === undefined) return undefined;
    if (builtAt === this.#read?.builtAt) return this.#read.build;
    const { files } = MANIFEST.parse(JSON.parse(await readFile(manifest, "utf8")));
    const index = await readFile(new URL("index.html", this.#folder), "utf8");
    const build = { index, files: new Map(Object.entries(files).map(([name, file]) => [name, { name, ...file }])) };
    this.#read = { builtAt, build };
    return build;
  }

  pathOf({ name }: AppFile, gzipped: boolean): URL {
    return new URL(gzipped ? `${name}.gz` : name, this.#folder);
  }
}

async function undefinedIfMissing<Value>(read: Promise<Value>): Promise<Value | undefined> {
  try {
    return await read;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
    throw error;
  }
}
