/** Tests sign in often: their passwords are hashed as quickly as scrypt can. */
export const CHEAP = { log2N: 1, r: 8, p: 1 } as const;

export const GOOD_PASSWORD = "vermilion-otter-9-plinth";
