/** `npm run web:demo`: the app with seeded data, also usable as the service behind `npm run web:dev`. */
import { GOOD_PASSWORD } from "#test/passwords";
import { startSeeded } from "./kit/seed.ts";

const PORT = 8080;
const seeded = await startSeeded({ port: PORT });
process.stdout.write(`${seeded.url}/sign-in\n  olivia@acme.example  ${GOOD_PASSWORD}   (owner)\n`);
process.stdout.write(`  bruno@acme.example   ${GOOD_PASSWORD}   (member)\n`);
process.once("SIGINT", () => void seeded.close());
process.once("SIGTERM", () => void seeded.close());
