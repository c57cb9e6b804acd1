import { isObject } from "#openapi/json";
import { badUsage, EXIT, Failure } from "../failure.ts";
import type { Json } from "../gateway.ts";
import type { Output } from "../output.ts";
import { isJson, jsonText } from "../read-json.ts";
import { verb } from "../verb.ts";

/** The longest time that the gateway allows for a call. */
const CALL_SECONDS = 15 * 60;

export const call = verb({
  description: "Call a tool and print its result; progress goes to stderr",
  args: ["tool"],
  options: {
    arg: { type: "list", hint: "name=text", description: "one argument; use name:=json for other types" },
    json: { type: "text", hint: "json", description: "all arguments: JSON, @file, or - for stdin" },
  },
  example: "gatehouse call echo__add --arg a:=2 --arg b:=3",
  timeoutSeconds: CALL_SECONDS,
  async run({ gateway, args, options, readText, out }) {
    if (options.arg && options.json !== undefined) throw badUsage("Pass --arg or --json, not both");
    const input =
      options.json === undefined ? argumentsText(options.arg ?? []) : await jsonText({ readText }, options.json);
    const name = JSON.stringify(args.tool);
    const params = `{"name":${name},"arguments":${input},"_meta":{"progressToken":1}}`;
    const result = await gateway().request("tools/call", params, (message) => showNotification(out, message));
    show(out, result);
  },
});

/** Builds JSON text from unparsed values, so that large numbers stay exact. */
function argumentsText(given: readonly string[]): string {
  const members = new Map(
    given.map((text) => {
      const [, name, sign, value = ""] = /^([^=]+?)(:?=)(.*)$/s.exec(text) ?? [];
      if (name === undefined) throw badUsage(`--arg must be name=text or name:=json, not "${text}"`);
      if (sign === ":=" && !isJson(value)) throw badUsage(`--arg ${name}: the value after := must be JSON`);
      return [name, sign === ":=" ? value : JSON.stringify(value)] as const;
    }),
  );
  if (members.size < given.length) throw badUsage("An argument of the tool can be given only once");
  return `{${[...members].map(([name, value]) => `${JSON.stringify(name)}:${value}`).join(",")}}`;
}

function showNotification(out: Output, { method, params }: Json): void {
  if (!isObject(params)) return;
  if (method === "notifications/message") out.say(`${params.level}: ${textOf(params.data)}`);
  if (method !== "notifications/progress") return;
  const total = params.total === undefined ? "" : `/${textOf(params.total)}`;
  out.say(`${textOf(params.progress)}${total} ${textOf(params.message ?? "")}`.trimEnd());
}

/** Prints text content. Other content is only named; `-o json` shows it. */
function show(out: Output, result: Json): void {
  const failed = result.isError === true;
  const blocks = Array.isArray(result.content) ? result.content.filter(isObject) : [];
  if (out.json) out.record(result);
  else for (const block of blocks) showBlock(out, block, failed);
  if (!out.json && blocks.length === 0 && result.structuredContent !== undefined) {
    out.text(JSON.stringify(result.structuredContent, null, 2));
  }
  if (failed) throw new Failure(EXIT.failed, out.json || blocks.length === 0 ? "The tool reported an error" : "");
}

function showBlock(out: Output, block: Json, failed: boolean): void {
  const { type, text, resource } = block;
  const content = type === "resource" && isObject(resource) ? resource.text : text;
  if (typeof content !== "string") {
    const of = isObject(resource) ? resource : block;
    const details = [of.mimeType, of.uri].filter((detail) => typeof detail === "string");
    out.say(`[${[type, ...details].join(" ")}: use -o json to see it]`);
  } else if (failed) {
    out.say(content);
  } else {
    out.text(content);
  }
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}
