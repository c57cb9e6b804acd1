/**
 * Formats of credentials that their issuers made recognizable. `body` follows the prefix and is matched at its position
 * only, with bounded quantifiers. Prefixes are the issuers' public documentation; the table is ours.
 */
export interface SecretFormat {
  readonly provider: string;
  /** Case-sensitive. */
  readonly prefixes: readonly string[];
  readonly body: string;
  readonly certainty: number;
}

const ALNUM = "[A-Za-z0-9]";
const HEX = "[0-9a-f]";
const TOKEN = "[A-Za-z0-9_-]";

function format(provider: string, prefixes: string, body: string, certainty = 10): SecretFormat {
  return { provider, prefixes: prefixes.split(" "), body, certainty };
}

export const SECRET_FORMATS: readonly SecretFormat[] = [
  format("aws", "AKIA ASIA ABIA ACCA", "[A-Z2-7]{16}"),
  format("aws", "bedrock-api-key-", `${TOKEN}{40,400}`),
  format("github", "ghp_ gho_ ghu_ ghs_ ghr_", `${ALNUM}{36,255}`),
  format("github", "github_pat_", "[A-Za-z0-9_]{22,255}"),
  format("gitlab", "glpat- gldt- glrt- glcbt- glptt- glft- glsoat- glimt- gloas- glffct-", "[A-Za-z0-9_.-]{20,300}"),
  format("slack", "xoxb- xoxp- xoxa- xoxr- xoxs- xoxo- xoxe-", "[A-Za-z0-9-]{10,250}"),
  format("slack", "xapp-", "[0-9]-[A-Z0-9]{6,20}-[0-9]{6,20}-[a-z0-9]{20,80}"),
  format("slack", "hooks.slack.com/services/", "T[A-Z0-9]{6,14}/B[A-Z0-9]{6,14}/[A-Za-z0-9]{18,32}", 9),
  format("stripe", "sk_live_ sk_test_ rk_live_ rk_test_ sk_prod_", `${ALNUM}{16,255}`),
  format("stripe", "whsec_", "[A-Za-z0-9+/=]{24,80}"),
  format("google", "AIza", `${TOKEN}{35}`),
  format("google", "GOCSPX-", `${TOKEN}{28}`),
  format("google", "ya29.", `${TOKEN}{20,400}`),
  format("openai", "sk-proj- sk-svcacct- sk-admin- sk-None-", `${TOKEN}{20,220}`),
  format("openai", "sk-", `${ALNUM}{20}T3BlbkFJ${ALNUM}{20}`),
  format("openai", "sk-", `${ALNUM}{48}`, 9),
  format("anthropic", "sk-ant-", `${TOKEN}{24,200}`),
  format("openrouter", "sk-or-v1-", `${HEX}{64}`),
  format("groq", "gsk_", `${ALNUM}{52}`),
  format("xai", "xai-", `${ALNUM}{60,100}`),
  format("perplexity", "pplx-", `${ALNUM}{40,64}`),
  format("replicate", "r8_", `${ALNUM}{37}`),
  format("huggingface", "hf_ api_org_", "[A-Za-z0-9]{34,40}"),
  format("npm", "npm_", `${ALNUM}{36}`),
  format("pypi", "pypi-AgEIcHlwaS5vcmc pypi-AgENdGVzdC5weXBpLm9yZw", `${TOKEN}{50,250}`),
  format("rubygems", "rubygems_", `${HEX}{48}`),
  format("crates", "cio", `${ALNUM}{32}`, 8),
  format("docker", "dckr_pat_ dckr_oat_", `${TOKEN}{27,40}`),
  format("sendgrid", "SG.", `${TOKEN}{22}\\.${TOKEN}{43}`),
  format("twilio", "SK", `${HEX}{32}`, 8),
  format("mailgun", "key-", `${HEX}{32}`, 9),
  format("shopify", "shpat_ shpca_ shppa_ shpss_", "[A-Fa-f0-9]{32}"),
  format("square", "sq0atp- sq0csp- sq0idp-", `${TOKEN}{22,50}`),
  format("digitalocean", "dop_v1_ doo_v1_ dor_v1_", `${HEX}{64}`),
  format("heroku", "HRKU-AA", `${TOKEN}{50,64}`),
  format("netlify", "nfp_", `${ALNUM}{36,48}`),
  format("cloudflare", "v1.0-", `${HEX}{24}-${HEX}{146}`),
  format("databricks", "dapi", `${HEX}{32}(?:-\\d)?`),
  format("dynatrace", "dt0c01. dt0s01.", "[A-Z2-7]{24}\\.[A-Z2-7]{64}"),
  format("grafana", "glsa_", `${ALNUM}{32}_${HEX}{8}`),
  format("grafana", "glc_", "[A-Za-z0-9+/]{32,400}={0,2}"),
  format("newrelic", "NRAK- NRRA- NRIQ-", "[A-Z0-9]{27,40}"),
  format("sentry", "sntrys_ sntryu_", "[A-Za-z0-9_=+/-]{40,300}"),
  format("postman", "PMAK-", `${HEX}{24}-${HEX}{34}`),
  format("linear", "lin_api_ lin_oauth_", `${ALNUM}{32,64}`),
  format("notion", "ntn_", `${ALNUM}{40,60}`),
  format("notion", "secret_", `${ALNUM}{43}`, 9),
  format("figma", "figd_ figo_", `${TOKEN}{38,60}`),
  format("airtable", "pat", `${ALNUM}{14}\\.${HEX}{64}`),
  format("atlassian", "ATATT3xFfGF0 ATCTT3xFfGN0 ATBB", "[A-Za-z0-9_=-]{28,260}"),
  format("dropbox", "sl.", `${TOKEN}{120,200}`, 9),
  format("doppler", "dp.pt. dp.st. dp.ct. dp.sa.", "[A-Za-z0-9_.-]{40,60}"),
  format("hashicorp", "hvs. hvb. hvr.", `${TOKEN}{24,300}`),
  format("pulumi", "pul-", `${HEX}{40}`),
  format("fly", "fo1_ fm2_", "[A-Za-z0-9_+/=-]{40,400}"),
  format("planetscale", "pscale_tkn_ pscale_pw_ pscale_oauth_", "[A-Za-z0-9_.=-]{32,64}"),
  format("supabase", "sbp_ sb_secret_", `${TOKEN}{30,60}`),
  format("buildkite", "bkua_", `${HEX}{40}`),
  format("circleci", "CCIPAT_ CCIPRJ_", `${TOKEN}{30,80}`),
  format("age", "AGE-SECRET-KEY-1", "[A-Z0-9]{58}"),
  format("telegram", ":AA", `${TOKEN}{33}`, 8),
  format("discord", "discord.com/api/webhooks/ discordapp.com/api/webhooks/", `\\d{17,20}/${TOKEN}{60,72}`, 9),
  format("azure", "AccountKey= SharedAccessKey=", "[A-Za-z0-9+/]{42,86}={1,2}"),
  format(
    "gatehouse",
    "gh_sk_ gh_at_ gh_iv_ gh_su_ gh_ws_ gh_cl_ gh_oa_ gh_ap_ gh_ex_ gh_xr_ gh_ag_",
    `${TOKEN}{20,200}`,
  ),
];

/** Found by their structure instead of a prefix. */
const STRUCTURED_PROVIDERS = ["jwt", "private_key", "connection_string", "basic_auth_url", "generic"];

export const SECRET_PROVIDERS: readonly string[] = [
  ...new Set([...SECRET_FORMATS.map(({ provider }) => provider), ...STRUCTURED_PROVIDERS]),
];
