import { tryWhoReachesWhat } from "#test/who-reaches-what";

// Twenty-five times as many in access-model.long.ts.
tryWhoReachesWhat(200);
