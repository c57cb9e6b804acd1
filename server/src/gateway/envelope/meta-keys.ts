/** Keys of `_meta` that the modern protocol reserves. */
export const META_PREFIX = "io.modelcontextprotocol/";
export const META_PROTOCOL_VERSION = `${META_PREFIX}protocolVersion`;
export const META_CLIENT_CAPABILITIES = `${META_PREFIX}clientCapabilities`;
export const META_CLIENT_INFO = `${META_PREFIX}clientInfo`;
export const META_LOG_LEVEL = `${META_PREFIX}logLevel`;
export const META_SERVER_INFO = `${META_PREFIX}serverInfo`;
export const META_SUBSCRIPTION_ID = `${META_PREFIX}subscriptionId`;
/** Gatehouse extension in list results: the caller's servers that have a problem. */
export const META_SERVERS = "io.gatehouse/servers";
/** Gatehouse extension in results: the guard that changed, flagged or blocked it. */
export const META_GUARD = "io.gatehouse/guard";
/** W3C trace context, which MCP allows in `_meta` without a prefix. */
export const TRACEPARENT = "traceparent";
export const TRACESTATE = "tracestate";
