import { accessKeyOf } from "#lib/tokens";

const FOLDER = "/plugins/";
export const MARKETPLACE_JSON = "/plugins/marketplace.json";
const REPOSITORY = /^\/plugins\/([a-z0-9-]{1,64})\.git\/(info\/refs|git-upload-pack|git-receive-pack)$/;
const MAX_HEADER_LENGTH = 8192;
const BASIC = /^basic +([A-Za-z0-9+/]+={0,2})$/i;

/** Whether the gateway answers this path. Other paths below `/plugins` are pages of the app. */
export function isPluginPath(path: string): boolean {
  return path.startsWith(FOLDER) && (path === MARKETPLACE_JSON || REPOSITORY.test(path));
}

export interface RepositoryPath {
  readonly name: string;
  readonly service: "info/refs" | "git-upload-pack" | "git-receive-pack";
}

export function repositoryPathOf(path: string): RepositoryPath | undefined {
  const [, name, service] = REPOSITORY.exec(path) ?? [];
  if (name === undefined || service === undefined) return undefined;
  // The pattern allows only these services.
  return { name, service: service as RepositoryPath["service"] };
}

/**
 * Git sends credentials by HTTP Basic: an access key with its secret, or a token as the password. Returns the same
 * credential as `/mcp` accepts it; undefined if the header has another form.
 */
export function bearerFromBasic(header: string | undefined): string | undefined {
  if (header === undefined || header.length > MAX_HEADER_LENGTH) return undefined;
  const encoded = BASIC.exec(header)?.[1];
  if (encoded === undefined) return undefined;
  const text = Buffer.from(encoded, "base64").toString("latin1");
  const colon = text.indexOf(":");
  if (colon === -1) return undefined;
  const password = text.slice(colon + 1);
  return accessKeyOf(password) === undefined ? `Bearer ${text}` : `Bearer ${password}`;
}
