import { readFile, stat } from "node:fs/promises";
import { z } from "zod";

/** What `tooling/build-web.mjs` writes beside the files; nothing that it does not name is read. */
const MANIFEST = z.object({ files: z.record(z.string(), z.object({ digest: z.string(), gzip: z.boolean() })) });

export interface AppFile {
  /** Its name below the app's folder. */
  readonly name: string;
  readonly digest: string;
  /** Whether a gzipped copy lies beside it. */
  readonly gzip: boolean;
}

export interface AppBuild {
  readonly index: string;
  readonly files: ReadonlyMap<string, AppFile>;
}

/** The built admin app. One that is built anew while we run takes the place of the one before. */
export class AppFiles {
  readonly #folder: URL;
  #read: { readonly builtAt: number; readonly build: AppBuild } | undefined;

  constructor(folder: URL) {
    this.#folder = folder;
  }

  /** Undefined: it was not built. */
  async current(): Promise<AppBuild | undefined> {
    const manifest = new URL("build.json", this.#folder);
    const builtAt = (await unlessMissing(stat(manifest)))?.mtimeMs;
    if (builtAt === undefined) return undefined;
    if (builtAt === this.#read?.builtAt) return this.#read.build;
    const { files } = MANIFEST.parse(JSON.parse(await readFile(manifest, "utf8")));
    const index = await readFile(new URL("index.html", this.#folder), "utf8");
    const build = { index, files: new Map(Object.entries(files).map(([name, file]) => [name, { name, ...file }])) };
    this.#read = { builtAt, build };
    return build;
  }

  /** Undefined: it went away under our hands. */
  bytesOf({ name }: AppFile, packed: boolean): Promise<Buffer | undefined> {
    return unlessMissing(readFile(new URL(packed ? `${name}.gz` : name, this.#folder)));
  }
}

async function unlessMissing<Value>(work: Promise<Value>): Promise<Value | undefined> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
    throw error;
  }
}
