import { readFile } from "node:fs/promises";
import { z } from "zod";
import { Brand } from "./brand-logo.ts";
import { createLogos, type LogoOwner, type Logos } from "./logos.ts";

const Brands = z.record(z.string(), Brand);

/** Reads `server/catalog/logos.json`, which is part of the release. */
export async function readLogos(file: URL, connectors: { find(id: string): LogoOwner | undefined }): Promise<Logos> {
  const brands = new Map(Object.entries(Brands.parse(JSON.parse(await readFile(file, "utf8")))));
  return createLogos({ brands, findConnector: (id) => connectors.find(id) });
}
