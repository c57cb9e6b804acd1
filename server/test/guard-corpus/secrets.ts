import type { Sample } from "./personal-data.ts";
import { ALNUM, type CorpusRandom, HEX, LETTERS } from "./random.ts";

const TOKEN = `${ALNUM}_-`;

/**
 * Provider, prefix, alphabet and length as the providers document them. The samples are put together when the tests run,
 * so that the repository contains nothing that looks like a live secret.
 */
export const PROVIDER_SECRETS: readonly (readonly [string, string, string, number])[] = [
  ["aws", "AKIA", `${LETTERS}234567`, 16],
  ["aws", "ASIA", `${LETTERS}234567`, 16],
  ...["ghp_", "gho_", "ghu_", "ghs_", "ghr_"].map((prefix) => ["github", prefix, ALNUM, 36] as const),
  ["github", "github_pat_", ALNUM, 82],
  ["gitlab", "glpat-", ALNUM, 20],
  ["gitlab", "gldt-", ALNUM, 20],
  ["slack", "xoxb-", "0123456789", 40],
  ["slack", "xoxp-", "0123456789", 60],
  ["stripe", ["sk", "live", ""].join("_"), ALNUM, 24],
  ["stripe", ["rk", "test", ""].join("_"), ALNUM, 24],
  ["google", "AIza", TOKEN, 35],
  ["google", "GOCSPX-", ALNUM, 28],
  ["openai", "sk-proj-", ALNUM, 64],
  ["anthropic", "sk-ant-api03-", ALNUM, 93],
  ["openrouter", "sk-or-v1-", HEX, 64],
  ["groq", "gsk_", ALNUM, 52],
  ["huggingface", "hf_", ALNUM, 34],
  ["npm", "npm_", ALNUM, 36],
  ["rubygems", "rubygems_", HEX, 48],
  ["docker", "dckr_pat_", ALNUM, 27],
  ["shopify", "shpat_", HEX, 32],
  ["digitalocean", "dop_v1_", HEX, 64],
  ["databricks", "dapi", HEX, 32],
  ["newrelic", "NRAK-", `${LETTERS}0123456789`, 27],
  ["linear", "lin_api_", ALNUM, 40],
  ["notion", "ntn_", ALNUM, 46],
  ["figma", "figd_", ALNUM, 40],
  ["hashicorp", "hvs.", ALNUM, 90],
  ["pulumi", "pul-", HEX, 40],
  ["supabase", "sbp_", HEX, 40],
  ["mailgun", "key-", HEX, 32],
  ["twilio", "SK", HEX, 32],
  ["age", "AGE-SECRET-KEY-1", `${LETTERS}0123456789`, 58],
  ["gatehouse", "gh_sk_", ALNUM, 49],
  ["gatehouse", "gh_at_", ALNUM, 62],
];

const PLACES = [
  "token: #",
  "#",
  "export KEY=#",
  '{"authorization":"Bearer #"}',
  "use `#` here",
  "(#)",
  "a # b",
  "url?k=#&x=1",
];

export function providerSecret(random: CorpusRandom, index: number): Sample {
  const [, prefix, alphabet, length] = PROVIDER_SECRETS[index % PROVIDER_SECRETS.length] ?? ["", "", ALNUM, 1];
  return place(random, PLACES, prefix + random.text(alphabet, length));
}

/** Secrets that are recognized by their structure or by the name in front of them. */
export function structuredSecret(random: CorpusRandom): Sample {
  const password = `${random.text(ALNUM, 12)}${random.digits(2)}x!`.replace("!", random.pick(["", "-", "_"]));
  const segment = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");
  return random.pick([
    () =>
      place(
        random,
        ["postgres://app:#@db.internal:5432/main", "redis://:#@cache:6379", "mongodb+srv://u:#@c.example.net"],
        password,
      ),
    () => place(random, ["https://user:#@git.example.com/a.git", "ftp://bob:#@files.example.com"], password),
    () =>
      place(
        random,
        ["#", "Bearer #"],
        `${segment({ alg: "RS256", typ: "JWT" })}.${segment({ sub: random.digits(8) })}.${random.text(ALNUM, 43)}`,
      ),
    () =>
      place(
        random,
        ["password=#", "client_secret: '#'", 'api_key = "#"', "DB_PASSWORD=#", "access_key: #"],
        random.text(ALNUM, 32) + random.digits(2),
      ),
    () => place(random, ["Authorization: Bearer #"], `${random.text(ALNUM, 40)}${random.digits(2)}`),
    () => place(random, ["AccountName=x;#;EndpointSuffix=y"], `AccountKey=${random.text(ALNUM, 86)}==`),
  ])();
}

/** Private keys: the markers are put together here, too. */
export function privateKey(random: CorpusRandom): Sample {
  const kind = random.pick(["RSA ", "EC ", "OPENSSH ", "", "ENCRYPTED ", "DSA "]);
  const mark = (word: string) => `-----${word} ${kind}PRIVATE KEY-----`;
  const lines = Array.from({ length: random.integer(2, 20) }, () => random.text(`${ALNUM}+/`, 64));
  const part = [mark("BEGIN"), ...lines, mark("END")].join(random.pick(["\n", "\r\n", "\\n"]));
  return place(random, ["#", "key:\n#\n", '{"private_key":"#"}', "cat id_rsa\n#\n$ "], part);
}

function place(random: CorpusRandom, places: readonly string[], part: string): Sample {
  return { text: random.pick(places).replace("#", () => part), part };
}
