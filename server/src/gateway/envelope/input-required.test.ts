import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { inputRequiredBody, readInputRequests, readInputResponses, requestStateOf } from "./input-required.ts";
import { readRequest } from "./read-request.ts";
import { readResponse } from "./read-response.ts";
import { withoutParams } from "./rewrite-call.ts";

const resultOf = (members: string) => {
  const message = readResponse(Buffer.from(`{"jsonrpc":"2.0","id":1,"result":{${members}}}`));
  return message.kind === "result" ? message : assert.fail(JSON.stringify(message));
};
const requestOf = (members: string) => {
  const message = readRequest(Buffer.from(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{${members}}}`));
  return message.kind === "request" ? message : assert.fail(JSON.stringify(message));
};

describe("input requests", () => {
  it("are copied without a change of their numbers, escapes and order", () => {
    const params = '{ "z":9007199254740993, "a":"\\u00e9", "__proto__":{} }';
    const text = `"resultType":"input_required","inputRequests":{"k\\u0031":{"params":${params},"method":"elicitation/create"},"r":{"method":"roots/list"}},"requestState":"a\\u0020b"`;
    const input = readInputRequests(resultOf(text));
    assert.deepEqual(
      [...(input?.requests ?? [])],
      [
        ["k1", { method: "elicitation/create", params }],
        ["r", { method: "roots/list", params: undefined }],
      ],
    );
    assert.equal(input?.requestState, '"a\\u0020b"');
    const body = inputRequiredBody('"x"', input?.requests ?? new Map(), "s", '{"name":"g"}');
    assert.ok(body.toString().includes(params));
    assert.equal(JSON.parse(body.toString()).result.requestState, "s");
  });

  it("that are malformed are not read", () => {
    for (const members of [
      "",
      '"inputRequests":[]',
      '"inputRequests":{}',
      '"inputRequests":{"a":1}',
      '"inputRequests":{"a":{"method":1}}',
      '"inputRequests":{"a":{"method":"roots/list"},"a":{"method":"roots/list"}}',
      '"requestState":{}',
      '"inputRequests":{"a":{"method":"roots/list"}},"requestState":7',
    ])
      assert.equal(readInputRequests(resultOf(members)), undefined, members);
    assert.equal(readInputRequests(resultOf('"requestState":"s"'))?.requests.size, 0);
  });
});

describe("input responses", () => {
  it("are texts by key, and objects only", () => {
    const read = (members: string) => readInputResponses(requestOf(members));
    assert.deepEqual(
      [...(read('"inputResponses":{"a":{"n":1e400},"b":{}}') ?? [])],
      [
        ["a", '{"n":1e400}'],
        ["b", "{}"],
      ],
    );
    assert.deepEqual([...(read('"name":"t"') ?? [])], []);
    for (const given of ["[]", '"a"', '{"a":1}', '{"a":{},"a":{}}', "null"])
      assert.equal(read(`"inputResponses":${given}`), undefined, given);
  });

  it("come with the state as the client sent it", () => {
    assert.equal(requestStateOf(requestOf('"requestState":"a\\u0020b"')), "a b");
    assert.equal(requestStateOf(requestOf('"requestState":1')), undefined);
    assert.equal(requestStateOf(requestOf("")), undefined);
  });

  it("are forwarded to another process without the arguments", () => {
    const request = requestOf('"name":"t","arguments":{"a":[1,2]},"inputResponses":{"a":{}}');
    const left = readRequest(withoutParams(request, ["arguments"]));
    assert.deepEqual(left.kind === "request" && [...(left.params?.members.keys() ?? [])], ["name", "inputResponses"]);
  });
});
