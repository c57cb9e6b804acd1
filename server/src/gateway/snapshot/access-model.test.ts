import { tryWhoReachesWhat } from "#test/who-reaches-what";

// access-model.long.ts runs 25 times as many cases.
tryWhoReachesWhat(200);
