import { tryWhoReachesWhat } from "#test/who-reaches-what";

tryWhoReachesWhat(5_000);
