/** What callers of the gateway get of plugins: the releases of those that are active and in one of their groups. */
import type { Clock } from "#lib/clock";
import { findPluginOfUser, pluginsOfUser } from "#records/plugins";
import type { MainDb } from "#storage/database";
import type { ObjectId } from "../git/objects.ts";
import type { Repository } from "../git/repository.ts";
import { advertisement, planUpload, refusedUpload, writeUpload } from "../git/upload-pack.ts";
import { claudeMarketplace } from "../marketplace/manifests.ts";
import { pluginsUrl } from "../marketplace/urls.ts";
import { marketplaceRepository } from "./marketplace-repositories.ts";
import { PluginRepositories } from "./plugin-repositories.ts";

/** No plugin has this slug. */
const MARKETPLACE = "marketplace";

interface PluginSourceNeeds {
  readonly db: MainDb;
  readonly clock: Clock;
  readonly orgName: string;
  readonly gatewayUrl: string;
}

export function createPluginSource({ db, clock, orgName, gatewayUrl }: PluginSourceNeeds) {
  const plugins = new PluginRepositories(db);
  return {
    async marketplace(userId: string): Promise<Buffer> {
      const entries = [];
      for (const row of await pluginsOfUser(db, userId)) {
        const latest = (await plugins.get(row)).releases.at(-1);
        if (latest) entries.push({ slug: row.slug, ...latest });
      }
      const base = pluginsUrl(gatewayUrl);
      const json = claudeMarketplace(orgName, entries, ({ slug, commitId: sha }) => {
        return { source: "url", url: `${base}/${slug}.git`, sha };
      });
      return Buffer.from(json);
    },
    async repository(userId: string, name: string) {
      if (name === MARKETPLACE) {
        const { repository, number, digestOf } = await marketplaceRepository({ db, clock, plugins, orgName }, userId);
        return serve(repository, String(number), digestOf);
      }
      const row = await findPluginOfUser(db, userId, name);
      if (!row) return undefined;
      const { repository, releases, digests } = await plugins.get(row);
      return serve(repository, releases.at(-1)?.version ?? "", (id) => digests.get(id));
    },
  };
}

function serve(repository: Repository, version: string, digestOf: (id: ObjectId) => string | undefined) {
  return {
    version,
    advertisement: () => advertisement(repository),
    upload(body: Buffer, readFile: (digest: string) => Promise<Buffer>) {
      const upload = planUpload(repository, body);
      const readBlob = async (id: ObjectId) => {
        const digest = digestOf(id);
        if (digest === undefined) throw new Error(`The object ${id} is missing`);
        return readFile(digest);
      };
      return { hasPack: upload.sent !== undefined, parts: writeUpload(upload, readBlob) };
    },
    refusal: (reason: string) => Buffer.concat(refusedUpload(reason).head),
  };
}
