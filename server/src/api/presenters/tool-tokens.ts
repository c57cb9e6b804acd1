import { z } from "zod";

const HOW = "Approximate: the bytes of the definitions, divided by 4";

export function tokensEstimate(of: string) {
  const description = `Number of model tokens that the definitions of ${of} take. ${HOW}`;
  return z.int().meta({ description, example: 48_000 });
}

/** F36. `what` names the contributors in the plural, and `example` is the slug of one. */
export function toolTokens(of: string, what: string, example: string) {
  const contributor = z.object({
    name: z.string().meta({ description: "The slug", example }),
    tokens_estimate: z.int().meta({ description: `Number of model tokens. ${HOW}`, example: 12_000 }),
  });
  const largest = z.array(contributor).describe(`The ${what} that take the most tokens, largest first; ten at most`);
  return { tokens_estimate: tokensEstimate(of), largest };
}
