/** Tests sign in often, so their passwords use the cheapest scrypt parameters. */
export const CHEAP = { log2N: 1, r: 8, p: 1 } as const;

export const GOOD_PASSWORD = "vermilion-otter-9-plinth";
