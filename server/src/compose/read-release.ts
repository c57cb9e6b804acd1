import { AppFiles } from "#api/app/app-files";
import type { Logos } from "#api/logos/logos";
import { readLogos } from "#api/logos/read-logos";
import type { Config } from "#config/config";
import type { LocalServer } from "#gateway/upstream/transport/local-servers";
import { readLocalServersFile } from "#local-servers/local-servers-file";
import { type BuiltInConnectors, readBuiltInConnectors } from "#records/connectors";

export interface Release {
  readonly connectors: BuiltInConnectors;
  readonly logos: Logos;
  readonly app: AppFiles;
  /** Undefined in a process without local servers; other processes may have some. */
  readonly localServers: readonly LocalServer[] | undefined;
}

export interface ReleasePlaces {
  readonly config: Config;
  readonly connectorsFolder?: URL;
  readonly appFolder?: URL;
}

const CATALOG = new URL("../../catalog/", import.meta.url);
const APP = new URL("../../../web/dist/", import.meta.url);

/** Reads files: the connectors and the admin app, which are part of the release, and the operator's local servers. */
export async function readRelease({
  config,
  connectorsFolder = new URL("connectors/", CATALOG),
  appFolder = APP,
}: ReleasePlaces): Promise<Release> {
  const connectors = await readBuiltInConnectors(connectorsFolder);
  const { localServersFile: file, databaseUrl } = config;
  const localServers = file === undefined ? (databaseUrl === undefined ? [] : undefined) : readLocalServersFile(file);
  const logos = await readLogos(new URL("logos.json", CATALOG), connectors);
  return { connectors, logos, localServers, app: new AppFiles(appFolder) };
}
