import { readdir, readFile } from "node:fs/promises";
import { z } from "zod";
import { Brand } from "./brand-logo.ts";
import { createLogos, type Logos } from "./logos.ts";

const Brands = z.record(z.string(), Brand);
const Owner = z.object({ name: z.string(), icon: z.string().optional() });

/** From the folder `server/catalog`, which is part of the release like its code. */
export async function readLogos(catalog: URL): Promise<Logos> {
  const folder = new URL("connectors/", catalog);
  const files = await readdir(folder);
  const owners = await Promise.all(files.map(async (file) => Owner.parse(await readJson(new URL(file, folder)))));
  const byId = new Map(files.map((file, index) => [file.replace(/\.json$/, ""), owners[index]]));
  const brands = new Map(Object.entries(Brands.parse(await readJson(new URL("logos.json", catalog)))));
  return createLogos({ brands, findConnector: (id) => byId.get(id) });
}

async function readJson(file: URL): Promise<unknown> {
  return JSON.parse(await readFile(file, "utf8"));
}
