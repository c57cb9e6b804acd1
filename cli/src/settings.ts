import { readFileSync } from "node:fs";
import { join } from "node:path";
import { badUsage, EXIT, Failure } from "./failure.ts";

export type Environment = Readonly<Record<string, string | undefined>>;

const DEFAULT_URL = "http://127.0.0.1:8080";

/** The only module of the CLI that reads the environment. */
export class Settings {
  readonly url: string;
  readonly #environment: Environment;

  constructor(url: string | undefined, environment: Environment = process.env) {
    this.#environment = environment;
    this.url = url === undefined ? readUrl("GATEHOUSE_URL", this.#get("GATEHOUSE_URL")) : readUrl("--url", url);
  }

  apiToken(): string {
    const token = this.#secret("GATEHOUSE_TOKEN") ?? this.#firstToken();
    if (token !== undefined) return token;
    const file = "GATEHOUSE_TOKEN_FILE to its file, such as <DATA_DIR>/admin-token";
    throw new Failure(EXIT.refused, `No API token. Set GATEHOUSE_TOKEN, or ${file}.`);
  }

  /** `<access key>:<secret>`, as the gateway expects it (Spec 5.3). */
  accessKey(): string {
    const key = this.#secret("GATEHOUSE_ACCESS_KEY");
    if (key === undefined) {
      const names = "GATEHOUSE_ACCESS_KEY or GATEHOUSE_ACCESS_KEY_FILE";
      throw new Failure(EXIT.refused, `No access key. Set ${names} to <access key>:<secret>.`);
    }
    if (!/^[^:]+:[^:]+$/.test(key)) throw badUsage("GATEHOUSE_ACCESS_KEY must be <access key>:<secret>");
    return key;
  }

  /**
   * The token that the first start created, so that a new installation works without settings. Only for loopback URLs:
   * the token of one installation must not be sent to another.
   */
  #firstToken(): string | undefined {
    if (!/^(?:localhost|127\.[\d.]+|\[::1\])$/.test(new URL(this.url).hostname)) return undefined;
    try {
      return checked("admin-token", readFileSync(join(this.#get("DATA_DIR") ?? "data", "admin-token"), "utf8"));
    } catch (error) {
      if (error instanceof Failure) throw error;
      return undefined;
    }
  }

  /** For references in configuration files. */
  variable(name: string): string | undefined {
    return this.#environment[name];
  }

  #get(name: string): string | undefined {
    return this.#environment[name]?.trim() || undefined;
  }

  #secret(name: string): string | undefined {
    const value = this.#get(name);
    const file = this.#get(`${name}_FILE`);
    if (value !== undefined && file !== undefined) throw badUsage(`Set ${name} or ${name}_FILE, not both`);
    if (file === undefined) return value === undefined ? undefined : checked(name, value);
    let text: string;
    try {
      text = readFileSync(file, "utf8");
    } catch {
      throw badUsage(`${name}_FILE: cannot read ${file}`);
    }
    return checked(`${name}_FILE`, text);
  }
}

/** Node's error for a value that is invalid in a header would contain the secret. */
function checked(name: string, text: string): string | undefined {
  const secret = text.trim();
  if (!/^[\x21-\x7e]*$/.test(secret)) throw badUsage(`${name} must be printable ASCII without spaces`);
  return secret || undefined;
}

function readUrl(name: string, text: string = DEFAULT_URL): string {
  const url = URL.parse(text);
  if (!url || !/^https?:$/.test(url.protocol) || url.search || url.hash || url.username || url.password) {
    throw badUsage(`${name} must be an http or https URL such as https://gatehouse.example.com, not "${text}"`);
  }
  return url.href.replace(/\/+$/, "").replace(/\/mcp$/, "");
}
