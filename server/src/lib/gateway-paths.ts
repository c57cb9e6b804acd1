/** The path of a credential that is valid for the downloads of skills and plugins, and not for `/mcp`. */
export const LIBRARY_PATH = "/library";
