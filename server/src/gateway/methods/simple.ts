/** Methods that are answered from nothing but the request itself. */

import { MODERN_VERSIONS, negotiateLegacyVersion } from "../envelope/era.ts";
import { resultBody } from "../envelope/errors.ts";
import { JSON_HEADERS, type McpRequest, type Method } from "./request.ts";
import { resultTail } from "./results.ts";

/** What we offer (Spec 4.5). What is advertised always answers, if only with an empty list. */
const CAPABILITIES = '{"tools":{},"prompts":{},"resources":{},"completions":{}}';

function answer(request: McpRequest, resultJson: string): void {
  request.exchange.answer(200, JSON_HEADERS, [resultBody(request.call.rawId, resultJson)]);
}

/** Legacy handshake. */
export const initialize: Method = (request, { serverInfo }) => {
  const version = negotiateLegacyVersion(request.call.params?.protocolVersion);
  const result = `{"protocolVersion":"${version}","capabilities":${CAPABILITIES},"serverInfo":${JSON.stringify(serverInfo)}}`;
  answer(request, result);
};

/** Modern discovery: the same, for clients that shake no hands. */
export const discover: Method = (request, { serverInfo }) => {
  const versions = JSON.stringify(MODERN_VERSIONS);
  const tail = resultTail(request.era, serverInfo, true);
  answer(request, `{"supportedVersions":${versions},"capabilities":${CAPABILITIES}${tail}}`);
};

export const ping: Method = (request) => answer(request, "{}");
