/** Secrets in every place and form, for the tests of scan agent and service. None of them is real. */

const HEX = "9f8e7d6c5b4a39281706f5e4d3c2b1a0";
const TOKEN = `ghp_${"Canary"}a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5`;

/** Finds all secrets of this file, also if only their beginning is left. */
export const ANY_CANARY = /canary|9f8e7d6c|Y2FuYXJ5|YWRtaW46|dTpjYW5h|eyJwYXNz|YwBhAG4AYQBy/i;

/** A reference to a variable with a default, as Claude Code and shells replace it. */
const withDefault = (name: string, separator = ":-"): string => `$\{${name}${separator}canary}`;

function base64(text: string): string {
  return Buffer.from(text).toString("base64");
}

/** As PowerShell reads it. The canary must begin at a multiple of three characters, so that it is found. */
function encodedScript(text: string): string {
  return Buffer.from(text, "utf16le").toString("base64");
}

/** A text in which a limit of this length cuts the token, after 36 of its 40 characters unless said otherwise. */
export function cutAt(limit: number, filler = "x", kept = 36): string {
  return `${filler.repeat(limit).slice(0, limit - kept - 1)} ${TOKEN}`;
}

/** Forms that are removed from names, descriptions, paths and other texts. */
export const TEXT_FORMS: Readonly<Record<string, string>> = {
  token: `x ${TOKEN}`,
  option: `x --api-key ${HEX} y`,
  quoted: `curl --token "canarySwordfish1"`,
  url: "postgres://app:Canary5dK2pQ@db/x",
  default: `export API_KEY=$\{API_KEY:-canarySwordfish1}`,
};

/** A server as a configuration file describes it. */
export type ConfiguredFields = Readonly<Record<string, unknown>>;

const onCommand = (command: string, ...args: string[]): ConfiguredFields => ({ command, args });
const onArgs = (...args: string[]): ConfiguredFields => ({ command: "x", args });
const onUrl = (url: string): ConfiguredFields => ({ url });

const COMMANDS: readonly ConfiguredFields[] = [
  onCommand(`/usr/local/bin/mcp-server --api-key ${HEX}`),
  onCommand(`npx --api-key ${HEX}`, "-y", "foo"),
  onCommand("npx --api-key", "canary", "foo"),
  onCommand(`npx -y foo --api-key ${HEX}`),
  onCommand(`./run --api-key ${HEX}`, "-x"),
  onCommand("API_KEY=canarySwordfish npx"),
  onCommand("API_KEY=canarySwordfish npx", "-y", "foo"),
  onCommand("C:\\Program Files\\x\\mcp.exe --password canarySwordfish"),
  onCommand(`bash -c 'export K=${HEX}; x'`, "-x"),
  onCommand("/opt/x/run --header 'X-Plain: canary'"),
  onCommand(`/bin/x https://u:canary@h/${HEX}?token=canary`),
  onCommand(`/bin/x ${TOKEN} --password canary`),
  onCommand(`/${"c".repeat(2007)}/${TOKEN}`),
  onCommand('npx mcp-remote https://h.example/mcp --header "Authorization: Bearer canary!"'),
  onCommand('TOKEN="x canary" npx x'),
  onCommand('docker run -e "TOKEN=x canary" img'),
  onCommand('npx x --password "x canary"'),
  onCommand(`sh -c 'curl -H "X-Plain: x canary" https://h.example'`),
  { command: "npx", args: 'mcp-remote https://h.example --header "Authorization: Bearer x canary"' },
  { command: [`/bin/x --api-key ${HEX}`] },
  { command: { path: `/bin/x --api-key ${HEX}`, args: ["--token", "canary"] } },
];

const ARGUMENTS: readonly ConfiguredFields[] = [
  onArgs("--api-key", HEX),
  onArgs("--api-key=", "canary"),
  onArgs("--api-key =canary"),
  onArgs("--_authToken=canary"),
  onArgs("--//registry.example/:_authToken=canary"),
  onArgs("--jwt", "canary"),
  onArgs("/token:canary"),
  onArgs("run", "-eMYVAR=canary", "img"),
  onArgs("run", "-e", "MYVAR=canary", "img"),
  onArgs("run", "--env=MYVAR=canary", "img"),
  onArgs("run", "-e", "'myvar=canary'", "img"),
  onArgs("-u", "bob:canary", "https://h"),
  onArgs("-ubob:canary", "https://h"),
  onArgs("-u", "$BOB:canary"),
  onArgs("-u", `bob:${withDefault("BOB")}`),
  onArgs("--api-key", withDefault("KEY")),
  onArgs(`--api-key=${withDefault("KEY", "-")}`),
  onArgs("-e", `MYVAR=${withDefault("env:MYVAR")}`),
  onArgs(`MYVAR=${withDefault("MYVAR", ":=")}`),
  onArgs("-H", `X-Plain: ${withDefault("PLAIN")}`),
  onArgs("-H", withDefault("PLAIN")),
  onArgs(withDefault("API_TOKEN")),
  onArgs("-c", `x --dir ${withDefault("API_TOKEN")}/y`),
  onArgs(`{"token":"${withDefault("T")}"}`),
  onArgs("-c", "curl -u 'bob:canary' h"),
  onArgs("--user=bob:canary"),
  onArgs("-HAuthorization: Bearer canary"),
  onArgs("-H", "X-Plain: canary"),
  onArgs("--header", "Authorization: Bearer", "canary"),
  onArgs("-Command", "$env:PLAIN='canary fish'; npx x"),
  onArgs("-Command", '$env:PLAIN = "canary fish"; npx x'),
  onArgs("-EncodedCommand", encodedScript("x  --token  canary")),
  onArgs("-enc", encodedScript(`x  --token  canary${" y".repeat(700)}`)),
  onArgs("-enc", encodedScript(`привет --token canary${" y".repeat(700)}`)),
  onArgs("/c", `x & pwsh /e ${encodedScript("x  --token  canary")} & y`),
  onCommand(`powershell -enc ${encodedScript("x  --token  canary")}`),
  onArgs("-c", `TOKEN="canary fish" npx x; curl -u bob:canary h`),
  onArgs("-c", "x; export TOKEN=$(echo canary)"),
  onArgs("-c", "'PLAIN=canary x'"),
  onArgs(`sk-ant-api03-${"Canary"}AAAABBBBCCCCDDDD0123 --password canary`),
  onArgs('{"token":"canary","a":{"Authorization":"Bearer canary"}}'),
  onArgs('{"token":"can\\"canary"}'),
  onArgs('{\\"token\\":\\"canary\\"}'),
  onArgs("{'token':'canary'}"),
  onArgs("{token: canary}"),
  onArgs('{"api_key":["canary",{"x":"canary"}]}'),
  onArgs('{"headers":{"X-Plain":"canary"},"env":{"PLAIN":"canary","N":["canary"]}}'),
  onArgs(`--config={"env":{"PLAIN":"canary"}}`),
  onArgs("-c", `x '{"env":{"PLAIN":"canary"}}'`),
  onArgs("Basic", base64("admin:canarySwordfish1")),
  onArgs(`--opts=${base64("u:canary1")}`),
  onArgs(base64('{"password": "canary"}')),
  onArgs("wJalrXUtnFEMI/K7MDENG/bPxRfiCYcanaryKEYz"),
  onArgs("jdbc:oracle:thin:scott/canary@h:1521/x"),
  onArgs("u/canary@//h:1521/svc"),
  onArgs("//h/share?sig=canary"),
  onArgs("--proxy-user", "u:canary"),
  onArgs("-U", "u:canary"),
  onArgs("/password", "canary"),
  onArgs("--otp", "canary"),
  onCommand("sshpass", "-p", "canary", "ssh", "h"),
  onCommand("/usr/bin/sshpass", "-pcanary", "ssh", "h"),
  onCommand("sshpass -p canary ssh h"),
  onCommand("sshpass -p", "canary", "ssh", "h"),
  onCommand("redis-cli", "-h", "h", "-a", "canary"),
  onCommand("mysql", "-u", "app", "-pcanary"),
  onCommand("docker", "login", "-u", "bob", "-p", "canary"),
  onArgs("-c", "docker login -u bob -p canary; mysqldump -pcanary db"),
  onArgs("Password=canary;Server=h"),
  onArgs("Server=h;Password='canary fish'"),
  onArgs("user=sa password=canary host=h"),
  onArgs("postgres://app:canary#2024@db/prod"),
  onArgs("--db=postgres://app:canary?1@db/prod"),
  onArgs("postgres://app:canary/1@db/prod"),
  onArgs("//app:canary@db/prod"),
  onArgs("app:canary@10.0.0.1/prod"),
  onArgs("root:canary@tcp(127.0.0.1:3306)/db"),
  onArgs('bash -c "curl -H \\"Authorization: Bearer x canary\\" https://h.example"'),
  onArgs(`ssh host 'npx x --header "Authorization: Bearer x canary"'`),
  onArgs("npx x --password 'x canary'"),
  ...[`(${HEX})`, `<${HEX}>`, `[${HEX}]`, `${HEX}!`, `@${HEX}`, `${HEX}"`].map((word) => onArgs(word)),
  ...[`x("${HEX}")`, `echo ${HEX}|x`, `${HEX}&&y`, `\`${HEX}\``].map((script) => onArgs("-c", script)),
  onArgs("-c", `import os; os.environ["API_TOKEN"]="x canary"; run()`),
  onArgs("-c", `os.environ.setdefault('API_TOKEN', 'x canary')`),
  onArgs("-e", 'process.env["API_TOKEN"] = "x canary"'),
  onArgs("-e", 'process.env.API_TOKEN = "x canary"'),
  onArgs("-c", "[Environment]::SetEnvironmentVariable('API_TOKEN','x canary')"),
  onArgs("-c", "$token = 'x canary'; @{ 'Authorization' = 'Bearer x canary' }"),
  onArgs(cutAt(2048)),
  onArgs(cutAt(2048, "x", 14)),
  onArgs(cutAt(2048, "x --token canary ")),
];

const URLS: readonly ConfiguredFields[] = [
  onUrl("https://user:canary@h.example/mcp?k=canary#canary"),
  onUrl("https://user:canary#1@h.example/mcp"),
  onUrl("https://user:canary?1@h.example/mcp"),
  onUrl("https://user:canary/1@h.example/mcp"),
  onUrl("https://user:canary/1@h.example/@scope/pkg"),
  onUrl("https://user:canary@x@h.example/mcp"),
  onUrl("//user:canary@h.example/mcp"),
  onUrl("user:canary@h.example/mcp"),
  onUrl("https:user:canary@h.example/mcp"),
  onUrl("https://user:canary@%HOST%/mcp"),
  onUrl("https://h.example/mcp;token=canary"),
  onUrl(`https://h.example/${withDefault("API_TOKEN")}/mcp`),
  onUrl(`https://${withDefault("API_TOKEN")}.h.example/mcp`),
  onUrl(`https://user:${withDefault("PASS")}@h.example/mcp`),
  onUrl(`$\{BASE:-https://user:canary@h.example}/mcp`),
  onUrl("https://h.example/%3Ftoken=canary"),
  onUrl(`https://h.example/${HEX}/mcp`),
  onUrl("https://h.example/bot110201:AAH5dqCanary7vGWJ4xfSeof0SAsK/mcp"),
  ...[`user@${HEX}`, `key:${HEX}`, `x%2F${HEX}`, `${HEX};x`, "v1-9f8e7d6c-1a2b-4c3d-8e4f-0a1b2c3d4e5f"].map((segment) =>
    onUrl(`https://h.example/${segment}/mcp`),
  ),
  onUrl(`https://${TOKEN}.h.example/mcp`),
  onUrl(`https://h.example/${"x".repeat(2010)}/${TOKEN}`),
];

const NAMES: readonly ConfiguredFields[] = [
  { ...onUrl("https://h.example/1"), headers: ["Authorization: Bearer canary", "X-Plain=canary", "canary"] },
  { ...onUrl("https://h.example/2"), headers: [["X-Plain", "canary"], { name: "X-Plain", value: "canary" }] },
  { ...onUrl("https://h.example/3"), headers: { [TOKEN]: "canary" } },
  { ...onArgs("1"), env: ["MYVAR=canary", "MYVAR: canary", "canary", TOKEN] },
  { ...onArgs("2"), env: [{ MYVAR: "canary" }, { name: "MYVAR", value: "canary" }] },
  { ...onArgs("3"), env: { [TOKEN]: "1", [`${"X".repeat(220)}-${TOKEN}`]: "1", "--api-key canarySwordfish1": "1" } },
];

export const SECRET_SERVERS = [...COMMANDS, ...ARGUMENTS, ...URLS, ...NAMES] as const;

/** Names of servers and skills. */
export const SECRET_NAMES: readonly string[] = [...Object.values(TEXT_FORMS), cutAt(256)];

export interface SecretSkill {
  readonly description: string;
  readonly allowedTools: string | readonly string[];
  readonly body: string;
}

/** Without passwords of plain words, which are recognized in commands only. */
export const SECRET_SKILLS: readonly SecretSkill[] = [
  ...Object.values(TEXT_FORMS).map((text) => ({ description: text, allowedTools: text, body: text })),
  { description: cutAt(1024), allowedTools: cutAt(1024), body: "" },
  {
    description: "",
    allowedTools: [
      `Bash(curl --api-key ${HEX}:*)`,
      "Bash(API_KEY=canarySwordfish x)",
      "Bash(curl -u bob:canarySwordfish1 h)",
    ],
    body: "",
  },
];

export const SECRET_TOOL = "Bash(x --password canary)";

/** Names of files and folders. */
export const SECRET_PATH = `x-${TOKEN}`;
export const SECRET_VERSION = `1.0.0-${TOKEN}`;
/** For a field of at most 128 characters. */
export const CUT_FILE_NAME = `${"x".repeat(90)}-${TOKEN}`;
