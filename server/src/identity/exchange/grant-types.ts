export const TOKEN_EXCHANGE = "urn:ietf:params:oauth:grant-type:token-exchange";
export const JWT_BEARER = "urn:ietf:params:oauth:grant-type:jwt-bearer";
/** Advertises that the JWT bearer grant accepts identity assertions. */
export const ID_JAG_PROFILE = "urn:ietf:params:oauth:grant-profile:id-jag";
