import { tryWhoReachesWhat } from "#test/who-reaches-what";

// access-model.long.ts runs 5,000 sequences.
tryWhoReachesWhat(40);
